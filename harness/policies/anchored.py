"""Both ends of a large result and the lines in it that look important, under a handle: Toolaria."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import utf8_length
from harness.preview import JsonValue, MalformedJson, parse_value

LINE = 500
MATCHES = 10


@dataclass(frozen=True, kw_only=True)
class Anchored(Admission):
    """An excerpt, and a handle by which the agent can search the rest, of a value over `limit` code points.

    head_lines, tail_lines: of a text longer than both together, how many lines of each end; of a shorter one
        (of long lines) the first `excerpt` code points. json_head, json_tail: of an array or object, how many
        items of each end.
    errors, decisions, actions, values: words; up to 10 lines that hold one of them, in any case, are shown under each
        heading, 500 code points of each, and none twice.
    reach, page: how the model comes by the rest, and how many bytes one answer of the fetch tool brings.
    """

    counts: ClassVar[str] = "codepoints"
    limit: float = 12_000
    head_lines: int = 40
    tail_lines: int = 15
    excerpt: int = 8_000
    json_head: int = 5
    json_tail: int = 2
    errors: tuple[str, ...] = ("error", "fail", "exception", "fatal", "warn")
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    reach: Reach = "handle-read"
    page: int = 4_000

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = (self.limit, self.head_lines, self.tail_lines, self.excerpt, self.json_head, self.json_tail, self.page)
        if min(sizes) < 0:
            raise HarnessError("anchored: limit, lines, items, excerpt and page are 0 or more")

    @property
    def page_bytes(self) -> int | None:
        return None if self.reach in ("none", "handle-arg") else self.page or None

    @property
    def notice(self) -> str:
        return "[Toolaria: tool result rescued. ...]"

    @cached_property
    def anchors(self) -> Mapping[str, tuple[str, ...]]:
        """What is looked for, in lower case, by the heading under which it is shown."""
        words = {
            "error lines": self.errors,
            "decision anchors": self.decisions,
            "action anchors": self.actions,
            "value anchors": self.values,
        }
        return {title: tuple(word.lower() for word in found if word) for title, found in words.items()}

    def render(self, arrival: Arrival) -> Rendering:
        value = arrival.value
        if len(value) <= self.limit:
            return Rendering(value)
        handle = hashlib.sha256(f"{arrival.index}\0{value}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        lines = value.splitlines()
        kind, excerpt, shown = self.excerpt_of(value, lines)
        text = (
            f"[Toolaria: tool result rescued. tool={arrival.tool}; role=episodic; size={len(value):,} chars; "
            f"lines={value.count(chr(10)) + 1:,}; type={kind}; blob={handle}]\n"
            f"Preview (first {self.head_lines} / last {self.tail_lines} lines); "
            f"this is a preview, NOT the full output:\n{excerpt}\n"
            f'Retrieve more with rescuer_fetch(id="{handle}", mode=...):\n'
            "  outline  structural map (sections / JSON schema / error clusters)\n"
            '  search   find by meaning, e.g. mode="search", query="<question>"\n'
            '  grep     regex match, e.g. mode="grep", pattern="<term>"\n'
            '  range    lines, e.g. mode="range", start=0, count=20\n'
            "  stat | full\n"
            f'To feed this whole result into another tool WITHOUT reading it, pass "tla:{handle}" as that tool\'s '
            "argument; Toolaria expands it to the full content before the tool runs."
        )
        elided = max(0, utf8_length(value) - shown)
        return Rendering(text, elided, self.reach if elided else "none", handle)

    def excerpt_of(self, value: str, lines: list[str]) -> tuple[str, str, int]:
        """What kind of value it is, the excerpt, and how many bytes of the value stand in it."""
        container = _container(value)
        if container is not None:
            anchors, _ = self.anchor_parts(lines, set())
            ends = self.json_ends(container)
            shown = min(utf8_length(value), sum(len(_compact(items)) for items in ends if items))
            size = f"array[{len(container)}]" if isinstance(container, list) else f"object, {len(container)} keys"
            kind = size if isinstance(container, list) else f"object keys: {list(container)[:3]}"
            parts = [f"[JSON excerpt: {size}]", *_json_parts(*ends), *anchors]
            return f"json {kind}", "\n".join(parts), shown
        if len(lines) <= self.head_lines + self.tail_lines:
            parts = [value[: self.excerpt]]
            ends_shown = set(range(parts[0].count("\n")))
            shown = utf8_length(parts[0])
        else:
            tail = len(lines) - self.tail_lines
            parts = ["--- head ---", *lines[: self.head_lines], "--- tail ---", *lines[tail:]]
            ends_shown = {*range(self.head_lines), *range(tail, len(lines))}
            shown = sum(utf8_length(lines[number]) + 1 for number in ends_shown)
        anchors, more = self.anchor_parts(lines, ends_shown)
        return f"text {len(value):,} chars", "\n".join(["[text excerpt]", *parts, *anchors]), shown + more

    def anchor_parts(self, lines: list[str], ends: set[int]) -> tuple[list[str], int]:
        """Matching lines under their headings, and the bytes of those that are not in `ends` (shown already)."""
        parts: list[str] = []
        seen: set[str] = set()
        shown = 0
        search = LineSearch(lines)
        for title, words in self.anchors.items():
            found = search.first(words, MATCHES)
            if found:
                parts.append(f"--- {title} ---")
            for number in found:
                line = lines[number]
                if line not in seen:
                    seen.add(line)
                    parts.append(line[:LINE])
                    shown += 0 if number in ends else utf8_length(line[:LINE])
        return parts, shown

    def json_ends(self, container: JsonValue) -> tuple[JsonValue, JsonValue]:
        """The items of a container that are shown; the tail only if it is longer than both ends."""
        items = list(container.items()) if isinstance(container, dict) else container
        long = len(items) > self.json_head + self.json_tail and self.json_tail > 0
        head, tail = items[: self.json_head], items[-self.json_tail :] if long else []
        return (dict(head), dict(tail)) if isinstance(container, dict) else (head, tail)


class LineSearch:
    """Finds lines by the words in them, in any case: a search through the whole text is much faster than one a line."""

    def __init__(self, lines: list[str]) -> None:
        lowered = [line.lower() for line in lines]
        self.text = "\n".join(lowered)
        self.starts = [0, *accumulate(len(line) + 1 for line in lowered)]

    def first(self, words: tuple[str, ...], most: int) -> list[int]:
        """Numbers of the first lines that hold one of the words, in order."""
        found: set[int] = set()
        for word in words:
            at, count = self.text.find(word), 0
            while at >= 0 and count < most:
                line = bisect_right(self.starts, at) - 1
                found.add(line)
                count += 1
                at = self.text.find(word, self.starts[line + 1])
        return sorted(found)[:most]


def _json_parts(head: JsonValue, tail: JsonValue) -> list[str]:
    """Items of both ends, indented."""
    parts = ["--- head ---", json.dumps(head, indent=2, ensure_ascii=False)]
    return [*parts, "--- tail ---", json.dumps(tail, indent=2, ensure_ascii=False)] if tail else parts


def _compact(value: JsonValue) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _container(value: str) -> JsonValue | None:
    """The array or object that a text is, if it is one."""
    if value.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse_value(value)
    except MalformedJson:
        return None
