"""What the input of a turn offers as evidence: its words, numbers, quantities, days, times. Found once, asked often."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from functools import cached_property

from harness.grounding.clocks import Clock, clocks
from harness.grounding.dates import Day, days
from harness.grounding.folding import Folded
from harness.grounding.numbers import Number, numbers, spoken_digits
from harness.grounding.span import Span
from harness.grounding.units import Quantity, quantities

_GAP = 10
_TODAY = re.compile(r"\b(?:today(?: is|'s date is|:)|current date(?: is|:)|date:)\s*")


class Evidence:
    """A text and what stands in it. All spans that methods return are places in the text as it was given."""

    def __init__(self, text: str, today: date | None) -> None:
        self.folded = Folded(text)
        self._given = today

    @cached_property
    def numbers(self) -> list[Number]:
        return numbers(self.folded)

    @cached_property
    def quantities(self) -> list[Quantity]:
        return quantities(self.folded, self.numbers)

    @cached_property
    def spoken(self) -> list[tuple[str, int, int]]:
        return list(spoken_digits(self.folded))

    @cached_property
    def clocks(self) -> list[Clock]:
        return clocks(self.folded)

    @cached_property
    def days(self) -> list[Day]:
        return days(self.folded, self.today)

    @cached_property
    def today(self) -> date | None:
        """The day on which it was said: as given, or as the text states it ("Today is Monday, 30 November 2026")."""
        if self._given is not None:
            return self._given
        stated = stated_day(self.folded)
        return stated and stated[0]

    @cached_property
    def words(self) -> Phrases:
        """The words as they are."""
        return Phrases([(word.text, word.start, word.end) for word in self.folded.words])

    @cached_property
    def plain_words(self) -> Phrases:
        """The words without accents."""
        return Phrases(
            [(text, word.start, word.end) for text, word in zip(self.folded.plain, self.folded.words, strict=True)]
        )

    @cached_property
    def words_with_digits(self) -> Phrases:
        """The words, numbers in words written as digits."""
        return Phrases(with_digits(self.folded, self.numbers))

    def phrase(self, phrases: Phrases, wanted: Sequence[str]) -> Span | None:
        """Where these words stand one behind the other."""
        found = phrases.find(wanted)
        return None if found is None else self.folded.span(*found)

    def inflected(self, wanted: Sequence[str]) -> Span | None:
        """Where these words, or other forms of them, stand one behind the other."""
        forms = [stems(word) for word in wanted]
        have = self.folded.words
        for at in sorted({at for stem in forms[0] for at in self._by_stem.get(stem, ())}) if forms else ():
            if at + len(forms) <= len(have) and all(
                not form.isdisjoint(stems(word.text)) for form, word in zip(forms, have[at:], strict=False)
            ):
                return self.folded.span(have[at].start, have[at + len(forms) - 1].end)
        return None

    def apart(self, wanted: Sequence[str]) -> Span | None:
        """Where these words, or other forms of them, stand in this order with at most `_GAP` others between them."""
        have = self.folded.words
        places = [sorted({at for stem in stems(word) for at in self._by_stem.get(stem, ())}) for word in wanted]
        for first in places[0] if places else ():
            at = first
            for candidates in places[1:]:
                following = bisect_right(candidates, at)
                at = candidates[following] if following < len(candidates) else len(have)
            if at < len(have) and at - first < len(wanted) + _GAP:
                return self.folded.span(have[first].start, have[at].end)
        return None

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for at, word in enumerate(self.folded.words):
            for stem in stems(word.text):
                places.setdefault(stem, []).append(at)
        return places

    def literal(self, folded_value: str) -> Span | None:
        """Where a text without words (signs, emoji) stands as it is."""
        at = self.folded.text.find(folded_value) if folded_value else -1
        return None if at < 0 else self.folded.span(at, at + len(folded_value))


class Phrases:
    """Words with their places, for finding several one behind the other."""

    def __init__(self, words: Sequence[tuple[str, int, int]]) -> None:
        self.words = words
        self._places: dict[str, list[int]] = {}
        for at, (text, _, _) in enumerate(words):
            self._places.setdefault(text, []).append(at)

    def find(self, wanted: Sequence[str]) -> tuple[int, int] | None:
        """The start of the first and the end of the last of these words, where they first stand; else None."""
        for at in self._places.get(wanted[0], ()) if wanted else ():
            have = self.words[at : at + len(wanted)]
            if [text for text, _, _ in have] == list(wanted):
                return have[0][1], have[-1][2]
        return None


def with_digits(folded: Folded, found: Sequence[Number]) -> list[tuple[str, int, int]]:
    """The words of a text; where a whole number stands in words, its digits instead."""
    spelled = {
        number.start: number
        for number in reversed(found)
        if number.rule in ("number words", "ordinal") and number.value.denominator == 1
    }
    words: list[tuple[str, int, int]] = []
    past = 0
    for word in folded.words:
        if word.start < past:
            continue
        number = spelled.get(word.start)
        past = number.end if number else word.end
        text = str(number.value) if number and not word.text[0].isdigit() else word.text
        words.append((text, word.start, past))
    return words


def stems(word: str) -> frozenset[str]:
    """What an English word may be a form of, itself included: `running` of `run`, `lights` of `light`."""
    found = {word}
    if word.isascii() and word.isalpha() and len(word) >= 4:
        for ending in ("s", "es", "ed", "d", "ing", "er", "ers"):
            base = word.removesuffix(ending)
            if base != word and len(base) >= 3:
                found |= {base, base + "e"} if ending != "s" else {base}
                if base[-1] == base[-2]:
                    found.add(base[:-1])
        if word.endswith(("ies", "ied")):
            found.add(word[:-3] + "y")
    return frozenset(found)


def stated_day(folded: Folded) -> tuple[date, Span] | None:
    """The day of speaking that a text states, and where it stands with the words before it."""
    stated = [found.span() for found in _TODAY.finditer(folded.text)]
    for day in days(folded, None) if stated else ():
        for start, end in stated:
            if day.year is not None and end <= day.start <= end + len("wednesday, "):
                return date(day.year, day.month, day.day), folded.span(start, day.end)
    return None
