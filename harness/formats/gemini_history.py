"""The history of one Gemini CLI session, as its records build it up and change it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.cuts import MOST_KEPT, Cuts, Kind
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Transcript, Usage


@dataclass
class Entry:
    """A message record in its latest version. copied: the client put it into the history anew."""

    record: Record
    copied: bool = False


class History:
    """Entries in the order in which they came; `_live` holds those that stand in the next prompt, by id."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.assembly = Assembly(name)
        self.entries: list[Entry] = []
        self.meta: dict[str, Any] = {}
        self._live: dict[str, int] = {}
        self._cuts: list[tuple[int, list[int], Kind]] = []  # at and of entries
        self._room = MOST_KEPT
        self._silent = 0

    def take(self, record: Record) -> None:
        """Take in one line of a JSONL file, or the object that a JSON file is."""
        if isinstance(record.raw("$rewindTo"), str):
            self._rewind(record.string("$rewindTo"))
        elif isinstance(record.raw("$set"), dict):
            update = record.record("$set")
            self.meta.update({key: value for key, value in update.value.items() if key != "messages"})
            if update.raw("messages") is not None:
                self._rewrite(list(update.records("messages")))
        elif isinstance(record.raw("id"), str) and "sessionId" not in record:
            self._add(record)
        elif "sessionId" in record:
            self.meta.update({key: value for key, value in record.value.items() if key != "messages"})
            for message in record.records("messages"):
                self._add(message)
        else:
            record.problem("neither a message nor a change to the session")

    def transcript(self, format_name: str, parent: str | None) -> Transcript:
        starts: list[int] = []
        answered: set[str] = set()
        for entry in self.entries:
            starts.append(len(self.assembly.messages))
            self._write(entry, answered)
        starts.append(len(self.assembly.messages))
        cuts = Cuts(self.assembly)
        for at, kept, kind in self._cuts:
            cuts.add(starts[at], [i for e in kept for i in range(starts[e], starts[e + 1])], kind)
        thoughts = any(m.reasoning for m in self.assembly.messages)
        return self.assembly.transcript(
            self.name,
            format_name,
            cluster=str(self.meta.get("projectHash") or ""),
            cuts=cuts.of(starts[-1]),
            parent=parent,
            unknown=("thinking beyond its summaries",) if thoughts else (),
            notes=(f"{self._silent} notices of the client left out",) if self._silent else (),
        )

    def _add(self, record: Record) -> None:
        name = record.string("id")
        if record.raw("type") in ("info", "error", "warning"):
            self._silent += 1
        elif record.raw("type") not in ("user", "gemini"):
            record.problem(f"unknown type of message {record.raw('type')!r:.60}")
        elif name and name in self._live:
            self.entries[self._live[name]].record = record
        else:
            self._live[name or f"entry {len(self.entries)}"] = len(self.entries)
            self.entries.append(Entry(record))

    def _cut(self, keep: list[int], kind: Kind) -> None:
        self._room -= len(keep)
        self._cuts.append((len(self.entries), keep, kind))

    def _rewind(self, name: str) -> None:
        if self._room < 0:
            return
        names = list(self._live)
        keep = names[: names.index(name)] if name in self._live else []
        self._live = {kept: self._live[kept] for kept in keep}
        self._cut(list(self._live.values()), "rewound")

    def _rewrite(self, records: list[Record]) -> None:
        """The client changed the history. What is the same up to the first change stays; the rest is put in anew."""
        if self._room < 0:
            return
        kept: dict[str, int] = {}
        same = 0
        for record, at in zip(records, self._live.values(), strict=False):
            if _gist(record) != _gist(self.entries[at].record):
                break
            kept[record.string("id") or f"entry {at}"] = at
            same += 1
        if same == len(records) == len(self._live):
            return
        names = {record.string("id") for record in records}
        self._cut(list(kept.values()), "cleared" if names == set(self._live) else "compacted")
        self._live = kept
        for record in records[same:]:
            self._live[record.string("id") or f"entry {len(self.entries)}"] = len(self.entries)
            self.entries.append(Entry(record, copied=True))

    def _write(self, entry: Entry, answered: set[str]) -> None:
        record = entry.record
        time = record.time("timestamp")
        text, images, calls, results = _parts(record, "content")
        if record.raw("type") == "gemini":
            tools = list(record.records("toolCalls"))
            self.assembly.add(
                Message(
                    "assistant",
                    text,
                    calls=tuple(map(_call, tools)) or tuple(calls),
                    reasoning="\n".join(_thought(thought) for thought in record.records("thoughts")),
                    images=images,
                    copied=entry.copied,
                    message_id=record.string("id") or None,
                    model=record.string("model") or None,
                    time=time,
                    usage=_usage(record.record("tokens")),
                )
            )
            for tool in tools:
                self._answer(tool, entry.copied, answered)
        elif text or images:
            self.assembly.add(Message("user", text, images=images, copied=entry.copied, time=time))
        for response in results:
            if response.string("id") not in answered:
                content, is_json, _ = _content(response)
                call_id, name = response.string("id") or None, response.string("name")
                self.assembly.answer(content, call_id=call_id, name=name, is_json=is_json, copied=True, time=time)

    def _answer(self, tool: Record, copied: bool, answered: set[str]) -> None:
        """The result in the record of a call; a call that was cancelled may have none."""
        call_id = tool.string("id")
        status = tool.string("status")
        text, images, _, responses = _parts(tool, "result")
        if not responses and not text and not images and tool.raw("result") in (None, []):
            return
        contents = [_content(response) for response in responses]
        answered.add(call_id)
        self.assembly.answer(
            "\n".join([content for content, _, _ in contents] + ([text] if text else [])),
            call_id=call_id or None,
            name=tool.string("name"),
            is_json=bool(contents) and all(is_json for _, is_json, _ in contents) and not text,
            is_error=status == "error" or any(failed for _, _, failed in contents) if status else None,
            images=images,
            copied=copied,
            time=tool.time("timestamp"),
        )


