from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

TOOL = {"type": "function", "function": {"name": "search", "parameters": {}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q":"x"}'}}
TASK = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Go."}]
SAID = {"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [CALL]}}
GAVE = {"role": "tool", "content": "found", "tool_call_id": "c1"}
DEFINITION = {"role": "tool", "content": TOOL}


def observation(number: int, kind: str, given: Any, answer: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": f"o{number}",
        "traceId": "t",
        "type": kind,
        "name": "x",
        "startTime": f"2025-08-22T09:38:5{number}.000Z",
        "endTime": f"2025-08-22T09:38:5{number}.500Z",
        "input": given,
        "output": answer,
        **more,
    }


def generation(number: int, given: Any, answer: Any, tokens: int) -> dict[str, Any]:
    usage = {"input": tokens - 30, "output": 5, "total": tokens + 5, "input_cached_tokens": 30}
    return observation(number, "GENERATION", given, answer, model="m-1", usageDetails=usage)


OBSERVATIONS = [
    observation(0, "SPAN", json.dumps({"messages": TASK}), "x"),
    generation(
        4, json.dumps([*TASK, SAID, GAVE, DEFINITION]), json.dumps({"role": "assistant", "content": "Done."}), 200
    ),
    observation(2, "TOOL", "{'q': 'x'}", json.dumps(GAVE)),
    generation(1, json.dumps([*TASK, DEFINITION]), json.dumps(SAID), 100),
]
PARSED = [
    generation(1, {"messages": TASK, "tools": [TOOL]}, {"choices": [{"message": {**SAID, "tool_calls": [CALL]}}]}, 100),
    generation(4, [*TASK, SAID, GAVE], "Done.", 200),
]
SAMPLES = {
    "trace.json": json.dumps({"trace": {"id": "t"}, "observations": OBSERVATIONS}).encode(),
    "api.json": json.dumps({"id": "t", "name": "LangGraph", "observations": PARSED}).encode(),
    "observations.jsonl": b"\n".join(json.dumps(o).encode() for o in OBSERVATIONS) + b"\n",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_generations_of_a_trace_are_one_conversation(name: str) -> None:
    (run,), intake = read(name, SAMPLES[name])
    assert intake.problems == []
    assert run.problems == ()
    assert (run.format, run.id, run.model) == ("langfuse", name, "m-1")
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert run.messages[2].calls == (ToolCall("search", '{"q":"x"}', "c1"),)
    assert [(r.content, r.name, r.call) for m in run.messages if (r := m.result)] == [("found", "search", (2, 0))]
    assert [m.usage for m in run.messages if m.usage] == [Usage(100, 30, None, 5), Usage(200, 30, None, 5)]
    assert run.messages[4].text == "Done."
    assert run.tools == (json.dumps(TOOL, separators=(",", ":")),)
    assert run.messages[2].time is not None
    assert run.messages[2].started == run.messages[2].time - 0.5


def test_a_prompt_that_is_one_text() -> None:
    (run,), _ = read("x.json", json.dumps([generation(1, "Say hi.", {"completion": "hi"}, 100)]).encode())
    assert [(m.role, m.text) for m in run.messages] == [("user", "Say hi."), ("assistant", "hi")]


def test_generations_without_input_hold_nothing() -> None:
    runs, intake = read("x.json", json.dumps([generation(1, None, "x", 100)]).encode())
    assert runs == []
    assert intake.skipped == [("x.json", "1 generations without messages: their input was not recorded")]


def test_the_recorded_trace(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("langfuse-trace/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    figures = expected[name]
    assert (sum(len(m.calls) for m in run.messages), len(results)) == (figures["calls"], figures["results"])
    assert sum(len(r.content.encode()) for r in results) == figures["total"]
    assert all(run.messages[i].usage for i in run.requests())


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("langfuse", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("langfuse", name, SAMPLES[name], 2000, seed=2)
