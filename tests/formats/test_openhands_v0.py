from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Cut, ToolCall, Transcript, Usage

TIME = "2025-04-30T16:32:54.500000"


def event(number: int, **more: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": TIME, "source": "agent", "message": "", **more}


def metadata(response: str, call_id: str, *calls: tuple[str, str, str], text: str = "") -> dict[str, Any]:
    tool_calls = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    return {
        "function_name": calls[0][1],
        "tool_call_id": call_id,
        "model_response": {
            "id": response,
            "model": "m-1",
            "choices": [{"message": {"role": "assistant", "content": text, "tool_calls": tool_calls}}],
            "usage": {"prompt_tokens": 500, "completion_tokens": 20},
        },
    }


LIST = ("same", "execute_bash", '{"command":"ls"}')
READ = ("t2", "str_replace_editor", '{"command":"view","path":"a"}')
FIRST = metadata("r1", "same", LIST, READ, text="Two things.")
SECOND = metadata("r2", "same", LIST, text="Again.")
HISTORY = [
    event(0, action="system", args={"content": "You help.", "tools": [{"type": "function"}]}),
    event(1, action="message", source="user", args={"content": "Fix it.", "image_urls": ["data:x"]}),
    event(2, action="recall", source="user", args={"query": "x"}),
    event(3, observation="recall", cause=2, content="context", extras={}),
    event(4, action="run", args={"command": "ls", "thought": "Two things."}, tool_call_metadata=FIRST),
    event(5, observation="run", cause=4, content="a\nb", extras={"metadata": {"exit_code": 0}},
          tool_call_metadata=FIRST),
    event(6, action="read", args={"path": "a"}, tool_call_metadata={**FIRST, "tool_call_id": "t2"}),
    event(7, observation="read", cause=6, content="1\tx", extras={},
          tool_call_metadata={**FIRST, "tool_call_id": "t2"}),
    event(8, observation="error", content="Parameter 'command' is wrong.", extras={}),
    event(9, action="run", args={"command": "ls"}, tool_call_metadata=SECOND),
    event(10, observation="run", cause=9, content="c", extras={"metadata": {"exit_code": 2}},
          tool_call_metadata=SECOND),
    event(11, action="condensation",
          args={"forgotten_event_ids": [4, 5, 6, 7], "summary": "Looked.", "summary_offset": 2}),
    event(12, action="message", args={"content": "Done.", "wait_for_response": True}),
    event(13, observation="agent_state_changed", content="", extras={}),
]  # fmt: skip
RUN = {
    "instance_id": "ponylang__ponyc-4595",
    "instance": {"repo": "ponylang/ponyc"},
    "metadata": {"llm_config": {"model": "openai/m-1"}},
    "test_result": {"git_patch": ""},
    "history": HISTORY,
}
FLAT = [
    [{"action": "run", "command": "ls", "thought": "Look."}, {"observation": "run", "content": "a", "exit_code": 0}],
    [{"action": "finish", "thought": "Done."}, {"observation": "null", "content": ""}],
]
LINES = json.dumps(RUN).encode() + b"\n" + json.dumps({**RUN, "history": FLAT}).encode() + b"\n"
SAMPLES = {"output.jsonl": LINES, "trajectory.json": json.dumps(HISTORY).encode()}


def first() -> Transcript:
    runs, intake = read("output.jsonl", LINES)
    assert intake.problems == []
    assert runs[0].problems == ()
    return runs[0]


def test_the_actions_of_one_response_are_one_answer() -> None:
    run = first()
    assert (run.id, run.cluster, run.model) == ("output.jsonl#ponylang__ponyc-4595", "ponylang/ponyc", "openai/m-1")
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "tool", "user", "assistant", "tool", "user", "assistant",
    ]  # fmt: skip
    answer = run.messages[2]
    assert answer.text == "Two things."
    assert [c.name for c in answer.calls] == ["execute_bash", "str_replace_editor"]
    assert (answer.usage, answer.message_id) == (Usage(500, None, None, 20), "r1")
    assert run.messages[1].images == 1
    assert run.tools == ('{"type":"function"}',)


def test_observations_are_linked_by_their_action() -> None:
    results = [m.result for m in first().messages if m.result]
    assert [(r.content, r.name, r.call, r.exit_code) for r in results] == [
        ("a\nb", "execute_bash", (2, 0), 0),
        ("1\tx", "str_replace_editor", (2, 1), None),
        ("c", "execute_bash", (6, 0), 2),
    ]


def test_an_error_without_an_action_is_what_the_user_said() -> None:
    run = first()
    assert run.messages[5].text == "Parameter 'command' is wrong."
    assert run.notes == ("1 refused answers are not in the recording",)


def test_a_condensation_rebuilds_the_prompt() -> None:
    run = first()
    assert run.messages[8].text == "Looked."
    assert run.cuts == (Cut(9, (0, 1, 8, 5, 6, 7), "compacted"),)
    assert [list(shown) for _, shown in run.prompts()][-1] == [0, 1, 8, 5, 6, 7]


def test_a_range_of_forgotten_events() -> None:
    condensation = event(
        11, action="condensation", args={"forgotten_events_start_id": 4, "forgotten_events_end_id": 10**12}
    )
    (run,), _ = read("t.json", json.dumps([*HISTORY[:11], condensation, HISTORY[12]]).encode())
    assert run.cuts == (Cut(8, (0, 1), "compacted"),)


def test_pairs_of_flat_events() -> None:
    runs, _ = read("output.jsonl", LINES)
    run = runs[1]
    assert run.id == "output.jsonl#ponylang__ponyc-4595.2"
    assert run.messages[0].calls == (ToolCall("run", '{"command":"ls"}'),)
    assert [(r.content, r.call) for m in run.messages if (r := m.result)] == [("a", (0, 0))]
    assert run.messages[-1].text == "Done."


def test_a_list_of_events_and_runs_without_events() -> None:
    (run,), intake = read("trajectory.json", SAMPLES["trajectory.json"])
    assert (run.id, run.format, len(run.messages)) == ("trajectory.json", "openhands-v0", 10)
    runs, intake = read("output.jsonl", json.dumps({**RUN, "history": []}).encode())
    assert runs == []
    assert intake.skipped == [("output.jsonl", "1 runs without their events: only the patches were kept")]


def test_patches_only_are_named_and_skipped() -> None:
    patch = {"instance_id": "a__b-1", "model_patch": "diff", "model_name_or_path": "m"}
    runs, intake = read("preds.json", json.dumps([patch]).encode())
    assert runs == []
    assert intake.problems == []
    assert intake.skipped == [("preds.json", "patches only: the runs that made them are not in this file")]


def test_the_recorded_runs(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    name = "openhands-v0/multi_swe_bench-example-output.jsonl"
    runs = list(read_transcripts([corpora / name], Intake()))
    results = [m.result for r in runs for m in r.messages if m.result]
    # The rough reader counts two errors for results. They answer responses that were refused and are in no event.
    errors = 2 * len(
        "Parameter 'command' is expected to be one of ['view', 'create', 'str_replace', 'insert', 'undo_edit']."
    )
    assert len(runs) == expected[name]["units"]
    assert sum(len(m.calls) for r in runs for m in r.messages) == expected[name]["calls"]
    assert len(results) == expected[name]["results"] - 2
    assert sum(len(r.content.encode()) for r in results) == expected[name]["total"] - errors
    assert all(r.call is not None for r in results)
    assert [p for r in runs for p in r.problems] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("openhands-v0", name, SAMPLES[name], 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("openhands-v0", name, SAMPLES[name], 2000, seed=2)
