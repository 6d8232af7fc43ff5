"""Grounding of booleans: words that switch something on or off, and the argument's own name."""

from __future__ import annotations

import re

from harness.grounding.evidence import Evidence, stems
from harness.grounding.folding import words_of
from harness.grounding.span import Span
from harness.grounding.synonyms import bundled

# "on" is a preposition more often than not: it counts behind a verb of switching, or at the end of a clause.
_ON = re.compile(
    r"\b(?:turn(?:ed|ing)?|switch(?:ed|ing)?|put|flip|power|leave|keep|get)\s+(on)\b"
    r"|\b(on)\b(?=\s*(?:$|[.,;:!?)]|and\b|then\b|please\b|in\b|at\b|for\b|again\b|now\b|until\b|with\b))"
    r"|^\s*(?:[\w']+\s+){0,3}(?:lights?|lamps?)\s+(on)\b"
)
_NEGATIONS = frozenset({"not", "no", "never", "without", "dont", "don", "cannot", "disable", "off", "nicht", "kein"})
_BEHIND = frozenset({"off", "disabled", "out"})
_FILLERS = frozenset(
    {"is", "be", "should", "the", "a", "set", "use", "to", "as", "it", "of", "has", "have", "get", "show", "include",
     "return", "allow", "enable", "enabled", "want", "with"}
)  # fmt: skip
_SWITCHES = frozenset(
    {"on", "state", "power", "active", "activate", "status", "value", "flag", "toggle", "switch", "turn"}
)
Hit = tuple[str, Span | None] | None
"""The rule that holds and where the evidence stands; None, if none holds."""


def ground_boolean(found: Evidence, value: bool, path: str) -> Hit:
    """Evidence for a boolean argument. Words that switch count only where its name says just that it switches."""
    name = [word for word in words_of(re.sub(r"\[\d+\]", "", path).rpartition(".")[2]) if word not in _FILLERS]
    if name and _SWITCHES.isdisjoint(name):
        span = _named(found, value, name)
        return ("named", span) if span else None
    words = bundled()
    for word in words.true if value else words.false:
        if span := found.phrase(found.words, words_of(word)):
            return "switch word", span
    if value and (on := _ON.search(found.folded.text)):
        return "switch word", found.folded.span(*on.span(next(at for at in (1, 2, 3) if on[at])))
    return None


def _named(found: Evidence, value: bool, name: list[str]) -> Span | None:
    """Where the argument's own name stands, unnegated for true, negated for false; or for false its opposite."""
    have = found.folded.words
    for at in range(len(have) - len(name) + 1):
        if all(not stems(word).isdisjoint(stems(have[at + i].text)) for i, word in enumerate(name)):
            past = at + len(name)
            before, behind = (
                {word.text for word in part} for part in (have[max(0, at - 3) : at], have[past : past + 2])
            )
            if value is (before.isdisjoint(_NEGATIONS) and behind.isdisjoint(_BEHIND)):
                return found.folded.span(have[at].start, have[past - 1].end)
    if not value and len(name) == 1:
        for word in bundled().opposites.get(name[0], ()):
            if span := found.inflected([word]):
                return span
    return None
