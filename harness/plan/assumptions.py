"""What a plan rests on, stated or taken from a pilot.

A run passes where what lies under it, normal and with the correlation `alike` between any two runs of one task, is over
a threshold: so a task that is hard in one arm is hard in the other, and repetitions of it say the less new the more
alike they are. The effect is never taken from a pilot: what a small pilot happens to show is no reason to expect it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.arms.compare import Arms
from harness.arms.read import arms_of
from harness.errors import HarnessError
from harness.plan.settings import MOST_ALIKE, PlanSettings
from harness.runs.run import Run

STATED, FROM_PILOT, DEFAULT = "stated", "from the pilot", "default"
FEWEST_PAIRS = 20
"""Pairs of runs of one task below which a pilot does not say how alike they are."""


@dataclass(frozen=True)
class Assumptions:
    """passed: the first arm's pass rate. effect: of the other, added to it. alike: the correlation of what lies under
    pass and fail in two runs of a task. tokens, usd: of a run, None where not known. sources: where each is from."""

    passed: float
    effect: float
    alike: float
    tokens: float | None
    usd: float | None
    sources: Mapping[str, str]


def assumptions(settings: PlanSettings) -> Assumptions:
    """Raises `HarnessError` for a pilot that is no run of `harness arms`, and for pass rates outside of 0 to 1."""
    pilot = _pilot(Path(settings.paths[0])) if settings.paths else {}
    found: dict[str, float | None] = {}
    sources = {"effect": DEFAULT if settings.effect is None else STATED}
    for name, default in (("passed", 0.5), ("alike", 0.5), ("tokens", None), ("usd", None)):
        given = getattr(settings, name)
        found[name] = given if given is not None else pilot.get(name, default)
        sources[name] = STATED if given is not None else FROM_PILOT if name in pilot else DEFAULT
    passed, alike = found["passed"], found["alike"]
    assert passed is not None
    assert alike is not None
    second = passed + settings.wanted_effect
    if not 0 < second < 1:
        raise HarnessError(f"a pass rate of {passed:g} and an effect of {settings.wanted_effect:+g} make {second:g}")
    return Assumptions(passed, settings.wanted_effect, alike, found["tokens"], found["usd"], sources)


def _pilot(path: Path) -> dict[str, float]:
    run = Run(path)
    if run.manifest.get("command") != "arms":
        raise HarnessError(f"{path}: a run of {run.manifest.get('command')}; a pilot is a run of `harness arms`")
    return of_arms(arms_of(run, run.table("runs")))


def of_arms(arms: Arms) -> dict[str, float]:
    """What a pilot says, as far as it does."""
    found: dict[str, float] = {}
    passed = arms.rate(arms.baseline)
    if passed is not None and 0 < passed < 1:
        found["passed"] = passed
    if (alike := likeness(arms)) is not None:
        found["alike"] = alike
    whole = arms.of(arms.baseline)
    tokens = (whole["input_tokens"] + whole["output_tokens"]).dropna()
    for name, values in (("tokens", tokens), ("usd", whole["usd"].dropna())):
        if len(values) and float(values.mean()) > 0:
            found[name] = float(values.mean())
    return found


def likeness(arms: Arms) -> float | None:
    """The tetrachoric correlation of two runs of a task: within arms where tasks have several runs, else between the
    first arm and the others. None for under 20 pairs, and where all pass or all fail."""
    known = arms.runs[arms.runs["passed"].notna()]
    groups = known.assign(passed=known["passed"].astype(float)).groupby(["arm", "task"], observed=True)["passed"]
    n, c = groups.count().to_numpy(np.float64), groups.sum().to_numpy(np.float64)
    pairs = float((n * (n - 1) / 2).sum())
    if pairs >= FEWEST_PAIRS:
        rate = float((c * (n - 1)).sum() / (2 * pairs))
        return _correlation(rate, rate, float((c * (c - 1) / 2).sum()) / pairs)
    found = []
    for arm in arms.others:
        both = arms.means["passed"][[arms.baseline, arm]].dropna()
        if len(both) >= FEWEST_PAIRS:
            a, b = both[arms.baseline].to_numpy(np.float64), both[arm].to_numpy(np.float64)
            found.append(_correlation(float(a.mean()), float(b.mean()), float((a * b).mean())))
    kept = [one for one in found if one is not None]
    return float(np.mean(kept)) if kept else None


def _correlation(first: float, second: float, both: float) -> float | None:
    """Of two normals that are over their thresholds this often, and together so often; within 0 to .99."""
    from scipy.optimize import brentq
    from scipy.special import ndtri
    from scipy.stats import multivariate_normal

    if not (0 < first < 1 and 0 < second < 1):
        return None
    at = np.array([ndtri(first), ndtri(second)])

    def over(alike: float) -> float:
        return float(multivariate_normal.cdf(at, cov=[[1, alike], [alike, 1]])) - both

    if over(0.0) >= 0:
        return 0.0
    if over(MOST_ALIKE) <= 0:
        return MOST_ALIKE
    return float(brentq(over, 0.0, MOST_ALIKE, xtol=1e-4))
