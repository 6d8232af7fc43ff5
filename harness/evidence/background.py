"""The background: what is common to programs and agents everywhere, so that meeting it again is no evidence.

`background.txt` comes with the package and is made by `tasks/background/make.py`. Its version and hash stand in every
manifest, since another background is another measure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from harness.evidence.occurrences import stands_in
from harness.evidence.plain import WORD, plain


@dataclass(frozen=True)
class Background:
    """A text in which an atom must not stand. version: of the recipe; the hash tells the rest."""

    version: str
    text: str

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @cached_property
    def has(self) -> Callable[[str], bool]:
        """Whether a plain text stands in the background, between the bounds of words. Answers are remembered."""
        text = plain(self.text)
        entries = frozenset(text.split())
        words = frozenset(WORD.findall(text))

        def look(atom: str) -> bool:
            if atom in entries or atom in words:
                return True
            parts = WORD.findall(atom)
            return len(parts) > 1 and words.issuperset(parts) and stands_in(atom, text)

        return lru_cache(maxsize=2**17)(look)


@cache
def background() -> Background:
    """The background that comes with the package."""
    text = (files("harness.evidence") / "background.txt").read_text(encoding="utf-8")
    return Background(text.partition("\n")[0].rpartition(" ")[2], text)
