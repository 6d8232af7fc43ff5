"""Kimi CLI sessions: `wire.jsonl`, `{timestamp, message: {type, payload}}` a line, under `~/.kimi/sessions/`.

Source: MoonshotAI/kimi-cli@4cb7e92 `src/kimi_cli/wire/types.py`, `soul/message.py`. The wire holds what tools gave; the
text that the client makes of it for the model is made here as the client does it. The summary of a compaction is not on
the wire. Sub-agents stand inline (`SubagentEvent`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.json_text import Unreadable
from harness.formats.kimi_run import KimiRun
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

EVENTS = frozenset(
    {"TurnBegin", "TurnEnd", "StepBegin", "StepInterrupted", "ContentPart", "ToolCall", "ToolCallPart", "ToolResult"}
    | {"StatusUpdate", "SubagentEvent", "ApprovalRequest", "CompactionBegin", "CompactionEnd", "SteerInput"}
)


class Kimi:
    name = "kimi"

    def sniff(self, head: Head) -> bool:
        return head.kind == "jsonl" and any(map(_is_event, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        runs: dict[str, KimiRun] = {"": KimiRun(source.name)}
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            record = Record(value, f"{source.name}: line {number}", runs[""].assembly.problems.append)
            if value.get("type") == "metadata":
                continue
            try:
                _take(runs, record.record("message"), record.time("timestamp"), source.name)
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        kept = {name: run for name, run in runs.items() if run.holds_messages}
        if not kept:
            raise HoldsNothing("a session without messages")
        for name, run in kept.items():
            own = f"{source.name}#{name}" if name else source.name
            yield run.transcript(self.name, own, source.name if name else None)


def _take(runs: dict[str, KimiRun], message: Record, time: float | None, name: str) -> None:
    """Hand an event to its run; the events of a sub-agent's sub-agents are wrapped more than once."""
    own = ""
    for _ in range(20):
        if message.string("type") != "SubagentEvent":
            break
        payload = message.record("payload")
        own = payload.string("agent_id") or payload.string("parent_tool_call_id") or payload.string("task_tool_call_id")
        message = payload.record("event")
    runs.setdefault(own, KimiRun(name)).event(message, time)


def _is_event(record: dict[str, Any]) -> bool:
    message = record.get("message")
    if not isinstance(message, dict) or "timestamp" not in record or "payload" not in message:
        return False
    kind = message.get("type")
    return isinstance(kind, str) and kind in EVENTS
