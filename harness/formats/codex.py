"""Codex rollout files: JSONL, `{timestamp, type, payload}` a line, under `sessions/YYYY/MM/DD/rollout-*.jsonl`.

Source: openai/codex `codex-rs/protocol` (read at 001cb8e), and recordings of versions 0.40 to 0.147. A request
is a maximal run of items that the model made; the usage events check the count. Text is recorded twice, and the
copy in `event_msg` is left out. Files of 2025 hold the items bare, without `payload`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from harness.formats.codex_run import ITEM_KINDS, CodexRun
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

LINE_KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})


class Codex:
    name = "codex"

    def sniff(self, head: Head) -> bool:
        return head.kind == "jsonl" and any(map(_is_line, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        run = CodexRun(source.name)
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            try:
                run.line(Record(value, f"{source.name}: line {number}", run.assembly.problems.append))
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        if not run.holds_messages:
            raise HoldsNothing("a session without messages")
        yield run.transcript(self.name, parent=_file_of(run.parent_thread(), source))


def _file_of(thread: str | None, source: Source) -> str | None:
    """The transcript of a thread whose file lies beside this one; else the thread's own id."""
    if thread is None or source.opener is not None:
        return thread
    beside = (p.name for p in source.path.parent.iterdir() if p.name.endswith(f"{thread}.jsonl"))
    name = next(beside, None)
    return thread if name is None else PurePosixPath(source.name).with_name(name).as_posix()


def _is_line(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    kind = kind if isinstance(kind, str) else None
    if isinstance(record.get("payload"), dict):
        return kind in LINE_KINDS
    bare_call = kind in ITEM_KINDS and "call_id" in record
    bare_header = "instructions" in record and "timestamp" in record and "id" in record and "type" not in record
    return bare_call or bare_header or record.get("record_type") == "state"
