"""NOOA's preview: a value as Python would write it, long strings and containers with both ends and their length.

    str(len=789516, [:250]='Lorem…', [-250:]='…end')
    list(len=100, [:2]=[0, 1], [-2:]=[98, 99])
    dict(len=60, items={'a': 1, ..., 'z': 26})

What fits into 119 characters stands on one line, anything else one item a line, four blanks deeper. A literal
without a marker is complete. The value itself stays in the variable that holds it: the agent can look at any
part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.errors import HarnessError
from harness.policies.car import typed_value
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Reach, Rendering
from harness.policies.units import utf8_length
from harness.preview import JsonValue, serialize

KEY_CHARACTERS = 50
LINE = 120


@dataclass(frozen=True, kw_only=True)
class Nooa(Admission):
    """Every result as a Python literal, with long strings, long containers and deep ones abbreviated.

    max_string: code points of a string; of a longer one half of them at each end (the odd one at the head) are shown.
    max_length: items of an array or object, shared in the same way. max_depth: containers below it show only
    their size.
    parse: as in `car`. reach, page: how the model comes by the rest, and how much of it at a time.
    """

    counts: ClassVar[str] = "codepoints"
    max_string: int = 10_000
    max_length: int = 200
    max_depth: int = 5
    parse: Literal["recorded", "sniff"] = "recorded"
    reach: Reach = "handle-read"
    page: int = 10_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.max_string, self.max_length, self.max_depth) < 1 or self.page < 0:
            raise HarnessError("nooa: max_string, max_length and max_depth are 1 or more, page 0 or more")

    @property
    def page_bytes(self) -> int | None:
        return None if self.reach in ("none", "handle-arg") else self.page or None

    @property
    def notice(self) -> str:
        return "str(len=N, [:n]=..., [-n:]=...)"

    def render(self, arrival: Arrival) -> Rendering:
        value = typed_value(arrival, self.parse)
        elided = min(self.left_out(value, 0), utf8_length(arrival.value))
        return Rendering(self.literal(value, 0, 0), elided, self.reach if elided else "none")

    def literal(self, value: JsonValue, depth: int, indent: int) -> str:
        """A value as it is shown at some depth of nesting and of indentation."""
        line = self.line(value, depth)
        if line is not None:
            return line
        pad, inner = "    " * indent, "    " * (indent + 1)
        cut = len(value) > self.max_length
        head, tail = self.ends(value)
        if isinstance(value, dict):
            rows = [f"{inner}{row},\n" for row in self.rows(head, depth, indent)]
            if tail:
                rows += [f"{inner}...\n", *(f"{inner}{row},\n" for row in self.rows(tail, depth, indent))]
            opening, closing = (f"dict(len={len(value)}, items={{", "})") if cut else ("{", "}")
            return f"{opening}\n{''.join(rows)}{pad}{closing}"
        if not cut:
            items = "".join(f"{inner}{self.literal(item, depth + 1, indent + 1)},\n" for item in head)
            return f"[\n{items}{pad}]"
        blocks = [(f"[:{len(head)}]", head)] + ([(f"[-{len(tail)}:]", tail)] if tail else [])
        shown = "".join(
            f"{inner}{place}=[\n"
            + "".join(f"    {inner}{self.literal(item, depth + 1, indent + 2)},\n" for item in items)
            + f"{inner}],\n"
            for place, items in blocks
        )
        return f"list(len={len(value)},\n{shown}{pad})"

    def line(self, value: JsonValue, depth: int) -> str | None:
        """A value on one line; `None` for a container that does not fit on one."""
        if isinstance(value, str):
            return self.string(value, self.max_string)
        if not isinstance(value, dict | list):
            shown = repr(value)
            return shown if depth >= self.max_depth or len(shown) <= self.max_string else self.scalar(value, shown)
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        if depth >= self.max_depth:
            count = f"{type(value).__name__}: {len(value)} items"
            return f"{{{count}}}" if isinstance(value, dict) else f"[{count}]"
        head, tail = self.ends(value)
        parts = self.parts(head, depth)
        rest = self.parts(tail, depth) if parts is not None else None
        if parts is None or rest is None:
            return None
        cut, size = len(value) > self.max_length, len(value)
        if isinstance(value, dict):
            items = ", ".join([*parts, "...", *rest] if rest else parts)
            line = f"dict(len={size}, items={{{items}}})" if cut else f"{{{items}}}"
        elif cut:
            end = f", [-{len(rest)}:]=[{', '.join(rest)}]" if rest else ""
            line = f"list(len={size}, [:{len(parts)}]=[{', '.join(parts)}]{end})"
        else:
            line = f"[{', '.join(parts)}]"
        return line if len(line) < LINE else None

    def parts(self, items: list[JsonValue], depth: int) -> list[str] | None:
        """Items of a container on one line each; `None` as soon as they cannot all fit on one."""
        parts: list[str] = []
        size = 0
        for item in items:
            key, value = item if isinstance(item, tuple) else ("", item)
            shown = self.line(value, depth + 1)
            if shown is None:
                return None
            parts.append(f"{self.string(key, KEY_CHARACTERS)}: {shown}" if isinstance(item, tuple) else shown)
            size += len(parts[-1])
            if size >= LINE:
                return None
        return parts

    def rows(self, items: list[JsonValue], depth: int, indent: int) -> list[str]:
        """Keys and values of an object, one a line."""
        return [
            f"{self.string(key, KEY_CHARACTERS)}: {self.literal(value, depth + 1, indent + 1)}" for key, value in items
        ]

    def ends(self, value: JsonValue) -> tuple[list[JsonValue], list[JsonValue]]:
        """The items of a container that are shown: elements, or pairs of key and value."""
        items = list(value.items()) if isinstance(value, dict) else value
        if len(items) <= self.max_length:
            return items, []
        tail = self.max_length // 2
        return items[: self.max_length - tail], items[len(items) - tail :]

    def scalar(self, value: JsonValue, shown: str) -> str:
        """Both ends of a number that is longer than a string may be."""
        return f"{type(value).__name__}(repr_len={len(shown)}, {both_ends(shown, self.max_string)})"

    def string(self, text: str, most: int) -> str:
        """A string as a literal, or both its ends."""
        if len(text) > most:
            return f"str(len={len(text)}, {both_ends(text, most)})"
        if "\n" not in text and not ("'" in text and '"' in text):
            return repr(text)
        if "'''" not in text:
            return f"'''{text}'''"
        return repr(text) if '"""' in text else f'"""{text}"""'

    def left_out(self, value: JsonValue, depth: int) -> int:
        """Bytes of the value, as compact JSON (a text as it is), that its literal does not show.

        A key that is cut counts by what is cut; of a container below the depth everything counts.
        """
        if isinstance(value, str):
            return self.cut_bytes(value, self.max_string)
        if not isinstance(value, dict | list):
            return 0 if depth >= self.max_depth else self.cut_bytes(repr(value), self.max_string)
        if not value:
            return 0
        if depth >= self.max_depth:
            return len(serialize(value))
        head, tail = self.ends(value)
        total = 0
        for item in (*head, *tail):
            key, child = item if isinstance(item, tuple) else ("", item)
            total += self.cut_bytes(key, KEY_CHARACTERS) + self.left_out(child, depth + 1)
        if len(value) > self.max_length:
            items = list(value.items()) if isinstance(value, dict) else value
            between = items[len(head) : len(items) - len(tail)]
            total += len(serialize(dict(between) if isinstance(value, dict) else between)) - 1
        return total

    def cut_bytes(self, text: str, most: int) -> int:
        """Bytes of the part of a string that is not shown."""
        if len(text) <= most:
            return 0
        tail = most // 2
        return utf8_length(text[most - tail : len(text) - tail])


def both_ends(text: str, most: int) -> str:
    """The first and last of `most` characters, with their places."""
    tail = most // 2
    head = most - tail
    end = f", [-{tail}:]={text[len(text) - tail :]!r}" if tail else ""
    return f"[:{head}]={text[:head]!r}{end}"
