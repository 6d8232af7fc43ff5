"""Every plot as PNG and SVG, for slides and papers."""

from __future__ import annotations

from pathlib import Path

from harness.report.plots.drawing import drawn
from harness.report.plots.style import png, styled, svg_file
from harness.report.report import Report


class Figures:
    """`plots/`, as PNG and SVG; the Markdown page links to it."""

    name = "plots"

    def export(self, report: Report, directory: Path) -> list[Path]:
        written = []
        for part in report.parts:
            folder = directory / "plots" / part.place
            folder.mkdir(parents=True, exist_ok=True)
            for one in drawn(part):
                picture, lines = folder / f"{one.plot.name}.png", folder / f"{one.plot.name}.svg"
                with styled():
                    picture.write_bytes(png(one.figure))
                lines.write_text(svg_file(one.svg), encoding="utf-8", errors="replace")
                written += [picture, lines]
        return written
