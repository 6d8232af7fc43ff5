"""How large results are, by count and by bytes, with the limits of the replayed policies drawn in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter
from numpy.typing import NDArray

from harness.report.plots.style import COLOURS, GREY, WIDTH, label
from harness.text import count, size

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

POINTS = 400
FACTORS = {"bytes": 1, "codepoints": 1, "utf16": 1, "tokens4": 4}
NAMED = 3


def sizes(report: Replay) -> NDArray[np.float64]:
    results = report.run.results
    return np.sort(results.loc[results["policy"] == "identity", "value_bytes"].to_numpy(np.float64))


def draw(report: Replay) -> Figure | None:
    known = sizes(report)
    if not known.size:
        return None
    limits = [found for found in byte_limits(report) if found[0] > 0]  # a logarithmic axis has no zero
    figure = Figure(figsize=(WIDTH, 3.2 + 0.16 * len(limits)))
    axes = figure.subplots()
    shown = np.unique(np.linspace(0, known.size - 1, POINTS).astype(int))
    place = np.maximum(known, 1)[shown]
    axes.step(place, (shown + 1) / known.size, where="post", color=COLOURS[0], linewidth=1.8, label="of the results")
    if known.sum():
        bytes_up_to = np.cumsum(known)[shown] / known.sum()
        axes.step(place, bytes_up_to, where="post", color=COLOURS[1], linewidth=1.8, label="of their bytes")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _short(value)))
    ends = [float(place[0]), float(place[-1]), *(limit for limit, _ in limits)]
    axes.set_xlim(min(ends) / 1.5, max(ends) * 8)  # room for the names of the limits
    _draw_limits(axes, limits)
    axes.legend(loc="upper left")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("size of a result (measured)")
    axes.set_ylabel("share up to this size")
    return figure


def _draw_limits(axes: Axes, limits: list[tuple[float, list[str]]]) -> None:
    """Dotted lines, named above the plot, each name a row higher than the one to its right, so
    that no line runs through a name."""
    for n, (limit, policies) in enumerate(limits):
        axes.axvline(limit, color=GREY, linewidth=1, linestyle=":")
        more = f" and {len(policies) - NAMED} more" if len(policies) > NAMED else ""
        axes.annotate(
            f"{_short(limit)}: {', '.join(label(p) for p in policies[:NAMED])}{more}",
            (limit, 1),
            fontsize=7.5,
            ha="left",
            xytext=(0, 3 + 11 * (len(limits) - 1 - n)),
            textcoords="offset points",
            xycoords=("data", "axes fraction"),
            arrowprops={
                "arrowstyle": "-",
                "color": GREY,
                "linestyle": ":",
                "relpos": (0, 0.5),
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )


def _short(value: float) -> str:
    return size(round(value)).replace(".0 ", " ")


def byte_limits(report: Replay) -> list[tuple[float, list[str]]]:
    """Sizes in bytes up to which policies leave results as they are, with those policies, smallest first; policies that
    count otherwise (lines, tokens) are left out, except tokens counted as four bytes."""
    found: dict[float, list[str]] = {}
    for policy in report.run.manifest["policies"]:
        settings = policy["settings"]
        limit, factor = settings.get("limit"), FACTORS.get(settings.get("unit", "bytes"))
        if isinstance(limit, int | float) and factor:
            found.setdefault(float(limit * factor), []).append(policy["label"])
        elif isinstance(settings.get("min_bytes"), int | float) and settings["min_bytes"]:
            found.setdefault(float(settings["min_bytes"]), []).append(policy["label"])
    return sorted(found.items())


def words(report: Replay) -> str:
    known = sizes(report)
    whole = known.sum()
    parts = [
        f"{100 * (known <= limit).mean():.0f} % of the results and {100 * known[known <= limit].sum() / whole:.0f} % "
        f"of their bytes are in results of up to {size(round(limit))}, the limit of {', '.join(policies)}"
        for limit, policies in byte_limits(report)
        if whole
    ]
    return f"Sizes of {count(known.size)} results. " + "; ".join(parts)
