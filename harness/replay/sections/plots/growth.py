"""Prompt tokens per request over the runs with the most input, one panel a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from harness.replay.sections import wording as say
from harness.report.plots.style import WIDTH, colour, label, mark

if TYPE_CHECKING:
    from harness.replay.sections.part import Replay

RUNS = 3
POINTS = 400


def longest(report: Replay) -> list[str]:
    """Ids of the transcripts with the most input tokens under identity."""
    identity = report.run.transcripts[report.run.transcripts["policy"] == "identity"]
    ordered = identity.sort_values(["input_tokens", "transcript"], ascending=[False, True])
    return [str(t) for t in ordered["transcript"].head(RUNS)]


def draw(report: Replay) -> Figure | None:
    chosen = longest(report)
    if not chosen:
        return None
    frame = report.run.requests[report.run.requests["transcript"].isin(chosen)]
    figure = Figure(figsize=(WIDTH, 0.9 + 1.9 * len(chosen)))
    panels = figure.subplots(len(chosen), 1, squeeze=False)[:, 0]
    for axes, transcript in zip(panels, chosen, strict=True):
        own = frame[frame["transcript"] == transcript]
        for n, policy in enumerate(report.run.policies):
            line = own[own["policy"] == policy]
            shown = np.unique(np.linspace(0, len(line) - 1, min(POINTS, len(line))).astype(int))
            axes.plot(
                line["request"].to_numpy()[shown],
                line["prompt_tokens"].to_numpy()[shown],
                color=colour(report, policy),
                linewidth=2 if policy == "identity" else 1.1,
                marker=mark(report, policy),
                markevery=(n % max(1, len(shown)), max(1, len(shown) // 6)),
                markersize=3.5,
                label=label(policy),
            )
        axes.set_title(label(transcript, 80), loc="left", fontsize=8.5)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: say.short_count(value)))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(bottom=0)
    figure.supylabel("prompt tokens (measured)", fontsize=9)
    panels[-1].set_xlabel("request")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def words(report: Replay) -> str:
    frame = report.run.transcripts
    parts = []
    for transcript in longest(report):
        own = frame[frame["transcript"] == transcript].set_index("policy")["peak_prompt"]
        peaks = ", ".join(f"{p} {say.short_count(float(own[p]))}" for p in report.run.policies)
        parts.append(f"{transcript}: largest prompt {peaks}")
    return "Prompt tokens request by request. " + "; ".join(parts)
