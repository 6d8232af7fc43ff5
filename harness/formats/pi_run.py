"""One pi session: its entries in, messages and cuts out."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from harness.formats.assembly import Assembly
from harness.formats.branch_path import Path
from harness.formats.cuts import Cuts, Kind
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.thinking import LEFT_OUT, resends_thinking
from harness.formats.usage import additive
from harness.transcript import Message, ToolCall, Transcript, Usage

EXIT_CODE = re.compile(r"Command exited with code (\d{1,3})\s*\Z")
BROKEN_OFF = ("aborted", "error")


class PiRun:
    """Messages in their order. An entry becomes at most one message, and is a group of its own on the path."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.assembly = Assembly(name)
        self.cuts = Cuts(self.assembly)
        self.counts: Counter[str] = Counter()
        self._header: Record | None = None
        self._entries: list[tuple[str, int | None]] = []  # per line after the header: its id, and its message
        self._path = Path()
        self._shown: list[int] = []
        self._latest: str | None = None

    def entry(self, record: Record) -> None:
        """Take in one line."""
        kind = record.string("type")
        if kind == "session":
            if self._header is None:
                self._header = record
            return
        name = record.string("id") or f"entry {len(self._entries)}"
        self._follow(name, record)
        before = len(self.assembly.messages)
        if kind == "message":
            self._message(record, record.record("message"))
        elif kind == "compaction":
            self._compaction(record)
        elif kind == "branch_summary":
            self._say(record.string("summary"), record)
        elif kind == "custom_message":
            self._say(_text(record, "content")[0], record)
        added = len(self.assembly.messages) > before
        self._entries.append((name, before if added else None))
        if added:
            self._shown.append(before)

    def transcript(self, format_name: str) -> Transcript:
        header = self._header
        model = next((m.model for m in self.assembly.messages if m.model and (m.usage or m.text)), None)
        model = model or (header.string("modelId") or None if header else None)
        resends = resends_thinking(model)
        thought = any(m.reasoning for m in self.assembly.messages)
        return self.assembly.transcript(
            self.name,
            format_name,
            cluster=header.string("cwd") if header else "",
            model=model,
            cuts=self.cuts.of(len(self.assembly.messages)),
            resends_reasoning=resends,
            unknown=(LEFT_OUT,) if thought and not resends else (),
            notes=tuple(f"{count} {what}" for what, count in sorted(self.counts.items())),
            session=header.string("id") if header else "",
            forked_from=_origin(header) if header else "",
        )

    def _follow(self, name: str, record: Record) -> None:
        """Go to the entry's parent, if the session is a tree; else on from the latest."""
        parent = record.string("parentId") or None if "parentId" in record else self._latest
        turn = self._path.step(name, parent, name)
        self._latest = name
        if (turn.gone or turn.back) and not self.cuts.full:
            shown = set(self._shown)
            keep = [
                i
                for entry, i in self._entries
                if i is not None and ((i in shown and entry not in turn.gone) or entry in turn.back)
            ]
            if keep != self._shown:
                self._cut("rewound", keep)

    def _cut(self, kind: Kind, keep: list[int]) -> None:
        self.cuts.add(len(self.assembly.messages), keep, kind)
        self._shown = list(keep)

    def _compaction(self, record: Record) -> None:
        """The summary stands in front of the entries that are kept; told by index in older versions."""
        if self.cuts.full:
            return
        first = record.integer("firstKeptEntryIndex")
        start = first - 1 if first else len(self._entries)  # the header is entry 0
        if name := record.string("firstKeptEntryId"):
            start = next((at for at, (entry, _) in enumerate(self._entries) if entry == name), len(self._entries))
        kept = {i for _, i in self._entries[start:] if i is not None}
        self._cut("compacted", [i for i in self._shown if i in kept])
        self._say(record.string("summary"), record)

    def _say(self, text: str, record: Record) -> None:
        if text:
            self.assembly.add(Message("user", text, time=record.time("timestamp")))

    def _message(self, record: Record, message: Record) -> None:
        role = message.string("role")
        time = record.time("timestamp")
        if role == "assistant":
            self._answer(message, time)
        elif role == "toolResult":
            text, images = _text(message, "content")
            code = EXIT_CODE.search(text[-60:]) if message.raw("isError") is True else None
            self.assembly.answer(
                text,
                call_id=message.string("toolCallId") or None,
                name=message.string("toolName"),
                is_error=message.boolean("isError"),
                exit_code=int(code[1]) if code else None,
                images=images,
                time=time,
            )
        elif role == "bashExecution":
            if message.raw("excludeFromContext") is not True:
                said = f"Ran `{message.string('command')}`\n```\n{message.string('output')}\n```"
                self.assembly.add(Message("user", said, time=time))
        elif role in ("user", "custom", "hookMessage"):
            text, images = _text(message, "content")
            self.assembly.add(Message("user", text, images=images, time=time))
        elif role in ("branchSummary", "compactionSummary"):
            self._say(message.string("summary"), record)
        else:
            message.problem(f"unknown role {role!r:.60}")

    def _answer(self, message: Record, time: float | None) -> None:
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolCall] = []
        encrypted = 0
        for block in message.records("content"):
            kind = block.string("type")
            if kind == "text":
                texts.append(block.string("text"))
            elif kind == "thinking":
                thoughts.append(block.string("thinking"))
                encrypted += not block.string("thinking")
            elif kind == "toolCall":
                name, call_id = block.string("name"), block.string("id") or None
                calls.append(ToolCall(name, compact(block.raw("arguments")), call_id))
            else:
                block.problem(f"unknown kind of block {kind!r:.60}")
        if message.string("stopReason") in BROKEN_OFF:
            self.counts["answers that were broken off"] += 1
        self.assembly.add(
            Message(
                "assistant",
                "\n".join(texts),
                calls=tuple(calls),
                reasoning="\n".join(filter(None, thoughts)),
                encrypted=encrypted,
                message_id=message.string("responseId") or None,
                model=message.string("model") or None,
                time=time,
                usage=_usage(message.record("usage")),
            )
        )


def _origin(header: Record) -> str:
    """The id of the session that this one was branched off: its file's name ends with it."""
    file = header.string("branchedFrom") or header.string("parentSession")
    return PurePosixPath(file).stem.rpartition("_")[2]


def _usage(usage: Record) -> Usage | None:
    """`input` is what the cache neither gave nor took. The output count of a broken-off answer is the provider's last
    one, and what the client booked."""
    fresh, made = usage.integer("input"), usage.integer("output")
    read, written = usage.integer("cacheRead"), usage.integer("cacheWrite")
    return additive(fresh, read, written, made)


def _text(record: Record, key: str) -> tuple[str, int]:
    """The text of a string or list of blocks, and how many blocks are no text."""
    if isinstance(record.raw(key), str):
        return record.string(key), 0
    texts: list[str] = []
    others = 0
    for block in record.records(key):
        if isinstance(block.raw("text"), str):
            texts.append(block.string("text"))
        else:
            others += 1
    return "\n".join(texts), others
