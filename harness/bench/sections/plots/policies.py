"""Right, and grounded, by the policy under which a tool result was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from harness.bench.rates import Rates
from harness.bench.sections.plots.marks import look, named
from harness.bench.sections.policies import by_policy
from harness.report.plots.style import WIDTH, label
from harness.report.units import REPORTED

if TYPE_CHECKING:
    from harness.bench.sections.part import Engines

FIGURES = (("right", "right"), ("traced", "traced by the harness"), ("grounded", "passed by its own check"))


def rows(part: Engines) -> list[tuple[str, str, Rates]]:
    return [(engine, policy, found) for engine, policy, which, found in by_policy(part) if which == "all"]


def draw(part: Engines) -> Figure | None:
    shown = rows(part)
    policies = list(dict.fromkeys(policy for _, policy, _ in shown))
    if len(policies) < 2:
        return None
    figure = Figure(figsize=(WIDTH, 1.6 + 0.34 * len(policies) * max(1, len(part.engines) * 0.6)))
    every = figure.subplots(1, len(FIGURES), sharey=True)
    height = 0.7 / len(part.engines)
    for axes, (name, title) in zip(every, FIGURES, strict=True):
        for engine, policy, found in shown:
            one, style, n = getattr(found, name), look(part, engine), part.engines.index(engine)
            if one.value is None or one.interval is None:
                continue
            at = policies.index(policy) + (n - (len(part.engines) - 1) / 2) * height
            axes.plot(list(one.interval), [at, at], color=style["color"], linewidth=2, alpha=0.6)
            axes.plot([one.value], [at], linestyle="none", markersize=5, **style)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xticks([0, 0.5, 1])
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.grid(axis="y", visible=False)
        axes.set_title(title, fontsize=9)
    every[0].set_yticks(range(len(policies)), [label(p, 30) for p in policies])
    every[0].invert_yaxis()
    figure.supxlabel("share of turns (live; bars: 95 % Wilson)", fontsize=9)
    if len(part.engines) > 1:
        marks = [every[0].plot([], [], linestyle="none", **look(part, engine))[0] for engine in part.engines]
        figure.legend(marks, [named(engine) for engine in part.engines], loc="outside upper center", ncols=1)
    return figure


def words(part: Engines) -> str:
    return "Share of turns by policy: " + "; ".join(
        f"{policy}, {engine}: right {REPORTED.text(found.right.value)}, traced {REPORTED.text(found.traced.value)}, "
        f"grounded {REPORTED.text(found.grounded.value)}"
        for engine, policy, found in rows(part)
    )
