"""The plots that carry the argument. Each takes a report and gives a matplotlib figure; colours follow the policy."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from harness.reports.report import Report
from harness.reports.summary import ALL

COLOURS = ("#4477aa", "#ee6677", "#228833", "#aa8822", "#66ccee", "#aa3377", "#888888", "#cc6600", "#117733", "#332288")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
RUNS = 3

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "harness",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "figure.constrained_layout.use": True,
    "legend.frameon": False,
}


def colour(report: Report, policy: str) -> str:
    """The same policy has the same colour in every plot of a report; identity is black."""
    others = [p for p in report.run.policies if p != "identity"]
    return "#111111" if policy == "identity" else COLOURS[others.index(policy) % len(COLOURS)]


def mark(report: Report, policy: str) -> str:
    """A second cue beside the colour, which repeats."""
    return MARKS[report.run.policies.index(policy) % len(MARKS)]


def _thousands(value: float, _: int | None = None) -> str:
    return f"{value / 1000:,.0f}k" if abs(value) >= 1000 else f"{value:,.0f}"


def savings(report: Report) -> Figure:
    """Paired change of input tokens, by policy: the ratio of totals with its interval, and a typical transcript."""
    rows = [r for r in report.summary.part(ALL) if r.policy != "identity" and r.paired.ratio is not None]
    figure = Figure(figsize=(7, 1.1 + 0.3 * len(rows)))
    axes = figure.subplots()
    for y, row in enumerate(rows):
        p = row.paired
        tint = colour(report, row.policy)
        if p.interval:
            axes.plot([p.interval[0] - 1, p.interval[1] - 1], [y, y], color=tint, linewidth=2)
        axes.plot([_change(p.ratio)], [y], "o", color=tint, label="all requests together" if not y else None)
        axes.plot(
            [_change(p.typical)],
            [y],
            "o",
            color=tint,
            markerfacecolor="none",
            label="a typical transcript" if not y else None,
        )
    axes.axvline(0, color="#111111", linewidth=1)
    axes.set_yticks(range(len(rows)), [r.policy for r in rows])
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("change of input tokens against identity (measured; bars: 95 % over clusters)")
    if rows:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figure


def _change(ratio: float | None) -> float:
    return np.nan if ratio is None else ratio - 1


def growth_of_prompts(report: Report) -> Figure:
    """Prompt tokens per request over the runs with the most input, one panel a run."""
    frame = report.run.requests
    identity = report.run.transcripts[report.run.transcripts["policy"] == "identity"]
    longest = identity.nlargest(RUNS, "input_tokens")["transcript"].tolist()
    figure = Figure(figsize=(7, 2.5 * max(1, len(longest))))
    panels = figure.subplots(max(1, len(longest)), 1, squeeze=False)[:, 0]
    for axes, transcript in zip(panels, longest, strict=False):
        own = frame[frame["transcript"] == transcript]
        for policy in report.run.policies:
            line = own[own["policy"] == policy]
            axes.plot(
                line["request"],
                line["prompt_tokens"],
                color=colour(report, policy),
                linewidth=1.6 if policy == "identity" else 1.1,
                marker=mark(report, policy),
                markevery=max(1, len(line) // 8),
                markersize=3.5,
                label=policy,
            )
        axes.set_title(shortened(str(transcript)), loc="left", fontsize=9)
        axes.yaxis.set_major_formatter(FuncFormatter(_thousands))
        axes.set_ylabel("prompt tokens (measured)")
    panels[-1].set_xlabel("request")
    handles, labels = panels[0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def shortened(name: str, most: int = 70) -> str:
    """A name that fits over a panel, its end kept."""
    return name if len(name) <= most else "…" + name[1 - most :]


def result_sizes(report: Report) -> Figure:
    """How large results are, by count and by bytes, with the limits of the replayed policies drawn in."""
    results = report.run.results
    sizes = np.sort(results.loc[results["policy"] == "identity", "value_bytes"].to_numpy(np.float64))
    figure = Figure(figsize=(7, 3.4))
    axes = figure.subplots()
    if sizes.size:
        shown = np.maximum(sizes, 1)
        axes.step(
            shown, np.arange(1, sizes.size + 1) / sizes.size, where="post", color="#4477aa", label="of the results"
        )
        if sizes.sum():
            axes.step(shown, np.cumsum(sizes) / sizes.sum(), where="post", color="#ee6677", label="of their bytes")
        axes.set_xscale("log")
        _draw_limits(axes, report)
        axes.legend(loc="upper left")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_xlabel("size of a result in bytes (measured)")
    axes.set_ylabel("share up to this size")
    return figure


def _draw_limits(axes: Axes, report: Report) -> None:
    by_limit: dict[float, list[str]] = {}
    for policy, limit in byte_limits(report):
        by_limit.setdefault(limit, []).append(policy)
    for n, (limit, policies) in enumerate(sorted(by_limit.items())):
        axes.axvline(limit, color="#555555", linewidth=0.8, linestyle=":")
        axes.annotate(
            ", ".join(policies),
            (limit, 0.02 + 0.11 * (n % 5)),
            fontsize=7,
            rotation=0,
            ha="left",
            xytext=(3, 0),
            textcoords="offset points",
            xycoords=("data", "axes fraction"),
        )


def byte_limits(report: Report) -> list[tuple[str, float]]:
    """Policies that leave results up to a size as they are, with that size in bytes; those that count otherwise (lines,
    tokens) are left out, except tokens counted as four bytes."""
    found = []
    for policy in report.run.manifest["policies"]:
        settings = policy["settings"]
        limit, unit = settings.get("limit"), settings.get("unit", "bytes")
        factor = {"bytes": 1, "codepoints": 1, "utf16": 1, "tokens4": 4}.get(unit)
        if isinstance(limit, int | float) and factor:
            found.append((policy["label"], float(limit * factor)))
        elif isinstance(settings.get("min_bytes"), int | float) and settings["min_bytes"]:
            found.append((policy["label"], float(settings["min_bytes"])))
    return found


PLOTS: dict[str, tuple[str, Callable[[Report], Figure]]] = {
    "savings": ("What each policy saves", savings),
    "growth": ("How prompts grow over a run", growth_of_prompts),
    "sizes": ("How large tool results are", result_sizes),
}


def svg(draw: Callable[[Report], Figure], report: Report) -> str:
    """A figure as an SVG element, the same bytes for the same run."""
    with matplotlib.rc_context(STYLE):
        stream = io.StringIO()
        draw(report).savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)


def write_pngs(report: Report, directory: Path) -> list[Path]:
    """Every plot as PNG, for Markdown and slides."""
    folder = directory / "plots"
    folder.mkdir(exist_ok=True)
    written = []
    with matplotlib.rc_context(STYLE):
        for name, (_, draw) in PLOTS.items():
            path = folder / f"{name}.png"
            draw(report).savefig(path, format="png", dpi=150, metadata={"Software": None})
            written.append(path)
    return written
