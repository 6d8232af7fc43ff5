"""Kimi Code sessions: `agents/<agent>/wire.jsonl`, flat records `{type, ..., time}`, under `~/.kimi-code/sessions/`.

Source: published fixtures of protocol 1.4 and 1.5, and other programs that read them; no recording was at hand. The
context of the agent is built from `context.*` records; a step is one request. Results over 50,000 characters are kept
in `tool-results/` beside the file. Sub-agents have folders of their own beside `main`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from harness.formats.json_text import Unreadable
from harness.formats.kimi_code_run import KimiCodeRun
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

MAIN = "main"


class KimiCode:
    name = "kimi-code"

    def sniff(self, head: Head) -> bool:
        return head.kind == "jsonl" and any(map(_is_record, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        folder = source.sibling("tool-results")
        files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
        run = KimiCodeRun(source.name, [file for file in files if file.is_file() and not file.is_symlink()])
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            try:
                run.record(Record(value, f"{source.name}: line {number}", run.assembly.problems.append))
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        if not run.holds_messages:
            raise HoldsNothing("a session without messages")
        yield run.transcript(self.name, _parent(source.name))


def _parent(name: str) -> str | None:
    """The main agent's file, for that of a sub-agent."""
    parts = PurePosixPath(name).parts
    if len(parts) < 3 or parts[-3] != "agents" or parts[-2] == MAIN:
        return None
    return "/".join([*parts[:-2], MAIN, parts[-1]])


def _is_record(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or "time" not in record:
        return False
    return kind.startswith("context.") or kind in ("turn.prompt", "llm.request", "config.update", "profile.bind")
