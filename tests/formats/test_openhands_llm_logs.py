from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

SYSTEM = {"role": "system", "content": [{"type": "text", "text": "You help."}]}
TASK = {"role": "user", "content": [{"type": "text", "text": "Go."}]}
TOOL = {"type": "function", "function": {"name": "terminal", "parameters": {}}}


def calls(call_id: str) -> dict[str, Any]:
    function = {"name": "terminal", "arguments": '{"command":"ls"}'}
    return {
        "role": "assistant",
        "content": [],
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def result(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": "terminal", "content": [{"type": "text", "text": text}]}


def log(time: float, messages: list[dict[str, Any]], answer: dict[str, Any], tokens: int) -> dict[str, Any]:
    usage = {
        "prompt_tokens": tokens,
        "completion_tokens": 3,
        "cache_read_input_tokens": 7,
        "cache_creation_input_tokens": 1,
    }
    response = {"id": f"c-{time}", "model": "m-1", "choices": [{"message": answer}], "usage": usage}
    return {"messages": messages, "tools": [TOOL], "kwargs": {}, "response": response, "timestamp": time, "cost": 0.1}


FIRST = log(1757015046.5, [SYSTEM, TASK], calls("a"), 100)
SECOND = log(
    1757015050.5, [SYSTEM, TASK, calls("a"), result("a", "x.py")], {"role": "assistant", "content": "Done."}, 200
)
TEXTUAL = log(
    1757015046.5,
    [
        SYSTEM,
        {"role": "user", "content": "Like this:\nEXECUTION RESULT of [example]:\nno"},
        {"role": "assistant", "content": "Look.\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>"},
        {"role": "user", "content": "EXECUTION RESULT of [terminal]:\nx.py"},
    ],
    {"role": "assistant", "content": "Done."},
    150,
)
SAMPLES = {"m-1757015050.5.json": json.dumps(SECOND).encode(), "m-1757015046.5.json": json.dumps(TEXTUAL).encode()}


def test_a_directory_of_logs_is_one_conversation(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "m-1757015046.5.json").write_text(json.dumps(FIRST), encoding="utf-8")
    (folder / "m-1757015050.5.json").write_text(json.dumps(SECOND), encoding="utf-8")
    (folder / "m-1757015060.5.json").write_text("{", encoding="utf-8")
    intake = Intake()
    (run,) = read_transcripts([tmp_path], intake)
    assert [p.place for p in intake.problems] == ["logs: m-1757015060.5.json"]
    assert (run.id, run.format, run.model) == ("logs", "openhands-llm-logs", "m-1")
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert [m.usage for m in run.messages if m.usage] == [Usage(100, 7, 1, 3), Usage(200, 7, 1, 3)]
    assert [m.time for m in run.messages if m.time] == [1757015046.5, 1757015050.5]
    assert run.tools == (json.dumps(TOOL, separators=(",", ":")),)


def test_one_log_holds_its_whole_prompt() -> None:
    (run,), intake = read("m-1757015050.5.json", SAMPLES["m-1757015050.5.json"])
    assert intake.problems == []
    assert run.problems == ()
    assert len(run.requests()) == 2
    assert [(r.content, r.call) for m in run.messages if (r := m.result)] == [("x.py", (2, 0))]


def test_calls_and_results_that_are_text() -> None:
    (run,), _ = read("m-1757015046.5.json", SAMPLES["m-1757015046.5.json"])
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert run.messages[2].calls == (ToolCall("terminal", "<parameter=command>ls</parameter>"),)
    assert run.messages[2].text == "Look.\n<function=></function>"
    found = run.messages[3].result
    assert found is not None
    assert (found.content, found.name, found.call) == (
        "EXECUTION RESULT of [terminal]:\nx.py", "terminal", (2, 0),
    )  # fmt: skip


def test_the_recorded_log(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    (name,) = (n for n in expected if n.startswith("openhands-v1-llmlogs/"))
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    assert sum(len(m.calls) for m in run.messages) == expected[name]["calls"]
    assert (len(results), sum(len(r.content.encode()) for r in results)) == (
        expected[name]["results"],
        expected[name]["total"],
    )
    assert run.problems == ()


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("openhands-llm-logs", name, SAMPLES[name], 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("openhands-llm-logs", name, SAMPLES[name], 2000, seed=2)
