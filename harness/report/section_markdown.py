"""A part made of sections, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.markup import block, code, escaped, pipe_table

if TYPE_CHECKING:
    from harness.report.plots.drawing import Drawn
    from harness.report.sections import Screen, Section, SectionPart


def blocks(part: SectionPart, drawn: list[Drawn]) -> list[str]:
    """First screen, sections with their plots, notes."""
    screen = part.screen()
    found = [escaped(screen.headline), _answers(screen)]
    facts = [f"- {f.question} ({f.kind}): **{escaped(f.value)}** {escaped(f.note)}" for f in screen.facts]
    found.append("\n".join(facts))
    found += [picture(part.place, one) for one in drawn]
    for section in part.sections():
        found += [f"## {section.title} ({section.kind})", escaped(section.note), _table(section)]
        for quote in section.quotes:
            found += [f"**{escaped(quote.title)}**", block(quote.text)]
    if part.notes():
        found += ["## What the figures do not say", "\n".join(f"- {escaped(note)}" for note in part.notes())]
    return found


def picture(place: str, drawn: Drawn) -> str:
    """A plot as an image that lies beside the page."""
    folder = f"plots/{place}" if place else "plots"
    return f"![{escaped(drawn.plot.title)} ({drawn.plot.kind})]({folder}/{drawn.plot.name}.png)"


def _answers(screen: Screen) -> str:
    heads = [f"{code(name)} {escaped(said)}".strip() for name, said in screen.heads]
    cells = [
        [escaped(question), *(f"**{escaped(v)}**" if main and v else escaped(v) for v in values)]
        for question, main, values in screen.rows
    ]
    return pipe_table([f"{escaped(screen.caption)} ({screen.kind})", *heads], cells)


def _table(section: Section) -> str:
    named = [n < section.names and heading not in section.words for n, heading in enumerate(section.headings)]
    cells = [
        [code(text) if is_name and text else escaped(text) for is_name, text in zip(named, row, strict=True)]
        for row in section.texts
    ]
    return pipe_table([escaped(h) for h in section.headings], cells, section.names)
