"""OpenCode's events, printed by a run and sent by its server."""

from __future__ import annotations

import json
from typing import Any

from harness.testing.formats import read
from harness.transcript import Usage


def part(own: str, message: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": own, "messageID": message, "sessionID": "ses_1", "type": kind, **fields}


def printed(event: str, **fields: Any) -> dict[str, Any]:
    return {"type": event, "timestamp": 1_767_036_059_338, "sessionID": "ses_1", "part": part(**fields)}


TOKENS = {"input": 100, "output": 20, "reasoning": 5, "cache": {"read": 400, "write": 0}}
STATE = {"status": "completed", "input": {"command": "ls"}, "output": "a.txt\n", "metadata": {"exit": 0}}
RUN = [
    printed("step_start", own="p1", message="m1", kind="step-start"),
    printed("tool_use", own="p2", message="m1", kind="tool", tool="bash", callID="c1", state=STATE),
    printed("step_finish", own="p3", message="m1", kind="step-finish", reason="tool-calls", tokens=TOKENS),
    printed("step_start", own="p4", message="m2", kind="step-start"),
    printed("text", own="p5", message="m2", kind="text", text="One file."),
    printed("step_finish", own="p6", message="m2", kind="step-finish", reason="stop", tokens=TOKENS),
    {"type": "error", "timestamp": 1, "sessionID": "ses_1", "error": {"name": "x"}},
]
SERVED = [
    {"type": "server.connected", "properties": {}},
    {"type": "message.updated", "properties": {"info": {"id": "m0", "sessionID": "ses_1", "role": "user"}}},
    {"type": "message.part.updated", "properties": {"part": part("q", "m0", "text", text="List.")}},
    {"type": "message.updated", "properties": {"info": {"id": "m1", "sessionID": "ses_1", "role": "assistant"}}},
    {"type": "message.part.updated", "properties": {"part": part("p", "m1", "text", text="On")}},
    {"type": "message.part.updated", "properties": {"part": part("p", "m1", "text", text="One file.")}},
]
SAMPLES = {"run.jsonl": "\n".join(map(json.dumps, RUN)), "events.jsonl": "\n".join(map(json.dumps, SERVED))}


def test_printed_events_are_answers_with_calls_results_and_usage() -> None:
    (transcript,), intake = read("run.jsonl", SAMPLES["run.jsonl"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["assistant", "tool", "assistant"]
    assert transcript.messages[0].usage == Usage(500, 400, 0, 25)
    result = transcript.messages[1].result
    assert result is not None
    assert (result.content, result.name, result.exit_code) == ("a.txt\n", "bash", 0)
    assert transcript.messages[2].text == "One file."


def test_of_a_part_that_grew_the_last_counts() -> None:
    (transcript,), _ = read("events.jsonl", SAMPLES["events.jsonl"].encode())
    assert [(m.role, m.text) for m in transcript.messages] == [("user", "List."), ("assistant", "One file.")]
