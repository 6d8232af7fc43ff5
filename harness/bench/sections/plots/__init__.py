"""The plots of a run of engines: one file a plot."""

from __future__ import annotations

from harness.bench.sections.plots import confusions, coverage, policies, reliability, right, throughput
from harness.report.plots.drawing import Plot

PLOTS: tuple[Plot, ...] = (
    Plot("right", "How often right", "live", right.draw, right.words, lead=True),
    Plot("reliability", "Confidence against share right", "live", reliability.draw, reliability.words),
    Plot("coverage", "Accuracy against coverage", "live", coverage.draw, coverage.words),
    Plot("throughput", "Decode rate by length of the input", "live", throughput.draw, throughput.words),
    Plot("by-policy", "Right and grounded by policy", "live", policies.draw, policies.words),
    Plot("confusions", "Confusions between tools", "live", confusions.draw, confusions.words),
)
