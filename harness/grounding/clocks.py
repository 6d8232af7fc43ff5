"""The times of day that stand in a text. Where it does not say which half of the day ("at 7"), both are given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.grounding.folding import Folded

_SMALL = "one two three four five six seven eight nine ten eleven twelve"
HOURS = {name: at for at, name in enumerate(_SMALL.split(), start=1)}


def any_of(names: Iterable[str]) -> str:
    """A pattern for any of these, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "fifteen": 15}
for _tens, _name in enumerate(("twenty", "thirty", "forty", "fifty"), start=2):
    _MINUTES[_name] = 10 * _tens
    _MINUTES |= {f"{_name}{dash}{word}": 10 * _tens + one for word, one in list(HOURS.items())[:9] for dash in "- "}
_HOUR = rf"(?P<hour>\d{{1,2}}|{any_of(HOURS)})"
_WORD = any_of(HOURS)
_FREE = r"(?<![\d:.,])"
_HALF = r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?|\s+in the (?P<part>morning|afternoon|evening)\b)"
_COUNT = rf"(?:{any_of(set(_MINUTES) - {'half', 'quarter', 'a quarter'})}|\d{{1,2}})"
_SIDE = "(?P<side>past|after|to|before|till)"
_NO_CLOCK = r"(?![:.,]?\d|\s*(?:[ap]\.?\s?m\b|%|o'?clock|degrees|percent|minutes|hours|people|days|in the|past|to)|h\d)"
_SIGNS = r"(?P<hour>\d{1,2})(?:点|點|時|时|시)(?: ?(?P<minute>\d{2})[分분]?|(?P<halfpast>半))?"
_CLOCK = [
    re.compile(pattern)
    for pattern in (
        rf"{_FREE}(?P<hour>\d{{1,2}})[:h](?P<minute>\d{{2}})(?::\d{{2}})?(?![\d:]){_HALF}?",
        rf"{_FREE}(?P<hour>\d{{1,2}})\.(?P<minute>\d{{2}}){_HALF}",
        rf"{_FREE}{_HOUR}(?P<half>[ap])m\b",
        rf"{_FREE}\b{_HOUR}(?: o'?clock)?{_HALF}",
        rf"\b{_HOUR} o'?clock\b",
        rf"(?<!from )\b(?P<offset>(?:a )?quarter|half|{_COUNT})(?: minutes?)? {_SIDE} {_HOUR}\b{_HALF}?",
        rf"\b(?P<offset>half) {_HOUR}\b{_HALF}?",
        rf"\b(?P<hour>{_WORD}) (?P<spoken>(?:oh|o) (?:{_WORD})|{_COUNT})\b{_HALF}?",
        rf"\b(?:at|by|until|till|before|after|from|around|about|to|for|-) {_HOUR}\b{_NO_CLOCK}",
        rf"\b(?:from|between) {_HOUR}(?=\s*(?:to|and|until|till|-)\b)",
        r"\b(?P<name>noon|midday|midnight)\b",
        rf"(?P<cjk>上午|下午|午前|午後|오전|오후) ?{_SIGNS}",
        rf"(?<!\d){_SIGNS}",
    )
]
_LATE = {"p": True, "a": False, "morning": False, "afternoon": True, "evening": True, "下午": True, "午後": True,
         "오후": True, "上午": False, "午前": False, "오전": False}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in a text. minutes: since midnight, both halves of the day where the text says none."""

    minutes: frozenset[int]
    start: int
    end: int


def clocks(folded: Folded) -> list[Clock]:
    """All readings of all times of day in a text, without those that are a part of a longer one."""
    found = [
        Clock(minutes, *match.span())
        for pattern in _CLOCK
        for match in pattern.finditer(folded.text)
        if (minutes := _minutes({key: value for key, value in match.groupdict().items() if value}))
    ]
    found.sort(key=lambda clock: (clock.start, -clock.end))
    kept: list[Clock] = []
    for clock in found:
        longest = kept[-1] if kept else None
        if longest is None or clock.end > longest.end or (clock.start, clock.end) == (longest.start, longest.end):
            kept.append(clock)
    return kept


def _minutes(parts: dict[str, str]) -> frozenset[int]:
    if "name" in parts:
        return frozenset({0 if parts["name"] == "midnight" else 12 * 60})
    hour = HOURS[parts["hour"]] if parts["hour"] in HOURS else int(parts["hour"])
    minute = 30 if "halfpast" in parts else int(parts.get("minute", 0))
    if spoken := parts.get("spoken"):
        minute = _number(spoken.split(maxsplit=1)[-1] if spoken.startswith("o") and " " in spoken else spoken)
    if offset := parts.get("offset"):
        minute = _number(offset)
        if parts.get("side") in ("to", "before", "till"):
            hour, minute = hour - 1, 60 - minute
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return frozenset()
    said = parts.get("half") or parts.get("part") or parts.get("cjk")
    if said and hour <= 12:
        return frozenset({(hour % 12 + 12 * _LATE[said]) * 60 + minute})
    if hour <= 12 and not parts["hour"].startswith("0"):
        return frozenset({(hour % 12 + late) * 60 + minute for late in (0, 12)})
    return frozenset({hour % 24 * 60 + minute})


def _number(word: str) -> int:
    return _MINUTES.get(word) or HOURS.get(word) or int(word)
