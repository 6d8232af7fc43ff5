"""One Markdown page, fit for a design review."""

from __future__ import annotations

from pathlib import Path

from harness.report.figures import write_svg
from harness.report.markup import code, escaped
from harness.report.part import Part
from harness.report.plots.drawing import Drawn, drawn
from harness.report.report import Report


class Markdown:
    """`report.md`, for a design review, with the plots beside it."""

    name = "md"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "report.md"
        plots = write_svg(report, directory)
        path.write_text(page(report), encoding="utf-8", errors="replace")
        return [path, *plots]


def page(report: Report) -> str:
    """The whole page: every part with how to cite it."""
    blocks = [f"# {escaped(report.title)}"] if report.title else []
    for part in report.parts:
        shown = drawn(part)
        blocks += [f"# {escaped(part.title)}: run {code(part.run.id)}", *part.markdown(shown)]
        blocks += ["## More", _links(part, shown), "## To cite and to repeat", *_citation(part)]
    return "\n\n".join(blocks) + "\n"


def _links(part: Part, shown: list[Drawn]) -> str:
    below = f"{part.place}/" if part.place else ""
    lines = ["- the whole report with every table, to sort and to search: [index.html](index.html)"]
    lines += [f"- all tables as [CSV](csv/{below})"]
    for one in shown:
        place = f"plots/{below}{one.plot.name}"
        lines.append(f"- {escaped(one.plot.title)}: [SVG]({place}.svg)")
    return "\n".join(lines)


def _citation(part: Part) -> list[str]:
    found = part.citation()
    facts = "\n".join(f"- {escaped(name)}: {code(value)}" for name, value in found.facts.items())
    return [escaped(found.sentence), facts, f"```bibtex\n{found.bibtex}\n```"]
