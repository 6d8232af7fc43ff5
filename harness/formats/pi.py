"""pi session files: JSONL under `~/.pi/agent/sessions/<folder>/<time>_<id>.jsonl`.

Source: badlogic/pi-mono@83378aa `packages/coding-agent/docs/session.md`; later versions give every entry an `id` and a
`parentId`, so that a session is a tree. A `compaction` puts a summary in place of what stood before the first entry
that it keeps. Answers that were broken off stay in the session and count as requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.json_text import Unreadable
from harness.formats.pi_run import PiRun
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

ROLES = ("user", "assistant", "toolResult", "bashExecution")


class Pi:
    name = "pi"

    def sniff(self, head: Head) -> bool:
        if head.kind != "jsonl" or any(record.get("type") == "session_start" for record in head.records):
            return False  # Factory's droid, whose lines look alike
        return any(map(_is_entry, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        run = PiRun(source.name)
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            try:
                run.entry(Record(value, f"{source.name}: line {number}", run.assembly.problems.append))
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        if not run.assembly.messages:
            raise HoldsNothing("a session without messages")
        yield run.transcript(self.name)


def _is_entry(record: dict[str, Any]) -> bool:
    if record.get("type") == "session":
        return {"id", "cwd", "timestamp"} <= record.keys()
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return False
    return message.get("role") in ROLES and "timestamp" in record and "sessionId" not in record
