"""Handles in a recording of CAR: previews and their sizes, references told right from wrong, the price without."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.evidence.handles import uses
from harness.formats.assembly import Assembly
from harness.preview import reference_hint, render_preview
from harness.preview.recorded import recorded_preview
from harness.replay.measure import Rows, measure
from harness.replay.settings import ReplaySettings
from harness.show.inspect import describe
from harness.transcript import Message, ToolCall, Transcript

BIG = "line of a log with words 12345\n" * 400
FILE = {"path": "./a.txt", "content": BIG, "rows": [1, 2, 3]}


def shown(handle: str, value: Any) -> str:
    return render_preview(handle, value) + reference_hint(handle)


def recording(
    *arguments: dict[str, Any], values: tuple[Any, ...] = (BIG, FILE, [{"id": n} for n in range(9)], 42)
) -> Transcript:
    """All values under handles, then a call with each of the arguments."""
    assembly = Assembly("car")
    assembly.add(Message("user", "go"))
    for number, value in enumerate(values, 1):
        assembly.add(Message("assistant", calls=(ToolCall("fetch", "{}", f"f{number}"),)))
        assembly.answer(shown(f"r{number}", value), call_id=f"f{number}")
    for number, given in enumerate(arguments):
        assembly.add(Message("assistant", calls=(ToolCall("save", json.dumps(given), f"s{number}"),)))
        assembly.answer("ok", call_id=f"s{number}")
    assembly.add(Message("assistant", "done"))
    return assembly.transcript("car", "test")


def row(transcript: Transcript) -> dict[str, Any]:
    rows: Rows = measure(transcript, ReplaySettings((), policies=("car",), prices="gpt-5.4").measures())
    return {
        name: values[0] for name, values in (rows.shared["transcripts"] | rows.policies["car"]["transcripts"]).items()
    }


@pytest.mark.parametrize(
    ("value", "size", "exact", "whole"),
    [
        (BIG, round(12.1 * 1024), False, False),
        ("short", 5, True, True),
        (FILE, len(json.dumps(FILE, separators=(",", ":"))), True, False),
        ({"id": 1, "ok": True}, 18, True, True),
        ({f"k{n}": n for n in range(30)}, None, True, False),
        ([1, 2, 3], None, False, True),
        (list(range(99)), None, False, False),
        ([{"a": 1, "b": 2, "c": 3}], None, False, False),
        (42, 2, True, True),
        (None, 4, True, True),
    ],
)
def test_a_preview_states_the_size_and_whether_all_is_shown(
    value: Any, size: int | None, exact: bool, whole: bool
) -> None:
    seen = recorded_preview(shown("r7", value))
    assert seen is not None
    assert (seen.handle, seen.whole, seen.exact) == ("r7", whole, exact)
    if size is not None or not exact:
        assert seen.size == size
    else:
        assert seen.size == len(json.dumps(value, separators=(",", ":")))


@pytest.mark.parametrize("text", ["", "r1 = 5", "x\n" + shown("r1", BIG), shown("r1", BIG) + "\nmore", "retry later"])
def test_other_text_is_no_preview(text: str) -> None:
    assert recorded_preview(text) is None


@pytest.mark.parametrize(
    ("argument", "fate"),
    [
        ("$r1", "right"),
        ("$r2.content", "right"),
        ("$r2.rows", "right"),
        ("$r3.4", "right"),
        ("$r2.rows.0", "untold"),
        ("$r3.1.id", "untold"),
        ("$r2.text", "wrong"),
        ("$r3.9", "wrong"),
        ("$r1.0", "wrong"),
        ("r1", "wrong"),
        ("${r1}", "wrong"),
        ("see $r1 for all", "wrong"),
        ("$r9", "invented"),
        ("the r1 model", None),
    ],
)
def test_a_reference_is_right_untold_wrong_or_invented(argument: str, fate: str | None) -> None:
    found = uses(recording({"to": ["x", {"body": argument}]}))
    assert [use.fate for use in found] == ([fate] if fate else [])


def test_a_handle_is_known_from_its_result_on() -> None:
    assembly = Assembly("car")
    for number, argument in enumerate(("$r1", "$r1")):
        assembly.add(Message("assistant", calls=(ToolCall("save", json.dumps({"a": argument}), f"s{number}"),)))
        assembly.answer(shown("r1", BIG), call_id=f"s{number}")
    assert [use.fate for use in uses(assembly.transcript("car", "test"))] == ["invented", "right"]


def test_car_over_its_own_recording_changes_nothing_and_prices_it_without_handles() -> None:
    found = row(recording({"body": "$r1"}, {"body": "$r2.content"}, {"body": "$r8"}))
    assert (found["changed_results"], found["elided_bytes"]) == (0, 0)
    assert found["not_identified_results"] == found["handles_partly_shown"] == 3
    assert (found["handles_given"], found["references_right"], found["references_invented"]) == (4, 2, 1)
    assert found["handles_size_not_stated"] == 1
    assert found["stated_bytes"] == round(12.1 * 1024) + len(json.dumps(FILE, separators=(",", ":")))
    assert 2 * 2_000 < found["written_out_tokens"] < 2 * 8_000
    assert found["whole_values_tokens"] > 5 * found["written_out_tokens"] / 2
    assert found["written_out_cost"] > found["written_out_tokens"] * 15 / 1e6
    assert found["whole_values_cost"] > 0


def test_nothing_is_priced_where_nothing_was_passed_on() -> None:
    found = row(recording(values=(42,)))
    assert (found["handles_given"], found["handles_partly_shown"]) == (1, 0)
    assert (found["written_out_tokens"], found["written_out_cost"], found["whole_values_tokens"]) == (0, 0, 0)


def test_inspect_says_what_there_is_of_handles() -> None:
    facts = describe(recording({"body": "$r1"}, {"body": "$r8"}))
    assert facts["already_clipped"] == 3
    assert facts["handles"]["given"] == 4
    assert (facts["handles"]["right"], facts["handles"]["invented"]) == (1, 1)
    assert describe(recording(values=()))["handles"] is None
