"""Every plot as a file of its own, for pages, slides and papers."""

from __future__ import annotations

from pathlib import Path

from harness.report.plots.drawing import drawn
from harness.report.plots.style import png, styled, svg_file
from harness.report.report import Report


class Figures:
    """`plots/`, as SVG and PNG."""

    name = "plots"

    def export(self, report: Report, directory: Path) -> list[Path]:
        written = write_svg(report, directory)
        for part in report.parts:
            for one in drawn(part):
                path = directory / "plots" / part.place / f"{one.plot.name}.png"
                with styled():
                    path.write_bytes(png(one.figure))
                written.append(path)
        return written


def write_svg(report: Report, directory: Path) -> list[Path]:
    """The plots as SVG, which are laid out already; a PNG costs as much again."""
    written = []
    for part in report.parts:
        folder = directory / "plots" / part.place
        folder.mkdir(parents=True, exist_ok=True)
        for one in drawn(part):
            path = folder / f"{one.plot.name}.svg"
            path.write_text(svg_file(one.svg), encoding="utf-8", errors="replace")
            written.append(path)
    return written
