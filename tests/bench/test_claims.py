"""Claims that the clock or the system contradict are marked, those they do not are left alone."""

from __future__ import annotations

import json

import pytest

from harness.bench.claims import Claims, claims, contradicted_by_clock, contradicted_by_system
from harness.engines.envelope import parse_completion
from harness.engines.turn import Answer

TRUE = Answer(b"", seconds=1.0, first_seconds=0.2, prompt_tokens=100, output_tokens=81)


def test_what_is_not_reported_stays_absent() -> None:
    assert claims(parse_completion('{"type":"call"}')) == Claims()
    said = {"type": "call", "prefill_tps": 500.5, "decode_tps": 0, "peak_ram_mb": 90.9, "decode_tokens": "many"}
    assert claims(parse_completion(json.dumps(said))) == Claims(prefill=500.5, decode=0.0, memory=90.9)


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (Claims(decode=100.0, prefill=520.0, first=0.2, seconds=1.0), []),
        (Claims(decode=108.0), []),
        (Claims(decode=1000.0), ["decode"]),
        (Claims(decode=50.0), ["decode"]),
        (Claims(prefill=5000.0), ["prefill"]),
        (Claims(prefill=200.0), ["prefill"]),
        (Claims(first=0.1), ["first"]),
        (Claims(seconds=0.4), ["seconds"]),
        (Claims(decode=0.0, prefill=0.0), []),
    ],
)
def test_against_a_clock_that_saw_the_first_token(claim: Claims, found: list[str]) -> None:
    assert contradicted_by_clock(claim, TRUE) == found


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (Claims(decode=1000.0, prefill=5000.0, first=0.1), []),
        (Claims(decode=50.0), ["decode"]),
        (Claims(prefill=50.0), ["prefill"]),
        (Claims(first=1.5), ["first"]),
    ],
)
def test_a_clock_that_saw_only_the_whole_turn_contradicts_what_does_not_fit(claim: Claims, found: list[str]) -> None:
    assert contradicted_by_clock(claim, Answer(b"", 1.0, None, 100, 81)) == found


def test_tokens_may_be_the_engines_own_count() -> None:
    assert contradicted_by_clock(Claims(decode=10.0, output_tokens=100), Answer(b"", 1.0)) == ["decode"]
    assert contradicted_by_clock(Claims(decode=10.0), Answer(b"", 1.0)) == []
    assert contradicted_by_clock(Claims(decode=10.0, output_tokens=100), Answer(b"")) == []


@pytest.mark.parametrize(
    ("memory", "found"),
    [(None, []), (100.0, []), (125.0, []), (140.0, ["memory"]), (80.0, []), (60.0, ["memory"])],
)
def test_against_the_system(memory: float | None, found: list[str]) -> None:
    assert contradicted_by_system(memory, 120_000_000, 80_000_000) == found
    assert contradicted_by_system(memory, None, None) == []
