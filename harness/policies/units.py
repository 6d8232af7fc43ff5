"""Lengths and cuts in the units that agents count in.

Every cut is an index into the text, so that a result is never split inside a character, and what is left out
can be counted in bytes whatever the unit was. Agents differ at the boundary: Rust and Go agents move it to
the next character as is done here; JavaScript's `slice` would leave half a surrogate pair, which reaches the
model as U+FFFD; Python's byte slices decoded with `errors="replace"` leave U+FFFD too. Here a character that
does not fit whole is left out whole: a head ends before it, a tail starts after it.

    bytes       UTF-8                                          Inspect, PI, Codex
    codepoints  what Python calls characters                   SWE-agent, OpenHands, smolagents
    utf16       what JavaScript calls characters               Gemini CLI, OpenCode, Cline, Claude Code
    tokens4     bytes / 4, rounded up                          Codex
    lines       ended by a line feed; a last one need not be   PI, OpenCode
    tokenizer   tokens of a real vocabulary                    none by default
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

UnitName = Literal["bytes", "codepoints", "utf16", "tokens4", "lines", "tokenizer"]


def utf8_length(text: str) -> int:
    """Bytes of the text in UTF-8; a lone surrogate counts three, as U+FFFD in its place would."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def utf16_length(text: str) -> int:
    """UTF-16 code units of the text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def line_count(text: str) -> int:
    """Lines of the text; only a line feed ends a line, and what follows the last one counts if it is not
    empty.
    """
    return text.count("\n") + (0 if not text or text.endswith("\n") else 1)


class Unit(Protocol):
    """Measures a text. `noun` is what a marker calls the unit, `step` how many of its base units one of it
    is.
    """

    noun: str
    step: int

    def length(self, text: str) -> int:
        """The length in base units."""

    def head(self, text: str, n: int) -> int:
        """The largest index such that `text[:index]` is at most n base units long."""

    def tail(self, text: str, n: int) -> int:
        """The smallest index such that `text[index:]` is at most n base units long."""


@dataclass(slots=True)
class Characters:
    """A unit of which a character takes between one and `widest`."""

    noun: str
    length: Callable[[str], int]
    widest: int
    step: int = 1

    def head(self, text: str, n: int) -> int:
        index = min(n, len(text))
        if self.widest == 1 or text.isascii():
            return index
        while (excess := self.length(text[:index]) - n) > 0:
            index -= -(-excess // self.widest)
        return index

    def tail(self, text: str, n: int) -> int:
        index = max(0, len(text) - n)
        if self.widest == 1 or text.isascii():
            return index
        while (excess := self.length(text[index:]) - n) > 0:
            index += -(-excess // self.widest)
        return index


class Bytes:
    """UTF-8, in steps of one byte or of four. Cuts look at no more of a text than they keep."""

    def __init__(self, noun: str, step: int) -> None:
        self.noun, self.step = noun, step

    def length(self, text: str) -> int:
        return utf8_length(text)

    def head(self, text: str, n: int) -> int:
        if text.isascii():
            return min(n, len(text))
        start = text if len(text) <= n else text[:n]
        data = start.encode("utf-8", "surrogatepass")
        if len(data) <= n:
            return len(start)
        while data[n] & 0xC0 == 0x80:
            n -= 1
        return len(data[:n].decode("utf-8", "surrogatepass"))

    def tail(self, text: str, n: int) -> int:
        if text.isascii():
            return max(0, len(text) - n)
        end = text if len(text) <= n else text[len(text) - n :]
        data = end.encode("utf-8", "surrogatepass")
        if len(data) <= n:
            return len(text) - len(end)
        cut = len(data) - n
        while cut < len(data) and data[cut] & 0xC0 == 0x80:
            cut += 1
        return len(text) - len(data[cut:].decode("utf-8", "surrogatepass"))


class Lines:
    """Lines with the line feed that ends them."""

    noun = "lines"
    step = 1

    def length(self, text: str) -> int:
        return line_count(text)

    def head(self, text: str, n: int) -> int:
        rest = text.split("\n", n)
        return len(text) if len(rest) <= n else len(text) - len(rest[n])

    def tail(self, text: str, n: int) -> int:
        if n == 0:
            return len(text)
        rest = text.removesuffix("\n").rsplit("\n", n)
        return 0 if len(rest) <= n else len(rest[0]) + 1


UNITS: dict[str, Unit] = {
    "bytes": Bytes("bytes", step=1),
    "codepoints": Characters("characters", len, widest=1),
    "utf16": Characters("characters", utf16_length, widest=2),
    "tokens4": Bytes("tokens", step=4),
    "lines": Lines(),
}


def unit(name: UnitName, encoding: str) -> Unit:
    """The unit of that name; `encoding` is the vocabulary of the unit `tokenizer`."""
    if name != "tokenizer":
        return UNITS[name]
    from harness.policies.vocabulary import tokens

    return tokens(encoding)
