"""A part made of sections, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from harness.report.part import Body
from harness.report.plots.style import inline_svg
from harness.text import harmless

if TYPE_CHECKING:
    from jinja2 import Environment

    from harness.report.plots.drawing import Drawn
    from harness.report.sections import SectionPart


def body(part: SectionPart, environment: Environment, drawn: list[Drawn]) -> Body:
    """Every cell is escaped; text that an engine wrote stands in an element of its own, as text."""
    plots = [figure(part, one) for one in drawn]
    lead = next((p for p in plots if p["plot"].lead), None)
    inserts = part.inserts(environment)
    known: dict[str, Any] = {
        "part": part,
        "screen": part.screen(),
        "sections": part.sections(),
        "lead": lead,
        "plots": [p for p in plots if p is not lead],
        "notes": part.notes(),
        "inserts": inserts,
    }
    contents = [(part.anchor(section.name), section.title) for section in part.sections() if not section.folded]
    contents += [(anchor, title) for anchor, title, _ in inserts]
    if known["plots"]:
        contents.insert(0, (part.anchor("plots"), "Plots"))
    return Body(
        Markup(environment.get_template("screen.html.j2").render(known)),
        contents,
        Markup(environment.get_template("sections.html.j2").render(known)),
        part.data(),
    )


def figure(part: SectionPart, drawn: Drawn) -> dict[str, Any]:
    """A plot, with the ids in it its own, and where its figures stand as a table."""
    svg = Markup(inline_svg(drawn.svg, f"{part.place}-{drawn.plot.name}" if part.place else drawn.plot.name))
    at = f"{part.place}-" if part.place else ""
    tables = [(f"{at}{t.name}", t.title) for t in part.sections() if t.name in drawn.plot.tables]
    return {"plot": drawn.plot, "svg": svg, "words": harmless(drawn.plot.words(part))[:2000], "tables": tables}
