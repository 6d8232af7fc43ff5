"""What is varied, and over which values."""

from __future__ import annotations

import pytest

from harness.errors import HarnessError
from harness.policies.spec import make_policy
from harness.tune.vary import default_of, parse_all, parse_vary, setting

CAR = make_policy("car")


def test_candidates_come_from_the_sizes_of_the_results() -> None:
    vary = parse_vary("text_head_bytes=100:8k", CAR)
    sizes = [50] * 100 + [500] * 50 + [900] * 50 + [70_000] * 9
    assert vary.candidates(sizes, 400.0, 7) == [100, 400, 500, 900, 8000]


def test_steps_small_ranges_and_few_results() -> None:
    assert parse_vary("seq_head=0:9:3", CAR).candidates([], None, 99) == [0, 3, 6, 9]
    assert parse_vary("seq_head=0:3", CAR).candidates([], 3.0, 2) == [0, 1, 2, 3]
    assert parse_vary("text_head_bytes=100:200", CAR).candidates([], None, 4) == [100, 125, 175, 200]
    middle = make_policy("middle")
    assert parse_vary("ratio=0:0.3:0.1", middle).candidates([], None, 9) == [0, 0.1, 0.2, 0.3]
    assert parse_vary("lines=1:5:2", middle).candidates([], None, 9) == [1, 3, 5]


def test_settings_are_the_policy_with_those_values() -> None:
    assert setting(CAR, {"text_head_bytes": 900.0}).label == "car:text_head_bytes=900"
    assert setting(make_policy("head"), {"bytes": 900.0}).label == make_policy("head:bytes=900").label
    assert default_of(CAR, "text_head_bytes") == 400
    assert default_of(make_policy("head:lines=4"), "bytes") is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("text_head_bytes", "write name=low:high"),
        ("text_head_bytes=1:b", "write name=low:high"),
        ("text_head_bytes=1:2:3:4", "write name=low:high"),
        ("text_head_bytes=1:inf", "write name=low:high"),
        ("text_head_bytes=9:1", "must rise"),
        ("text_head_bytes=1:9:0", "must rise"),
        ("text_head_bytes=1:1000000:1", "larger step"),
        ("text_head=1:9", "no number called 'text_head'; there are: min_bytes, text_head_bytes"),
        ("parse=1:9", "no number called 'parse'"),
        ("text_head_bytes=0.5:9", "whole number"),
    ],
)
def test_mistakes_are_said(text: str, says: str) -> None:
    with pytest.raises(HarnessError, match=says):
        parse_vary(text, CAR)


def test_nothing_and_the_same_twice() -> None:
    with pytest.raises(HarnessError, match="nothing to tune"):
        parse_all([], make_policy("auto"))
    assert parse_all([], CAR) == []
    with pytest.raises(HarnessError, match="given twice"):
        parse_all(["seq_head=1:2", "seq_head=1:3"], CAR)