def _gist(record: Record) -> tuple[object, ...]:
    """What of a message the model sees, however it is written down."""
    text, images, _, _ = _parts(record, "content")
    results = [compact(tool.raw("result")) for tool in record.records("toolCalls")]
    return record.string("id"), record.string("type"), text, images, results


def _call(tool: Record) -> ToolCall:
    return ToolCall(tool.string("name"), compact(tool.raw("args")), tool.string("id") or None)


def _thought(thought: Record) -> str:
    return "\n".join(filter(None, (thought.string("subject"), thought.string("description"))))


def _usage(tokens: Record) -> Usage | None:
    """`input` is the prompt without what tools of the provider put into it (`tool`); thoughts are output."""
    given, made, thoughts, tool = (tokens.integer(key) for key in ("input", "output", "thoughts", "tool"))
    whole = None if given is None else given + (tool or 0)
    return contained(whole, tokens.integer("cached"), None, None if made is None else made + (thoughts or 0))


def _parts(record: Record, key: str) -> tuple[str, int, list[ToolCall], list[Record]]:
    """The text in a part or list of parts, how many parts are no text, the calls, and the responses to calls."""
    value = record.raw(key)
    if isinstance(value, str):
        return value, 0, [], []
    if isinstance(value, dict):
        record = Record({key: [value]}, record.place, record.report)
    elif isinstance(value, list):
        strings = [{"text": part} if isinstance(part, str) else part for part in value]
        record = Record({key: strings}, record.place, record.report)
    texts: list[str] = []
    others = 0
    calls: list[ToolCall] = []
    responses: list[Record] = []
    for part in record.records(key):
        if isinstance(part.raw("functionResponse"), dict):
            responses.append(part.record("functionResponse"))
            others += len(responses[-1].array("parts"))
        elif isinstance(part.raw("functionCall"), dict):
            calls.append(_call(part.record("functionCall")))
        elif isinstance(part.raw("text"), str):
            texts += [] if part.raw("thought") is True else [part.string("text")]
        else:
            others += 1
    return "".join(texts), others, calls, responses


def _content(response: Record) -> tuple[str, bool, bool]:
    """What a function gave back: text, whether that is JSON, and whether it is an error."""
    value = response.raw("response")
    if not isinstance(value, dict):
        return ("" if value is None else value if isinstance(value, str) else compact(value)), False, False
    for key in ("output", "error"):
        if set(value) == {key} and isinstance(value[key], str):
            return value[key], False, key == "error"
    return compact(value), True, "error" in value
