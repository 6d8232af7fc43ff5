"""Which atoms of a result stand in a rendering of it.

A cut may go through a word and leave what looks like another one: of `4042` a preview may keep `404…`. What a
rendering ends in the middle of does not count, which is told by what stands before it in the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from harness.evidence.occurrences import in_word, occurrences
from harness.evidence.plain import Plain, plain, units

CONTEXTS = (16, 8, 4)
"""Characters before (behind) an atom by which its place in the value is found, as many as stand in the value."""

MANY = 40
"""From so many atoms on, reading a text into words once is cheaper than searching it for each atom."""


class Visibility:
    """The atoms of one result, and in which of its renderings they stand. Answers are kept per text of a rendering."""

    def __init__(self, value: Plain, atoms: Iterable[str]) -> None:
        self.value = value
        self._all = frozenset(atoms)
        self._seen: dict[str, frozenset[str]] = {}

    def is_whole(self, rendered: str) -> bool:
        """Whether a text is the value itself."""
        return rendered == self.value.raw

    def seen(self, rendered: str) -> frozenset[str]:
        """The atoms that stand in a text that a policy shows for the result."""
        if self.is_whole(rendered):
            return self._all
        known = self._seen.get(rendered)
        if known is None:
            known = self._seen[rendered] = self._search(plain(rendered))
        return known

    def _search(self, text: str) -> frozenset[str]:
        """Most renderings begin and end as the value does; there the places in the value tell, and only what is between
        is searched."""
        value = self.value.text
        head = _shared(len(text), lambda size: value.startswith(text[:size]))
        tail = _shared(len(text), lambda size: value.endswith(text[len(text) - size :]))
        seen = {
            atom for atom, (first, last) in self._places.items() if first + len(atom) < head or last > len(value) - tail
        }
        margin = max(map(len, self._all), default=0) + 1
        start, end = max(head - margin, 0), min(len(text) - tail + margin, len(text))
        between = text[start:end]
        words = frozenset(units(between)) if len(self._all) >= MANY else None
        for atom in self._all - seen:
            likely = atom in between if words is None else words.issuperset(self._units[atom])
            if likely and any(self._whole(atom, text, at) for at in occurrences(atom, text, start, end)):
                seen.add(atom)
        return frozenset(seen)

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """The first and the last place of each atom in the value."""
        found: dict[str, tuple[int, int]] = {}
        text = self.value.text
        for atom in self._all:
            first = next(occurrences(atom, text))
            last = text.rfind(atom)
            while last > first and next(occurrences(atom, text, last), -1) != last:
                last = text.rfind(atom, 0, last + len(atom) - 1)
            found[atom] = first, last
        return found

    @cached_property
    def _units(self) -> dict[str, frozenset[str]]:
        return {atom: frozenset(units(atom)) for atom in self._all}

    def _whole(self, atom: str, text: str, start: int) -> bool:
        """Whether what stands in `text` at `start` is the atom, not a piece of a longer word that was cut there."""
        end = start + len(atom)
        return not any(
            self._goes_on(text[max(start - size, 0) : start], atom, "")
            or self._goes_on("", atom, text[end : end + size])
            for size in CONTEXTS
        )

    def _goes_on(self, before: str, atom: str, after: str) -> bool:
        """Whether the atom, in this context, is always part of a longer word of the value, on the other side."""
        value, sought = self.value.text, before + atom + after
        at = value.find(sought) if sought != atom else -1
        found = at >= 0
        while at >= 0:
            end = at + len(sought)
            if before and not in_word(value[end : end + 1] or " "):
                return False
            if after and not in_word(value[at - 1 : at] or " "):
                return False
            at = value.find(sought, at + 1)
        return found


def _shared(length: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to `length` for which it holds, if it holds for all sizes below."""
    low, high = 0, length
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
