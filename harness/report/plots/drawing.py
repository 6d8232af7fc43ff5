"""From the plots of a part to figures that are laid out, each once, however many exporters want them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from matplotlib.figure import Figure

from harness.report.plots.style import keep_layout, lay_out, styled, svg

if TYPE_CHECKING:
    from harness.report.part import Part


@dataclass(frozen=True)
class Plot:
    """draw: takes the part whose plot it is, and gives none where that has nothing to draw. words: what the figure
    shows, for those who cannot see it. tables: names of the sections that hold its figures. lead: it stands on the
    first screen, the first such one that there is."""

    name: str
    title: str
    kind: str
    draw: Callable[[Any], Figure | None]
    words: Callable[[Any], str]
    tables: tuple[str, ...] = ()
    lead: bool = False


@dataclass(frozen=True)
class Drawn:
    """A plot laid out: the figure, and the SVG element made of it."""

    plot: Plot
    figure: Figure
    svg: str


_DRAWN: WeakKeyDictionary[Part, list[Drawn]] = WeakKeyDictionary()


def drawn(part: Part) -> list[Drawn]:
    """The plots that the part has something for."""
    if part not in _DRAWN:
        with styled():
            _DRAWN[part] = [d for plot in part.plots() if (d := _draw(plot, part)) is not None]
    return _DRAWN[part]


def _draw(plot: Plot, part: Part) -> Drawn | None:
    figure = plot.draw(part)
    if figure is None:
        return None
    _fit(figure)
    return Drawn(plot, figure, svg(figure))


LONGEST = 64
"""Characters of a line below a plot."""


def _fit(figure: Figure) -> None:
    """Long lines below a plot are broken; the names of a legend that is too wide stand below one another."""
    for axes in figure.axes:
        axes.set_xlabel(textwrap.fill(axes.get_xlabel(), LONGEST))
    lay_out(figure)
    legends = [*figure.legends, *(legend for axes in figure.axes if (legend := axes.get_legend()))]
    wide = [legend for legend in legends if legend.get_window_extent().width > figure.bbox.width]
    for legend in wide:
        legend.set_ncols(1)
    if wide:
        lay_out(figure)
    keep_layout(figure)
