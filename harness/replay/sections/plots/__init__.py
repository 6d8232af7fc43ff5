"""The plots that carry the argument of a replay: one file a plot. Each takes a part of a report and gives a figure, or
none where the run has nothing to draw."""

from __future__ import annotations

from harness.replay.sections.plots import costs, evidence, growth, savings, sizes
from harness.report.plots.drawing import Plot

SHOWN = ("policies", "evidence")
PLOTS: tuple[Plot, ...] = (
    Plot("evidence", "Input tokens against evidence", "measured", evidence.draw, evidence.words, SHOWN, lead=True),
    Plot("savings", "What each policy saves", "measured", savings.draw, savings.words, ("policies",), lead=True),
    Plot("costs", "Tokens saved and money saved", "measured", costs.draw, costs.words, ("policies", "money")),
    Plot("growth", "How prompts grow over a run", "measured", growth.draw, growth.words, ("policies",)),
    Plot("sizes", "How large tool results are", "measured", sizes.draw, sizes.words, ("contents", "tools")),
)
