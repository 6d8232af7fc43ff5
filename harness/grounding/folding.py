"""Text brought to a form in which equal words are equal, and the way back to where each of them stands.

Folded: Unicode NFKC and case folding; digits of every script become 0 to 9, curly quotes and long dashes plain ones,
½ becomes " 1/2". Accents stay: `pere` is not `père` here; `plain` is the same without them, for the rule that says so.
A word is a run of letters and digits; a sign of a script that puts no spaces between words (Chinese, Japanese, Korean,
Thai, ...) is a word by itself. `camelCase` counts as two words only in values, never in the input.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from harness.grounding.span import Span

_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3041-\u3096\u309d-\u30ff"
    "\u3105-\ua4cf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks (Mn, Mc) belong to the letter before them, as in Devanagari; `\w` leaves them out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0903\u093a-\u0963"
)
_WORD = re.compile(f"[{_SPACELESS}][{_MARKS}]*|(?:(?![{_SPACELESS}_])[\\w{_MARKS}])+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SIMPLE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "⁄": "/",
        "ı": "i",
    }
)


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word, and where it stands in `Folded.text` (not in the original)."""

    text: str
    start: int
    end: int


class Folded:
    """A text, folded. text: the folded form. original: as it was."""

    def __init__(self, original: str) -> None:
        self.original = original
        self._at: Sequence[int] = range(len(original))
        self._past: Sequence[int] = range(1, len(original) + 1)
        self.text = original.lower().translate(_SIMPLE)
        if not original.isascii():
            self._fold_each()

    def _fold_each(self) -> None:
        pieces: list[str] = []
        at: list[int] = []
        past: list[int] = []
        for start, end in _clusters(self.original):
            piece = _folded(self.original[start:end])
            pieces.append(piece)
            at += [start] * len(piece)
            past += [end] * len(piece)
        self.text, self._at, self._past = "".join(pieces), at, past

    def span(self, start: int, end: int) -> Span:
        """Where in the original the part of `text` from start to end comes from."""
        return self._at[start], self._past[end - 1]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(Word(found[0], *found.span()) for found in _WORD.finditer(self.text))

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The words without accents."""
        return tuple(without_accents(word.text) for word in self.words)


@lru_cache(maxsize=4096)
def words_of(value: str) -> tuple[str, ...]:
    """The folded words of a value, `camelCase` taken apart."""
    return tuple(word.text for word in Folded(_HUMP.sub(" ", value)).words)


def without_accents(text: str) -> str:
    """The text with the marks taken from Latin, Greek and Cyrillic letters; those of other scripts are no accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not "\u0300" <= c <= "\u036f")


def _clusters(text: str) -> list[Span]:
    """A character with the marks behind it, which only together have a composed form."""
    starts = [
        at
        for at, c in enumerate(text)
        if at == 0 or (c.isascii() or not (unicodedata.category(c).startswith("M") or "\u1160" <= c <= "\u11ff"))
    ]
    return list(pairwise([*starts, len(text)]))


def _folded(cluster: str) -> str:
    if cluster.isascii():
        return cluster.lower().translate(_SIMPLE)
    if len(cluster) == 1 and unicodedata.decomposition(cluster).startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", cluster).translate(_SIMPLE)
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster.translate(_SIMPLE)).casefold())
    return "".join(_digit(c) for c in composed.translate(_SIMPLE))


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)
