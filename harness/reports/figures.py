"""Every plot as PNG and SVG, for slides and papers."""

from __future__ import annotations

from pathlib import Path

from harness.reports.plots import PLOTS
from harness.reports.plots.style import png_file, styled, svg_file
from harness.reports.report import Report


class Figures:
    """`plots/`; the Markdown page links to it."""

    name = "plots"

    def export(self, report: Report, directory: Path) -> list[Path]:
        folder = directory / "plots"
        folder.mkdir(exist_ok=True)
        written = []
        with styled():
            for plot in PLOTS:
                figure = plot.draw(report)
                if figure is None:
                    continue
                for ending, content in (("png", png_file(figure)), ("svg", svg_file(figure))):
                    path = folder / f"{plot.name}.{ending}"
                    path.write_bytes(content)
                    written.append(path)
        return written
