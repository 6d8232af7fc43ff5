from __future__ import annotations

import pytest
from hypothesis import given

from harness.errors import HarnessError
from harness.preview import Budgets, Measured, reference_hint, render_preview

from .strategies import any_json, bounded, budgets


@bounded
@given(any_json, budgets)
def test_any_value_has_a_preview_that_is_text(value: object, given_budgets: Budgets) -> None:
    preview = render_preview("r1", value, given_budgets)
    assert preview.startswith("r1 = ")
    preview.encode("utf-8")


@bounded
@given(any_json, budgets, budgets)
def test_measuring_once_changes_nothing(value: object, one: Budgets, other: Budgets) -> None:
    measured = Measured(value)
    assert render_preview("r2", measured, one) == render_preview("r2", value, one)
    assert render_preview("r2", measured, other) == render_preview("r2", value, other)


@pytest.mark.parametrize(
    ("value", "changes", "preview"),
    [
        ("aéb", {"text_head_bytes": 2, "text_tail_bytes": 1}, 'text(len=4B, lines=1, head="a", tail="b")'),
        ("abcd", {"text_head_bytes": 0, "text_tail_bytes": 0}, 'text(len=4B, lines=1, head="", tail="")'),
        ([], {}, "array(len=0, [])"),
        ([1, 2, 3], {"seq_head": 1, "seq_tail": 1}, "array(len=3, [:1]=[1], [-1:]=[3])"),
        ([1, 2, 3], {"seq_head": 1, "seq_tail": 0}, "array(len=3, [:1]=[1], [-0:]=[])"),
        ([1, 2, 3], {"seq_head": 0, "seq_tail": 0}, "array(len=3, [:0]=[], [-0:]=[])"),
        (["abc"], {"element_bytes": 2}, 'array(len=1, ["ab…"])'),
        ([{"a": "xyz", "b": 2}], {"row_keys": 1, "row_value_bytes": 1}, "array(len=1, [{a:x…, …}])"),
        ([{"a": 1}], {"row_keys": 0}, "array(len=1, [{, …}])"),
        ([12345, True], {"element_bytes": 2}, "array(len=2, [12…, tr…])"),
        ([{"a": 12345}], {"row_value_bytes": 2}, "array(len=1, [{a:12…}])"),
        ([{"a": [1], "b": {}}], {"row_value_bytes": 2}, "array(len=1, [{a:ar…,b:{…}])"),
        ({"a": 1, "b": 2}, {"key_limit": 1, "keys_named": 0}, "json(keys=2 total, first=[, …], bytes=13)"),
        ({"a": "abc"}, {"element_bytes": 2}, "json(a: text(len=3B, lines=1), bytes=11)"),
        ({"a": 1, "b": 2}, {"key_limit": 1, "keys_named": 1}, "json(keys=2 total, first=[a, …], bytes=13)"),
        ({"a": 1, "b": 2}, {"key_limit": 1, "keys_named": 2}, "json(keys=2 total, first=[a, b, …], bytes=13)"),
        ({"a": 2**64}, {}, "json(a: 1.8446744073709552e19, bytes=27)"),
    ],
)
def test_budgets_are_parameters(value: object, changes: dict[str, int], preview: str) -> None:
    assert render_preview("r1", value, Budgets(**changes)) == f"r1 = {preview}"


def test_the_raw_text_is_cut_before_it_is_escaped() -> None:
    preview = render_preview("r1", "\0" * 700)
    head, tail = r"\0" * 400, r"\0" * 200
    assert preview == f'r1 = text(len=700B, lines=1, head="{head}", tail="{tail}")'


@pytest.mark.parametrize("bad", [-1, 1.5, "3", None])
def test_a_budget_that_is_no_count_is_refused_by_name(bad: object) -> None:
    with pytest.raises(HarnessError, match="seq_tail"):
        Budgets(seq_tail=bad)  # type: ignore[arg-type]


def test_hint() -> None:
    assert '"$r7" as a tool argument' in reference_hint("r7")
    assert reference_hint("r7").startswith("\n[")
