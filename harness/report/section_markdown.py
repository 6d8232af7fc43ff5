"""A part made of sections, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.markup import block, escaped
from harness.report.table_markdown import answers_markdown, table_markdown

if TYPE_CHECKING:
    from harness.report.plots.drawing import Drawn
    from harness.report.screen import Screen
    from harness.report.sections import SectionPart


def blocks(part: SectionPart, drawn: list[Drawn]) -> list[str]:
    """First screen, sections with their plots, notes."""
    found = first(part.screen())
    found += [picture(part.place, one) for one in drawn]
    for section in (s for s in part.sections() if not s.folded):
        found += [f"## {section.title} ({section.kind})", *([escaped(section.note)] if section.note else [])]
        found.append(table_markdown(section))
        for quote in section.quotes:
            found += [f"**{escaped(quote.title)}**", block(quote.text)]
    if part.notes():
        found += ["## What the figures do not say", "\n".join(f"- {escaped(note)}" for note in part.notes())]
    return found


ROWS = 9
"""Policies, engines or drivers of which twenty lines have room."""


def brief(part: SectionPart) -> list[str]:
    """What is to be seen first, without details; all that it rests on in one line."""
    screen = part.brief_screen(ROWS)
    facts = (f"{f.question} ({f.kind}): {escaped(f.value)} {escaped(f.note)}." for f in screen.facts)
    return list(filter(None, [escaped(screen.headline), answers_markdown(screen), " ".join(facts)]))


def first(screen: Screen) -> list[str]:
    """Sentence, answers, facts."""
    facts = [f"- {f.question} ({f.kind}): **{escaped(f.value)}** {escaped(f.note)}" for f in screen.facts]
    return [escaped(screen.headline), answers_markdown(screen), "\n".join(facts)]


def picture(place: str, drawn: Drawn) -> str:
    """A plot as an image that lies beside the page."""
    folder = f"plots/{place}" if place else "plots"
    return f"![{escaped(drawn.plot.title)} ({drawn.plot.kind})]({folder}/{drawn.plot.name}.svg)"
