"""What a policy put into a tool's result: the markers of cuts, the descriptors and hints of previews.

Markers are known from the templates of the presets and families (`harness.policies`), and from their general form
(`[… left out]`). Of a preview all is a descriptor that is not a quoted or written value: in
`r1 = text(len=1.2KB, lines=35, head="ab")` all but `ab`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import Formatter
from typing import Any

from harness.grounding.span import Span
from harness.policies.template import NUMBERS

_GENERAL = (
    r"\[[^\[\]\n]{0,200}\b(?:left out|omitted|truncated|elided|clipped|cleared|full value retained)\b[^\]\n]{0,300}\]",
    r"…\d+ \w+ truncated…",
    r"\[read_handle\([^\]\n]*\]",
)
_LETTERS = 8
"""A template with fewer letters may stand in a value by chance."""
_PREVIEW = re.compile(r"(?:^|(?<=\n))r\d+ = (?=(?P<kind>\w+)\()")
_TYPED = ("text", "array", "json")
_DESCRIPTOR = re.compile(
    r'"(?:\\.|[^"\\])*"|(?P<own>\b(?:text|array|json)\((?:\d+\))?|'
    r"\b(?:len|lines|bytes|keys)=[\d.]+(?:[KM]?B)?(?: total)?|"
    r"\b(?:head|tail|first)=|\[-?\d*:-?\d*\]=|…)"
)


def furniture(text: str) -> tuple[list[Span], set[str]]:
    """Where in a result a policy speaks, in order; and the paths and names that its markers offer."""
    found: list[Span] = []
    offers: set[str] = set()
    for match in _markers().finditer(text):
        found.append(match.span())
        offers |= {value for value in match.groupdict().values() if value}
    for match in _PREVIEW.finditer(text):
        found += _descriptors(text, match)
    return _joined(found), offers


def _descriptors(text: str, start: re.Match[str]) -> Iterator[Span]:
    if start["kind"] not in _TYPED:  # an excerpt: its first line is facts, the others are quoted
        end = text.find("\n", start.end())
        yield start.start(), len(text) if end < 0 else end
        return
    yield start.span()
    hint = text.find("\n[full value retained", start.end())
    for match in _DESCRIPTOR.finditer(text, start.end(), hint if hint >= 0 else len(text)):
        if match["own"]:
            yield match.span()


@cache
def _markers() -> re.Pattern[str]:
    templates = {text for settings in _settings() for text in _templates(settings)}
    patterns = [_pattern(template, at) for at, template in enumerate(sorted(templates, key=len, reverse=True))]
    return re.compile("|".join([*patterns, *_GENERAL]))


def _settings() -> Iterator[Mapping[str, Any]]:
    from harness.policies import FAMILIES  # late: an engine's process, whose memory is measured, needs none of it
    from harness.policies.presets import presets
    from harness.policies.settings import defaults
    from harness.policies.spec import family_class

    yield from (preset.settings for preset in presets().values())
    for name in FAMILIES:
        yield defaults(family_class(name))


def _templates(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _templates(value)
        elif isinstance(value, str) and name.endswith(("marker", "before", "after")):
            text = value.strip()
            if sum(c.isalpha() for literal, *_ in Formatter().parse(text) for c in literal) >= _LETTERS:
                yield text


def _pattern(template: str, number: int) -> str:
    made, offered = "", False
    for literal, field, _, _ in Formatter().parse(template):
        made += re.escape(literal)
        if field in NUMBERS or field == "removed":
            made += r"\d[\d,.]*"
        elif field == "path" and not offered:
            made, offered = made + rf"(?P<path{number}>[^\s\]]+)", True
        elif field is not None:
            made += r"[^\n]{1,60}?"
    return made


def _joined(spans: list[Span]) -> list[Span]:
    """In order, those that overlap as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
