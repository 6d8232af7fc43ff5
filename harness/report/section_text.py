"""A part made of sections, for a terminal: its first screen and its brief sections, as wide as the terminal is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.report.table_text import answers_text, brief_answers, brief_text, prose, table_text, width

if TYPE_CHECKING:
    from harness.report.screen import Screen
    from harness.report.sections import SectionPart

    Answers = Callable[[Screen, int], str]


ROWS = 11
"""Policies, engines or drivers that a screen of a terminal has room for."""


def summary(part: SectionPart) -> str:
    """Headline, what is to be seen first, the facts, and the brief sections; without details."""
    columns = width()
    found = _first(part.brief_screen(ROWS), columns, brief_answers)
    found += [brief_text(section, columns) for section in part.brief_sections()]
    return "\n\n".join(found)


def everything(part: SectionPart) -> str:
    """The same with every section whole, and what the figures do not say."""
    columns = width()
    found = _first(part.screen(), columns, answers_text)
    for section in part.sections():
        found += [table_text(section, columns), *([prose(section.note, columns, "")] if section.note else [])]
    return "\n\n".join([*found, *(prose(note, columns) for note in part.notes())])


def _first(screen: Screen, columns: int, answers: Answers) -> list[str]:
    facts = "\n".join(prose(f"{f.question} ({f.kind}): {f.value} {f.note}", columns) for f in screen.facts)
    return [prose(screen.headline, columns), answers(screen, columns), facts]
