"""How much of a source reached its transcripts: its lines of text, and its records.

Counted are the distinct lines of all texts in the source, wherever they stand, that have words in them (ids, times and
encoded bytes have none), JSON in a string taken apart. A line reached a transcript if it stands there in a message, an
argument, a result or a tool definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from harness.formats.json_text import Unreadable, parse
from harness.formats.limits import BROKEN_ARCHIVE
from harness.formats.source import Source
from harness.transcript import Transcript

SHORTEST = 16
"""Characters of a line that can be told from others."""
DEEPEST = 8
"""How often JSON may stand in a string of JSON."""
KINDS = ("type", "kind", "event", "role")


@dataclass
class Reading:
    """text, reached: bytes of the source's distinct lines, and of those that reached a transcript; `None` for a source
    that is no JSON. records: how each ended: `transcript`, `no text` (nothing in it to read), `known noise` (of a kind
    that its reader leaves out), `not read`, `quarantine`. unread: kinds of those not read. lost: records that are in
    the file and have no end, which is a bug."""

    text: int | None = None
    reached: int | None = None
    records: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    def ends(self) -> dict[str, int]:
        """How many records ended in which way; those that have no end are said too. The sum is all of the source's."""
        return {end: n for end, n in (*self.records.items(), ("not accounted for", self.lost)) if n}

    @property
    def share(self) -> float | None:
        """The share of the text that reached a transcript; `None` where there is none, or it is not identified."""
        return self.reached / self.text if self.text and self.reached is not None else None


class Reached:
    """The lines of the transcripts of one source."""

    def __init__(self) -> None:
        self._lines: set[int] = set()

    def add(self, transcript: Transcript) -> None:
        for message in transcript.messages:
            texts = [message.text, message.reasoning, *(call.arguments for call in message.calls)]
            if message.result is not None:
                texts += [message.result.content, message.result.whole or ""]
            self._add(texts)
        self._add(transcript.tools or ())

    def _add(self, texts: Iterable[str]) -> None:
        self._lines.update(hash(line) for text in texts if text for line in lines_of(text))

    def reading(self, source: Source) -> Reading:
        """What of the source stands in the transcripts that were added."""
        return self._reading(_beside(source))

    def _reading(self, beside: Source) -> Reading:
        found = Reading()
        seen: set[int] = set()
        try:
            for record in records_of(beside):
                lines = {hash(line): len(line.encode("utf-8", "surrogatepass")) for line in lines_of(record)}
                has_reached = not self._lines.isdisjoint(lines)
                end = "transcript" if has_reached else "not read" if lines else "no text"
                found.records[end] += 1
                found.unread.update([kind_of_record(record)] if end == "not read" else ())
                for line in lines.keys() - seen:
                    found.text = (found.text or 0) + lines[line]
                    found.reached = (found.reached or 0) + (lines[line] if line in self._lines else 0)
                seen |= lines.keys()
        except (Unreadable, *BROKEN_ARCHIVE):
            return Reading()
        return found

    def accounts(self, source: Source, noise: Set[str]) -> Reading:
        """The same with what is in quarantine or of a kind that is `noise`, and every record counted again as a line
        of the file."""
        beside = _beside(source)
        found = self._reading(beside)
        for kind in noise & found.unread.keys():
            found.records["known noise"] += found.unread[kind]
            found.records["not read"] -= found.unread.pop(kind)
        if found.records and beside.head().kind == "jsonl":
            with beside.open() as stream:
                lines = sum(1 for line in stream if line.strip())
            found.records["quarantine"] = sum(problem.lost for problem in beside.problems)
            found.lost = lines - found.records.total()
        return found


def records_of(source: Source) -> Iterator[Any]:
    """The records of a JSON source: lines, elements of an array, or the one object. None for other sources."""
    kind = source.head().kind
    if kind == "jsonl":
        for _, value in source.lines():
            yield value
    elif kind == "array":
        yield from source.document()
    elif kind == "object":
        yield source.document()


def _beside(source: Source) -> Source:
    """The same source once more, since its problems are named where it is read."""
    return Source(source.name, source.path, source.opener)


def lines_of(value: Any, depth: int = 0) -> Iterator[str]:
    """The lines with words in a value, JSON in strings taken apart."""
    stack = [(value, depth)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, str):
            inner = _inner(value) if depth < DEEPEST else None
            if inner is not None:
                stack.append((inner, depth + 1))
            else:
                yield from (line for line in map(str.strip, value.split("\n")) if _has_words(line))
        elif isinstance(value, dict):
            stack += [(part, depth) for part in value.values()]
        elif isinstance(value, list):
            stack += [(part, depth) for part in value]


def _inner(text: str) -> Any:
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    try:
        value = parse(text)
    except Unreadable:
        return None
    return value if isinstance(value, (dict, list)) else None


def _has_words(line: str) -> bool:
    return len(line) >= SHORTEST and (" " in line or not line.isascii())


def kind_of_record(record: Any) -> str:
    """What a record calls itself, as far as a word can; its text is never shown."""
    if not isinstance(record, dict):
        return type(record).__name__
    names = [record[key] for key in KINDS if isinstance(record.get(key), str)]
    inner = record.get("payload")
    names += [inner["type"]] if isinstance(inner, dict) and isinstance(inner.get("type"), str) else []
    return "/".join(n for n in names if n.replace("_", "").replace("-", "").isalnum() and len(n) <= 40) or "no kind"
