from __future__ import annotations

import json

import pytest

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.recoveries import Ways
from harness.policies.rendering import Reach, Rendering
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tests.evidence.planted import answer, calls, result, transcript, with_atom

VALUE = with_atom("ITEM-01000", 1000, 2000)


def recording(tool: str, *between: Message, arguments: str = "{}", format: str = "test") -> Transcript:
    """A call of a tool, its result, other messages, and an answer that takes from the result."""
    first = Message("assistant", calls=(ToolCall(tool, arguments),))
    held = Message("tool", result=ToolResult(VALUE, tool, call=(0, 0)))
    return Transcript("t", format, (first, held, *between, answer("ITEM-01000")))


def way(run: Transcript, reach: Reach = "none") -> str:
    ways = Ways(EvidenceRun(find_borne(run)))
    (need,) = ways.needs(len(run.requests()) - 1, {i: Rendering("cut", 2000, reach, "r1") for i in run.results()})
    return need.way


def test_a_call_that_can_be_narrowed_is_made_again_whatever_the_policy() -> None:
    assert way(recording("Read")) == "rerun"
    assert way(recording("Read"), "rerun") == "rerun"
    assert way(recording("Read"), "handle-arg") == "rerun"
    assert way(recording("WebFetch"), "rerun") == "none"
    assert way(recording("no such tool"), "rerun") == "none"


@pytest.mark.parametrize(("command", "expected"), [("view", "rerun"), ("str_replace", "none")])
def test_it_is_this_call_that_must_be_one_that_can_be_narrowed(command: str, expected: str) -> None:
    run = recording("str_replace_editor", arguments=json.dumps({"command": command}), format="openhands-v0")
    assert way(run) == expected


@pytest.mark.parametrize(("tool", "expected"), [("Grep", "rerun"), ("Bash", "none"), ("no such tool", "none")])
def test_no_call_that_may_write_lies_between(tool: str, expected: str) -> None:
    other = Message("tool", result=ToolResult("ok", tool, call=(2, 0)))
    assert way(recording("Read", calls({}, name=tool), other)) == expected


def test_a_file_is_read_by_a_tool_that_the_agent_has() -> None:
    assert way(recording("Bash"), "file") == "read"
    assert way(recording("WebFetch"), "file") == "none"
    assert way(recording("no such tool"), "file") == "unknown"
    assert way(recording("WebFetch"), "handle-read") == "read"


def test_what_a_reference_can_stand_for_needs_no_call_whatever_the_handle_is_for() -> None:
    value = '{"id": "ITEM-01000", "note": "with ITEM-02000 in it"}'
    run = transcript(calls("a"), result(value, is_json=True), calls({"id": "ITEM-01000", "q": "x ITEM-02000"}))
    ways = Ways(EvidenceRun(find_borne(run)))
    for reach, other in (("handle-arg", "none"), ("handle-read", "read")):
        view = Rendering("r1 {id, note}", 40, reach, "r1")  # type: ignore[arg-type]
        assert [need.way for need in ways.needs(1, {1: view})] == ["reference", other]


def test_what_is_visible_needs_none() -> None:
    ways = Ways(EvidenceRun(find_borne(recording("Read"))))
    assert ways.needs(1, {1: Rendering(VALUE)}) == []
    assert ways.needs(0, {1: Rendering("cut", 2000)}) == []


def test_of_several_results_the_cheapest_way_counts_and_the_first_names_the_pair() -> None:
    run = transcript(calls("a"), result(VALUE), calls("b"), result(VALUE), answer("ITEM-01000"))
    ways = Ways(EvidenceRun(find_borne(run)))
    (need,) = ways.needs(2, {1: Rendering("cut", 2000), 3: Rendering("cut", 2000, "handle-read", "r2")})
    assert (need.way, need.source, need.pair) == ("read", 3, 1)


def test_places_are_in_bytes() -> None:
    run = transcript(calls("a"), result("é" * 1000 + VALUE), answer("ITEM-01000"))
    (need,) = Ways(EvidenceRun(find_borne(run))).needs(1, {1: Rendering("cut", 9)})
    assert need.spans == ((3000, 3010),)
