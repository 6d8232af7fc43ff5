"""What a later action takes from an earlier result, and where in it that stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["span", "field", "whole", "aggregate"]
Place = Literal["head", "middle", "tail", "everywhere"]

HEAD_BYTES, TAIL_BYTES = 400, 200
_STYLES: tuple[dict[str, Any], ...] = (
    {},
    {"separators": (",", ":")},
    {"indent": 2},
    {"ensure_ascii": False},
    {"separators": (",", ":"), "ensure_ascii": False},
    {"indent": 2, "ensure_ascii": False},
)


@dataclass(frozen=True, slots=True)
class Need:
    """kind: `span` (a piece of text), `field` (a value inside of a JSON result), `whole` (the whole value), `aggregate`
    (a count, a sum, an absence: nothing in the result can be pointed at).

    result: which of the run's results, from 1. start, end: bytes of its UTF-8 text. text: what the action carries,
    escapes undone; for an `aggregate` what it says. path: of a field, keys and indices with dots between.
    """

    kind: Kind
    result: int
    size: int
    start: int
    end: int
    text: str
    path: str = ""

    @property
    def distinctive(self) -> bool:
        """Whether it looks like an identifier: a digit, one of `_ / . : -`, an inner capital, or 16 characters."""
        return self.kind != "aggregate" and (
            len(self.text) >= 16 or re.search(r"[\d_/.:-]|\w[A-Z]", self.text) is not None
        )

    @property
    def place(self) -> Place:
        """`head`: it ends within the first 400 bytes; `tail`: it starts within the last 200; else `middle`."""
        if self.kind in ("whole", "aggregate"):
            return "everywhere"
        if self.end <= HEAD_BYTES:
            return "head"
        return "tail" if self.start >= self.size - TAIL_BYTES else "middle"


@dataclass(frozen=True, slots=True)
class Seen:
    """A result as the agent sees it: its number in the run and its text."""

    result: int
    text: str
    is_error: bool = False

    @property
    def size(self) -> int:
        return len(self.text.encode("utf-8"))

    def value(self) -> Any:
        """The JSON value that the text is."""
        return json.loads(self.text)

    def match(self, pattern: str) -> str:
        """The first group (or the match) of the first place where the pattern is found, line by line."""
        found = re.search(pattern, self.text, re.MULTILINE)
        if found is None:
            raise LookupError(f"{pattern!r} is not in result {self.result}: {self.text[:300]!r}")
        return found[1] if found.re.groups else found[0]

    def line(self, pattern: str) -> str:
        """The first whole line in which the pattern is found."""
        return self.match(f"^(.*(?:{pattern}).*)$")

    def span(self, text: str, occurrence: int = 0) -> Need:
        """The piece `text`, at its n-th occurrence."""
        at = -1
        for _ in range(occurrence + 1):
            at = self.text.index(text, at + 1)
        start = len(self.text[:at].encode("utf-8"))
        return Need("span", self.result, self.size, start, start + len(text.encode("utf-8")), text)

    def field(self, *path: str | int) -> Need:
        """The value at a path of a JSON result."""
        value: Any = self.value()
        style = next(s for s in _STYLES if json.dumps(value, **s) == self.text)
        wanted = _at(value, path)
        mark = "\ue000here\ue001"
        holder = _at(value, path[:-1])
        holder[path[-1]] = mark
        marked = json.dumps(value, **style)
        start = len(marked[: marked.index(json.dumps(mark, **style))].encode("utf-8"))
        depth = len(path) if "indent" in style else 0
        raw = json.dumps(wanted, **style).replace("\n", "\n" + "  " * depth)
        end = start + len(raw.encode("utf-8"))
        assert self.text.encode("utf-8")[start:end] == raw.encode("utf-8")
        text = wanted if isinstance(wanted, str) else json.dumps(wanted, ensure_ascii=False)
        return Need("field", self.result, self.size, start, end, text, ".".join(map(str, path)))

    def whole(self) -> Need:
        return Need("whole", self.result, self.size, 0, self.size, self.text)

    def over_all(self, says: str) -> Need:
        """A use that leaves no span: `says` is what the action states about the result."""
        return Need("aggregate", self.result, self.size, 0, self.size, says)


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def stands_in(need: Need, action: Any) -> bool:
    """Whether an action (the arguments of its calls, or its text) carries what the need names."""
    if isinstance(action, str):
        return need.text in action
    if not need.text or need.kind in ("whole", "field"):
        try:
            if json.loads(need.text) == action:
                return True
        except ValueError:
            pass
    if isinstance(action, dict):
        return any(stands_in(need, v) for v in action.values())
    if isinstance(action, list):
        return any(stands_in(need, v) for v in action)
    return need.text == json.dumps(action)


def found_in(text: str, elsewhere: str) -> bool:
    """Whether a piece of text stands in another on token boundaries, as it is or escaped as in JSON."""
    forms = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    return any(
        form in elsewhere and re.search(rf"(?<![\w]){re.escape(form)}(?![\w])", elsewhere) is not None for form in forms
    )
