"""ATIF trajectories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Transcript, Usage


def step(source: str, message: Any = "", **more: Any) -> dict[str, Any]:
    return {"source": source, "message": message, "timestamp": "2026-01-01T00:00:00Z", **more}


def call(name: str, arguments: Any = None) -> dict[str, Any]:
    return {
        "tool_call_id": name,
        "function_name": "read",
        "arguments": {"path": "Ω"} if arguments is None else arguments,
    }


def observed(*results: dict[str, Any]) -> dict[str, Any]:
    return {"results": list(results)}


def result(name: str | None, content: Any = None, raw: Any = None) -> dict[str, Any]:
    found = {"content": content} | ({"source_call_id": name} if name else {})
    return found | ({"extra": {"tool_result_metadata": {"raw_tool_result": raw}}} if raw is not None else {})


INFLATED = 'one\n\n[stdout]\none\n[metadata] {"stdout": "one"}'
STEPS = [
    step("system", "You code."),
    step("user", [{"type": "text", "text": "Look."}, {"type": "image", "source": {}}]),
    step("agent", "Told before.", is_copied_context=True),
    step(
        "agent",
        "I look.",
        reasoning_content="Hm.",
        model_name="m-2",
        tool_calls=[call("c1"), call("c2"), call("c3"), call("c4", "raw")],
        observation=observed(
            result(
                "c2", INFLATED, {"type": "tool_result", "content": [{"type": "text", "text": "two"}], "is_error": True}
            ),
            result("c1", INFLATED, {"type": "tool_result", "content": "one"}),
            result("c3", INFLATED),
            result("c4"),
        ),
        metrics={"prompt_tokens": 500, "completion_tokens": 20, "cached_tokens": 128},
        extra={"tool_call_details": {"c1": {"raw_arguments": '{"path": "Ω"}'}}},
        llm_call_count=1,
    ),
    step("agent", "By rule.", llm_call_count=0),
    step(
        "agent",
        "Two at once.",
        tool_calls=[call("c5"), call("c6")],
        observation=observed(result(None, "of both")),
        llm_call_count=2,
    ),
]
DEFINITIONS = [{"type": "function", "function": {"name": "read"}}]
TRAJECTORY: dict[str, Any] = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s1",
    "agent": {"name": "a", "model_name": "m-1", "tool_definitions": DEFINITIONS, "extra": {"cwd": "/w"}},
    "steps": STEPS,
    "subagent_trajectories": [
        {
            "trajectory_id": "sub-1",
            "agent": {"model_name": "m-3"},
            "steps": [step("user", "Search."), step("agent", "Found.")],
        }
    ],
}
SAMPLES = {"trajectory.json": json.dumps(TRAJECTORY).encode()}


def main_and_sub() -> list[Transcript]:
    transcripts, intake = read("trajectory.json", SAMPLES["trajectory.json"])
    assert intake.problems == []
    assert [t.format for t in transcripts] == ["atif", "atif"]
    return transcripts


def test_a_trajectory() -> None:
    run, sub = main_and_sub()
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        *("system", "user", "assistant", "assistant", "tool", "tool", "tool", "tool", "assistant", "assistant", "tool")
    ]
    assert (run.messages[1].text, run.messages[1].images) == ("Look.", 1)
    answer = run.messages[3]
    assert (answer.text, answer.reasoning, answer.model, answer.usage) == (
        "I look.",
        "Hm.",
        "m-2",
        Usage(500, 128, None, 20),
    )
    assert answer.calls == (
        ToolCall("read", '{"path": "Ω"}', "c1"),
        ToolCall("read", '{"path":"Ω"}', "c2"),
        ToolCall("read", '{"path":"Ω"}', "c3"),
        ToolCall("read", "raw", "c4"),
    )
    assert [run.messages[i].text for i in run.requests()] == ["I look.", "Two at once."]
    assert (run.cluster, run.model) == ("/w", "m-2")
    assert run.tools == ('{"type":"function","function":{"name":"read"}}',)
    assert (sub.id, sub.parent, sub.model) == ("trajectory.json#sub-1", "trajectory.json", "m-3")


def test_the_original_block_is_read_where_it_was_kept() -> None:
    run, _ = main_and_sub()
    results = [m.result for m in run.messages if m.result]
    assert [(r.content, r.call, r.is_error) for r in results] == [
        ("two", (3, 1), True),
        ("one", (3, 0), None),
        (INFLATED, (3, 2), None),
        ("", (3, 3), None),
        ("of both", (9, 0), None),
    ]
    assert run.notes == (
        "1 results hold what the converter added to them (stdout, metadata); their original is not kept",
        "1 results without content",
        "1 steps that hold several requests",
    )


def test_the_twin_of_a_codex_session_has_its_results(corpora: Path) -> None:
    sizes = []
    for folder in ("codex", "atif-derived"):
        (found,) = read_transcripts([corpora / folder], Intake())
        sizes.append(sum(len(m.result.content.encode()) for m in found.messages if m.result))
        assert len(found.requests()) == 66
    native, twin = sizes
    # The converter unwraps the JSON strings that three apply_patch results were sent as: 195 bytes of 340,820.
    assert native == 340_820
    assert twin == 340_625


def test_a_trajectory_without_steps_is_skipped_with_a_sentence() -> None:
    data = json.dumps({**TRAJECTORY, "steps": [], "subagent_trajectories": []}).encode()
    assert read("t.json", data)[1].skipped == [("t.json", "a trajectory without steps")]


def test_broken_steps_are_named_and_passed_over() -> None:
    steps = [step("narrator"), 7, step("agent", "Well.", tool_calls=[7], observation={"results": 5})]
    (run, _), _ = read("t.json", json.dumps({**TRAJECTORY, "steps": steps}).encode())
    assert [(p.place, p.reason) for p in run.problems] == [
        ("t.json: steps[0]", "unknown source 'narrator'"),
        ("t.json: steps[1]", "a number where an object belongs"),
        ("t.json: steps[2].tool_calls[0]", "a number where an object belongs"),
        ("t.json: steps[2].observation", "results is a number, not an array"),
    ]


def test_mutants_are_read_or_refused_by_name() -> None:
    survive("atif", "trajectory.json", SAMPLES["trajectory.json"], 200)


@pytest.mark.slow
def test_many_mutants_are_read_or_refused_by_name() -> None:
    survive("atif", "trajectory.json", SAMPLES["trajectory.json"], 2000, seed=2)
