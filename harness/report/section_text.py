"""A part made of sections, for a terminal: its first screen and its brief sections."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from harness.text import harmless, short, table

if TYPE_CHECKING:
    from harness.report.sections import Screen, Section, SectionPart

WIDTH = 100


def summary(part: SectionPart) -> str:
    """Headline, what is to be seen first, the facts, and the brief sections."""
    screen = part.screen()
    found = [_wrapped(screen.headline), _answers(screen)]
    found.append("\n".join(_wrapped(f"{f.question} ({f.kind}): {f.value} {f.note}") for f in screen.facts))
    found += [_section(section) for section in part.sections() if section.brief]
    return "\n\n".join(found)


def _wrapped(text: str) -> str:
    return textwrap.fill(harmless(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _answers(screen: Screen) -> str:
    heads = [f"{short(name)}\n{said}" if said else short(name) for name, said in screen.heads]
    rows = [[question, *values] for question, _, values in screen.rows]
    headers = [f"{screen.caption} ({screen.kind})", *heads]
    return table(rows, headers, right=range(1, len(headers)))


def _section(section: Section) -> str:
    rows = [
        [text if heading in section.words else short(text) for heading, text in zip(section.headings, row, strict=True)]
        for row in section.texts
    ]
    figures = table(rows, section.headings, right=range(section.names, len(section.headings)))
    return f"{section.title} ({section.kind})\n{figures}"
