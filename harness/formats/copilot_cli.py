"""Copilot CLI sessions: `events.jsonl` under `~/.copilot/session-state/<id>/`.

Source: github/copilot-sdk@4ee1859 `nodejs/src/generated/session-events.ts`. An event is `{type, data, id, timestamp,
parentId}`. What the model saw of a result is `result.content`; `detailedContent` is for the interface. Sub-agents stand
inline, told by the call that started them (`parentToolCallId`). Some versions record no contents of results at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.copilot_run import CopilotRun
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

FAMILIES = ("session.", "assistant.", "tool.", "user.", "system.", "subagent.", "hook.", "skill.", "abort")


class CopilotCli:
    name = "copilot-cli"

    def sniff(self, head: Head) -> bool:
        return head.kind == "jsonl" and any(map(_is_event, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        runs: dict[str, CopilotRun] = {"": CopilotRun(source.name)}
        main = runs[""]
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            data = value.get("data")
            parent = data.get("parentToolCallId") if isinstance(data, dict) else None
            name = parent if isinstance(parent, str) else ""
            run = runs.setdefault(name, CopilotRun(source.name, main))
            try:
                run.event(Record(value, f"{source.name}: line {number}", run.assembly.problems.append))
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        if not any(run.assembly.messages for run in runs.values()):
            raise HoldsNothing("a session without messages")
        for name, run in runs.items():
            if run.assembly.messages:
                own = f"{source.name}#{name}" if name else source.name
                yield run.transcript(self.name, own, source.name if name else None)


def _is_event(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or not isinstance(record.get("data"), dict) or "payload" in record:
        return False
    return kind.startswith(FAMILIES) and "id" in record and "timestamp" in record
