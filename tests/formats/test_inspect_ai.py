from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import broken_values, check_one, check_sound, read, survive
from harness.transcript import ToolCall, Transcript, Usage

HASH = "0123456789abcdef0123456789abcdef"
SYSTEM = {"role": "system", "content": "You play."}
TASK = {"role": "user", "content": f"attachment://{HASH}", "source": "input"}
CALLS = {
    "role": "assistant",
    "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Look."}],
    "tool_calls": [{"id": "c1", "function": "bash", "arguments": {"cmd": f"attachment://{HASH}"}, "type": "function"}],
}
SEEN = {
    "role": "tool",
    "tool_call_id": "c1",
    "function": "bash",
    "content": [{"type": "text", "text": "x.py"}, {"type": "image"}],
}
FAILS = {"role": "assistant", "content": "", "tool_calls": [{"id": "c2", "function": "bash", "arguments": {}}]}
FAILED = {
    "role": "tool",
    "tool_call_id": "c2",
    "function": "bash",
    "content": "",
    "error": {"type": "timeout", "message": "Too slow."},
}
DONE = {"role": "assistant", "content": "Done."}
TOOL = {"name": "bash", "parameters": {"type": "object"}}


def model(prompt: list[dict[str, Any]], answer: dict[str, Any], tokens: int, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": tokens, "output_tokens": 5, "total_tokens": tokens + 25, "input_tokens_cache_read": 20}
    return {
        "event": "model",
        "timestamp": "2025-03-05T13:36:57-08:00",
        "model": "openai/gpt",
        "input": prompt,
        "tools": [TOOL],
        "output": {"model": "gpt", "choices": [{"message": answer}], "usage": usage, "time": 2.5},
        **more,
    }


EVENTS = [
    model([SYSTEM, TASK], CALLS, 100),
    model([{"role": "user", "content": "Sub-agent."}], DONE, 30),
    {"event": "tool", "function": "bash", "result": "x.py"},
    model([SYSTEM, TASK, CALLS, SEEN], FAILS, 200),
    model([SYSTEM, TASK, CALLS, SEEN, FAILS, FAILED], DONE, 300),
    {"event": "step", "type": "scorer", "action": "begin", "name": "judge"},
    model([{"role": "user", "content": "Is it good?"}], DONE, 50),
    {"event": "step", "type": "scorer", "action": "end", "name": "judge"},
    {"event": "span_begin", "id": "s1", "type": "scorers"},
    {"event": "span_begin", "id": "s2", "type": "other", "parent_id": "s1"},
    model([{"role": "user", "content": "And this?"}], DONE, 50, span_id="s2"),
    model([{"role": "user", "content": "And that?"}], DONE, 50, role="grader"),
]
MESSAGES = [SYSTEM, TASK, CALLS, SEEN, FAILS, FAILED, DONE, {"role": "user", "content": "Go on."}]
WHOLE = {"id": 7, "epoch": 2, "messages": MESSAGES, "events": EVENTS, "attachments": {HASH: "Find the flag."}}
POOLED = {
    **WHOLE,
    "id": "p",
    "events": [
        {**model([], CALLS, 100), "input_refs": [[0, 2]]},
        {**model([], FAILS, 200), "input_refs": [[0, 3], [4, 5]]},
    ],
    "events_data": {"messages": [SYSTEM, TASK, CALLS, DONE, SEEN], "calls": []},
    "messages": MESSAGES[:6],
}
LOG = {"version": 2, "status": "success", "eval": {"task": "ctf"}, "plan": {}}


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_journal/start.json", json.dumps({"version": 2, "eval": {"task": "ctf"}}))
        file.writestr("samples/7_epoch_2.json", json.dumps(WHOLE))
        file.writestr("samples/p_epoch_2.json", json.dumps(POOLED))
        file.writestr("summaries.json", "[]")
        file.writestr("header.json", json.dumps(LOG))
    return buffer.getvalue()


MESSAGES_ONLY = {**WHOLE, "events": [], "id": 8}
SAMPLES = {"log.eval": archive(), "log.json": json.dumps({**LOG, "samples": [WHOLE, POOLED, MESSAGES_ONLY]}).encode()}


def runs(name: str) -> dict[str, Transcript]:
    found, intake = read(name, SAMPLES[name])
    assert intake.problems == []
    assert {run.format for run in found} == {"inspect-ai"}
    return {run.id.removeprefix(f"{name}#"): run for run in found}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_requests_of_agents_are_conversations_and_those_of_graders_are_none(name: str) -> None:
    found = runs(name)
    assert list(found)[:3] == ["7-epoch-2", "7-epoch-2/1", "p-epoch-2"]
    assert [found[i].parent for i in ("7-epoch-2", "7-epoch-2/1")] == [None, f"{name}#7-epoch-2"]
    assert [len(found[i].requests()) for i in ("7-epoch-2", "7-epoch-2/1")] == [3, 1]
    assert {run.cluster for run in found.values()} >= {"ctf 7", "ctf p"}


def test_a_sample_with_events() -> None:
    run = runs("log.eval")["7-epoch-2"]
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    assert run.messages[1].text == "Find the flag."
    answer = run.messages[2]
    assert (answer.text, answer.reasoning) == ("Look.", "hm")
    assert answer.calls == (ToolCall("bash", '{"cmd":"Find the flag."}', "c1"),)
    assert answer.usage == Usage(120, 20, None, 5)
    assert answer.time is not None
    assert answer.started is not None
    assert answer.time - answer.started == 2.5
    assert [(r.content, r.name, r.call, r.is_error) for m in run.messages if (r := m.result)] == [
        ("x.py", "bash", (2, 0), None),
        ("Too slow.", "bash", (4, 0), True),
    ]
    assert run.messages[3].images == 1
    assert run.messages[7].text == "Go on."
    assert run.tools == (json.dumps(TOOL, separators=(",", ":")),)
    assert run.cuts == ()


def test_prompts_that_point_into_a_pool() -> None:
    run = runs("log.eval")["p-epoch-2"]
    assert [list(shown) for _, shown in run.prompts()] == [[0, 1], [0, 1, 2, 3]]
    assert [r.content for m in run.messages if (r := m.result)] == ["x.py", "Too slow."]


def test_messages_alone_are_a_conversation_without_usage() -> None:
    run = runs("log.json")["8-epoch-2"]
    assert len(run.messages) == 8
    assert len(run.requests()) == 3
    assert {"usage", "time"} <= set(run.unknown)


@pytest.mark.parametrize("refs", [[[0, 10**9]], [[-1, 2]], ["x"], [[0, 5]] * 50])
def test_references_out_of_the_pool_are_problems(refs: list[Any]) -> None:
    broken = {**POOLED, "events": [{**POOLED["events"][0], "input_refs": refs}]}
    found, _ = read("log.json", json.dumps({**LOG, "samples": [broken]}).encode())
    assert any("pool" in p.reason for run in found for p in run.problems)


def test_a_broken_member_costs_itself_only() -> None:
    buffer = io.BytesIO(SAMPLES["log.eval"])
    with zipfile.ZipFile(buffer, "a") as file:
        file.writestr("samples/a_epoch_1.json", "{")
        file.writestr("samples/b_epoch_1.json", "[]")
    found, intake = read("log.eval", buffer.getvalue())
    assert len(found) == 3
    assert [p.place for p in intake.problems] == [
        "log.eval: samples/a_epoch_1.json",
        "log.eval: samples/b_epoch_1.json",
    ]


def test_the_recorded_logs(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    figures = expected["inspect/docent-sample-log.eval"]
    found = list(read_transcripts([corpora / "inspect" / "docent-sample-log.eval"], Intake()))
    results = [m.result for run in found for m in run.messages if m.result]
    assert len(found) == figures["units"]
    assert sum(len(m.calls) for run in found for m in run.messages) == figures["calls"]
    assert len(results) == figures["results"]
    # Six results are empty and have an error, whose text the model saw; the rough reader counts the content only.
    errors = 5 * len("Command timed out before completing.") + len("Error decoding bytes to utf-8: invalid start byte")
    assert sum(len(r.content.encode()) for r in results) == figures["total"] + errors
    assert all(m.usage for run in found for m in run.messages if m.role == "assistant")
    figures = expected["inspect/inspect-log_tool_call_error.json"]
    (run,) = read_transcripts([corpora / "inspect" / "inspect-log_tool_call_error.json"], Intake())
    results = [m.result for m in run.messages if m.result]
    assert (len(results), sum(len(r.content.encode()) for r in results)) == (figures["results"], figures["total"])
    assert len(run.problems) == 11, "results of calls that are not in the file"


def test_mutants() -> None:
    survive("inspect-ai", "log.json", SAMPLES["log.json"], 150)


def test_mutated_archives() -> None:
    dice = random.Random(6)
    whole = json.dumps(WHOLE).encode()
    for number in range(80):
        if number % 2:
            broken = bytearray(SAMPLES["log.eval"])
            for _ in range(dice.randint(1, 3)):
                broken[dice.randrange(4, len(broken))] = dice.randrange(256)
            data = bytes(broken)
        else:
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as file:
                file.writestr("header.json", "{}")
                file.writestr("samples/1.json", broken_values(whole, dice))
            data = buffer.getvalue()
        found, _ = read("log.eval", data, "inspect-ai")
        for run in found:
            check_sound(run)
        check_one("inspect-ai", "log.eval", data)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("inspect-ai", "log.json", SAMPLES["log.json"], 2000, seed=2)
