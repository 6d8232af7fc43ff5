"""The plots of a run of engines: one file a plot."""

from __future__ import annotations

from harness.bench.sections.plots import acting, confusions, coverage, policies, reliability, right, throughput
from harness.report.plots.drawing import Plot

RIGHT = ("rates", "by_case", "by_family")
PLOTS: tuple[Plot, ...] = (
    Plot("right", "How often right", "live", right.draw, right.words, RIGHT, lead=True),
    Plot("reliability", "Confidence against share right", "live", reliability.draw, reliability.words, ("confidence",)),
    Plot("coverage", "Accuracy against coverage", "live", coverage.draw, coverage.words, ("gates",)),
    Plot("acting", "Risk against coverage of acting", "live", acting.draw, acting.words, ("acting",)),
    Plot("throughput", "Decode rate by input", "live", throughput.draw, throughput.words, ("throughput",)),
    Plot("by-policy", "Right and grounded by policy", "live", policies.draw, policies.words, ("by_policy",)),
    Plot("confusions", "Confusions between tools", "live", confusions.draw, confusions.words, ("confusions",)),
)
