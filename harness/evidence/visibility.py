"""Which atoms of a result stand in a rendering of it.

A cut may go through a word and leave what looks like another one: of `4042` a preview may keep `404…`. What a
rendering ends in the middle of does not count, which is told by what stands before it in the value.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from harness.evidence.occurrences import in_word, occurrences
from harness.evidence.plain import Plain, plain, units

CONTEXT = 16
"""Characters before (behind) an atom by which its place in the value is found."""


class Visibility:
    """The atoms of one result, and in which of its renderings they stand. Answers are kept per text of a rendering."""

    def __init__(self, value: Plain, atoms: Iterable[str]) -> None:
        self.value = value
        self._all = frozenset(atoms)
        self._seen: dict[str, frozenset[str]] = {}

    def shows_all(self, rendered: str) -> bool:
        """Whether every atom stands in a text."""
        return rendered == self.value.raw or len(self.seen(rendered)) == len(self._all)

    def seen(self, rendered: str) -> frozenset[str]:
        """The atoms that stand in a text that a policy shows for the result."""
        if rendered == self.value.raw:
            return self._all
        known = self._seen.get(rendered)
        if known is None:
            known = self._seen[rendered] = self._search(plain(rendered))
        return known

    def _search(self, text: str) -> frozenset[str]:
        words = frozenset(units(text))
        likely = [atom for atom, parts in self._units.items() if words.issuperset(parts)]
        return frozenset(atom for atom in likely if any(self._whole(atom, text, at) for at in occurrences(atom, text)))

    @cached_property
    def _units(self) -> dict[str, frozenset[str]]:
        return {atom: frozenset(units(atom)) for atom in self._all}

    def _whole(self, atom: str, text: str, start: int) -> bool:
        """Whether what stands in `text` at `start` is the atom, not a piece of a longer word that was cut there."""
        end = start + len(atom)
        if text[max(start - 1, 0) : end + 1] in self.value.text:
            return True
        before, after = text[max(start - CONTEXT, 0) : start], text[end : end + CONTEXT]
        return not (self._goes_on(before, atom, "") or self._goes_on("", atom, after))

    def _goes_on(self, before: str, atom: str, after: str) -> bool:
        """Whether the atom, in this context, is always part of a longer word of the value, on the other side."""
        if not before and not after:
            return False
        value, sought = self.value.text, before + atom + after
        at = value.find(sought)
        if at < 0:
            return False
        while at >= 0:
            end = at + len(sought)
            free = not in_word(value[end : end + 1] or " ") if before else at == 0 or not in_word(value[at - 1])
            if free:
                return False
            at = value.find(sought, at + 1)
        return True
