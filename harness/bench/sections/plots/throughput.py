"""Decode rate by length of the input: the clock's figure with its interval, and the engine's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from harness.bench.bands import BANDS
from harness.bench.sections.plots.marks import look, named
from harness.bench.throughput import ALL
from harness.report.plots.style import WIDTH
from harness.report.units import NUMBER

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines


def rows(part: Engines, rate: str) -> pd.DataFrame:
    table = part.summary.throughput
    if table.empty:
        return table
    return table[(table["rate"] == rate) & (table["band"] != ALL)]


def draw(part: Engines) -> Figure | None:
    clock, claimed = rows(part, "decode"), rows(part, "claimed_decode")
    if clock.empty:
        return None
    bands = [band for band in BANDS if band in set(clock["band"])]
    figure = Figure(figsize=(WIDTH, 3.6))
    axes = figure.subplots()
    for n, engine in enumerate(part.engines):
        style = look(part, engine)
        shift = (n - (len(part.engines) - 1) / 2) * 0.12
        own = clock[clock["engine"] == engine].set_index("band")
        x = [bands.index(band) + shift for band in own.index]
        name = named(engine)
        axes.plot(x, own["median"], linestyle="none", markersize=6, label=f"{name}, by the clock", **style)
        for at, low, high in zip(x, own["low"], own["high"], strict=True):
            if not pd.isna(low):
                axes.plot([at, at], [low, high], color=style["color"], linewidth=2, alpha=0.6)
        told = claimed[(claimed["engine"] == engine) & claimed["band"].isin(bands)] if len(claimed) else claimed
        if len(told):
            at_told = [bands.index(band) + shift for band in told["band"]]
            hollow = style | {"markerfacecolor": "none"}
            axes.plot(at_told, told["median"], linestyle="none", label=f"{name}, as it reports", **hollow)
    axes.set_xticks(range(len(bands)), bands)
    axes.set_xlim(-0.5, len(bands) - 0.5)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("UTF-8 bytes of the input")
    axes.set_ylabel("tokens per second (live; bars: 95 % of the median)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figure


def words(part: Engines) -> str:
    return "Median decode rate, tokens per second: " + "; ".join(
        f"{row['engine']}, {row['band']}: {NUMBER.text(row['median'])}"
        for row in rows(part, "decode").to_dict("records")
    )
