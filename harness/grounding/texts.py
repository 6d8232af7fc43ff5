"""Grounding of texts: names, sentences, enum values, dates, times, addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.grounding.booleans import Hit
from harness.grounding.clocks import clocks
from harness.grounding.dates import WEEKDAYS, Day, days
from harness.grounding.evidence import Evidence, with_digits
from harness.grounding.folding import Folded, words_of
from harness.grounding.numbers import numbers
from harness.grounding.numeric import ground_number
from harness.grounding.synonyms import bundled
from harness.grounding.units import comes_to, converted, quantities

_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_MOMENT = re.compile(r"(.{6,}?)(?:t|\s*,?\s+(?:at )?)(\d.*?)(?:z|[-+]\d\d:?\d\d)?")
_LONGEST_MOMENT = 80
"""Characters of a value that may be a quantity, a day or a time; longer ones are prose."""
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(.+?)/?", re.IGNORECASE)
_SPOKEN_SIGNS = {"@": "at", ".": "dot", "/": "slash", "-": "dash", "_": "underscore", ":": "colon", "#": "hash"}
_SMALL = """a an the to of my our your and or for in on at is are be with by from that this it i me we you please"""
_ARTICLES = ("the", "a", "an")
_SMALL_WORDS = frozenset(_SMALL.split())


def ground_text(
    found: Evidence,
    value: str,
    path: str,
    schema: Mapping[str, Any],
    tool: Mapping[str, Any],
    synonyms: Mapping[str, Sequence[str]],
) -> Hit:
    """Evidence for a text that is not empty. A member of an enum is held to its words, forms of them and synonyms."""
    folded = Folded(value)
    words = words_of(value)
    if hit := _written(found, folded, words) or _synonym(found, value, words, synonyms) or _day_name(found, words):
        return hit
    if "enum" in schema:
        span = found.inflected(words)
        return ("inflected", span) if span else None
    short = len(value) <= _LONGEST_MOMENT
    return (
        (_measured(found, value, folded, path, schema, tool) if short else None)
        or (_moment(found, folded) if short else None)
        or _digits(found, value)
        or _address(found, value)
        or _loosely(found, words)
    )


def _written(found: Evidence, folded: Folded, words: Sequence[str]) -> Hit:
    """The words of the value, one behind the other."""
    if not words:
        span = found.literal(folded.text.strip())
        return ("sign", span) if span else None
    exact = tuple(word.text for word in folded.words)
    has_letters = bool(_LETTER.search(folded.text))
    for wanted in (exact, words):
        if span := found.phrase(found.words, wanted):
            said = " ".join(Folded(found.folded.original[slice(*span)]).text.split())
            first, last = folded.words[0].start, folded.words[-1].end
            if wanted is exact and said == " ".join(folded.text[first:last].split()):
                return "text", span
            if has_letters:  # `12:30` is not the end of `2026-12-30`
                return "punctuation aside", span
    if not has_letters:
        return None
    if span := found.phrase(found.plain_words, folded.plain):
        return "accents aside", span
    spelled = [text for text, _, _ in with_digits(folded, numbers(folded))]
    if span := found.phrase(found.words_with_digits, spelled):
        return "number words", span
    return None


def _synonym(found: Evidence, value: str, words: Sequence[str], synonyms: Mapping[str, Sequence[str]]) -> Hit:
    names = (value, Folded(value).text, " ".join(words))
    for phrase in [word for name in names for word in (*synonyms.get(name, ()), *bundled().values.get(name, ()))]:
        wanted = words_of(phrase)
        # A sign in a synonym ("°C") is the half that counts.
        span = found.phrase(found.words, wanted) if phrase[0].isalnum() else found.literal(Folded(phrase).text)
        if span:
            return "synonym", span
    return None


def _day_name(found: Evidence, words: Sequence[str]) -> Hit:
    """A weekday for a day whose date is known: `friday` for "tomorrow"."""
    if len(words) != 1 or words[0] not in WEEKDAYS or found.today is None:
        return None
    for day in found.days:
        date = day.date
        if date is not None and date.weekday() == WEEKDAYS[words[0]]:
            return "relative date", found.folded.span(day.start, day.end)
    return None


def _measured(
    found: Evidence, value: str, folded: Folded, path: str, schema: Mapping[str, Any], tool: Mapping[str, Any]
) -> Hit:
    """A number as text, or a number with its unit: `20`, `30 minutes`."""
    if _NUMBER.fullmatch(value.strip()):
        plain = value.strip().lstrip("+")
        if hit := next(
            (("spoken digits", found.folded.span(a, b)) for digits, a, b in found.spoken if digits == plain), None
        ):
            return hit
        number = float(plain) if "." in plain else int(plain)
        return (
            None
            if plain[0] == "0" and len(plain) > 1 and "." not in plain
            else ground_number(found, number, path, schema, tool)
        )
    for wanted in quantities(folded, numbers(folded)):
        if folded.text[: wanted.start].strip() or folded.text[wanted.end :].strip():
            continue
        for said in found.quantities:
            exact = converted(said, wanted.unit)
            if exact is not None and comes_to(exact, wanted.value):
                return "unit", found.folded.span(said.start, said.end)
    return None


def _moment(found: Evidence, folded: Folded) -> Hit:
    """A day, a time of day, or both."""
    text = folded.text.strip()
    if hit := _day(found, text) or _time(found, text):
        return hit
    if both := _MOMENT.fullmatch(text):
        day, time = _day(found, both[1]), _time(found, both[2])
        if day and time:
            return day
    return None


def _day(found: Evidence, text: str) -> Hit:
    folded = Folded(text)
    wanted = [day for day in days(folded, None) if (day.start, day.end) == (0, len(text))]
    for said in found.days:
        if any(said.means(day) for day in wanted):
            return _day_rule(said), found.folded.span(said.start, said.end)
    return None


def _day_rule(said: Day) -> str:
    return {"said": "date", "year": "year of the day", "day": "relative date"}[said.known]


def _time(found: Evidence, text: str) -> Hit:
    folded = Folded(text)
    wanted = [clock for clock in clocks(folded) if (clock.start, clock.end) == (0, len(text))]
    for said in found.clocks:
        if any(said.minutes & clock.minutes for clock in wanted):
            return "time", found.folded.span(said.start, said.end)
    return None


def _digits(found: Evidence, value: str) -> Hit:
    """Five or more digits that are grouped otherwise, as in a phone number; or said one by one."""
    if not re.fullmatch(r"[-+()./\s\d]+", value):
        return None
    digits = re.sub(r"\D", "", value)
    if len(digits) < 5:
        return None
    for match in re.finditer(r"\+?\(?\d[\d\s().-]*\d", found.folded.text):
        if re.sub(r"\D", "", match[0]) == digits:
            return "digits", found.folded.span(*match.span())
    for said, start, end in found.spoken:
        if said == digits:
            return "spoken digits", found.folded.span(start, end)
    return None


def _address(found: Evidence, value: str) -> Hit:
    """An e-mail address, URL or path as it is said aloud, or without its scheme."""
    if not re.search(r"[@./]", value) or re.search(r"\s", value):
        return None
    said = re.sub(r"[@./:#_-]", lambda sign: f" {_SPOKEN_SIGNS[sign[0]]} ", value)
    bare = _ADDRESS.fullmatch(value)
    for text in (said, bare[1] if bare else value):
        if span := found.phrase(found.words, [word.text for word in Folded(text).words]):
            return "address", span
    return None


def _loosely(found: Evidence, words: Sequence[str]) -> Hit:
    if not any(_LETTER.search(word) for word in words):
        return None
    if span := found.inflected(words):
        return "inflected", span
    if len(words) > 1 and words[0] in _ARTICLES and (span := found.phrase(found.words, words[1:])):
        return "words apart", span
    content = [word for word in words if word not in _SMALL_WORDS]
    return ("words apart", span) if len(content) > 1 and (span := found.apart(content)) else None
