"""The verdict on two families (METHOD, section 7).

The figure is the gap at equal measured tokens. *A* or *B* only if the bill and typical agree in sign, each interval
that there is excludes 0, no source reverses beyond the margin, and at neither end of what calls may cost the other is
shown to be better; *equal within the margin* where both intervals lie inside it, and no end of the calls is shown to
leave it; *depends* where the gap is beyond the margin and shown on both sides of 0 at budgets within a tenfold range of
A's default; else *not shown*.

At the lower end of the calls what cannot be recovered costs nothing, so a family that can recover pays for it and one
that cannot does not: that end alone cannot make a verdict, only break one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from harness.decide.budgets import Path, path_of, variants
from harness.decide.curves import WEIGHTINGS, Curve, Floats, Gap, Ground, Pair, Weighting
from harness.decide.settings import DecideSettings
from harness.replay.sections.grid import Grid, grid
from harness.runs.run import Run
from harness.statistics.clusters import Clusters, clusters_of
from harness.statistics.significance import LEVEL

Word = Literal["A", "B", "equal", "depends", "not shown"]
Cost = Literal["tokens", "with calls, low", "with calls, high", "money"]
TENFOLD = 4
"""Budgets on either side of the default that a tenfold range holds."""
OF_WEIGHT = 0.05
"""Of the requests with dependencies: a source with less cannot reverse a verdict."""
LARGE = 12
"""Clusters of a source from which on its gap has an interval."""


@dataclass(frozen=True)
class Source:
    """One source: its clusters, its share of the requests with dependencies, and its gaps."""

    name: str
    transcripts: int
    clusters: int
    share: float
    gaps: Mapping[Weighting, Gap]


@dataclass(frozen=True)
class Change:
    """What one thing changed would make of the answer: the gaps of a variant, or of a part of the corpus."""

    what: str
    subject: str
    gaps: Mapping[Weighting, Gap]


@dataclass(frozen=True)
class Sideways:
    """At equal evidence: B's tokens over A's."""

    weighting: Weighting
    ratio: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Decision:
    """word: the verdict, and why. gaps: at A's default budget, by cost and weighting. along: the same at A's budgets,
    in measured tokens. crossing: sizes of A between which the gap turns; None where it does not."""

    settings: DecideSettings
    a: Path
    b: Path
    word: Word
    why: str
    gaps: Mapping[Cost, Mapping[Weighting, Gap]]
    along: Mapping[Weighting, list[Gap]]
    crossing: tuple[float, float] | None
    sideways: list[Sideways]
    sources: list[Source]
    changes: list[Change]
    ground: Ground
    curves: Mapping[str, Curve]
    placebo: Mapping[str, Floats]
    transcripts: int

    @property
    def margin(self) -> float:
        """As a share."""
        return self.settings.margin / 100

    def first(self, weighting: Weighting) -> Gap:
        """At equal measured tokens."""
        return self.gaps["tokens"][weighting]

    def to_record(self) -> dict[str, Any]:
        """For a program; gaps are differences of shares."""
        return {
            "schema": 1,
            "a": self.a.family,
            "b": self.b.family,
            "margin": self.margin,
            "verdict": self.word,
            "why": self.why,
            "figure": "requests with all dependencies visible, A less B, at equal cost and A's default budget",
            "gaps": {cost: {w: asdict(gap) for w, gap in both.items()} for cost, both in self.gaps.items()},
            "crossing": self.crossing,
            "equal_evidence": [asdict(one) for one in self.sideways],
            "paths": {"a": asdict(self.a), "b": asdict(self.b)},
            "sources": [_record(one) for one in self.sources],
            "changes": [_record(one) for one in self.changes],
            "transcripts": self.transcripts,
            "clusters": self.ground.clusters.count,
        }


def _record(one: Source | Change) -> dict[str, Any]:
    return vars(one) | {"gaps": {w: asdict(gap) for w, gap in one.gaps.items()}}


def decide(run: Run, settings: DecideSettings) -> Decision:
    """The verdict out of a replay of both families at all their budgets."""
    whole = grid(run.transcripts, run.policies)
    a, b = path_of(settings.a), path_of(settings.b)
    ground = _ground(whole)
    curves = {cost: _pair(whole, ground, a, b, cost) for cost in COSTS}
    pair = curves["tokens"]
    gaps = {cost: {w: one.gap(w, a.default) for w in WEIGHTINGS} for cost, one in curves.items()}
    along = {w: [pair.gap(w, at) for at in range(len(a.policies))] for w in WEIGHTINGS}
    crossing = crossing_of(pair, a, settings.margin / 100)
    sources = _sources(whole, a, b)
    word, why = verdict(gaps, settings.margin / 100, crossing, sources, a)
    sideways = [Sideways(w, *pair.sideways(w, a.default)) for w in WEIGHTINGS]
    placebo = {path.family: _column(whole, path, "placebo_at_risk") for path in (a, b)}
    changes = [*_variants(whole, ground, a, b), *_without(whole, a, b), *_money(whole, a, b)]
    return Decision(
        settings, a, b, word, why, gaps, along, crossing, sideways, sources, changes, ground,
        {a.family: pair.a, b.family: pair.b}, placebo, len(whole.transcripts),
    )  # fmt: skip


def verdict(
    gaps: Mapping[Cost, Mapping[Weighting, Gap]],
    margin: float,
    crossing: tuple[float, float] | None,
    sources: list[Source],
    path: Path,
) -> tuple[Word, str]:
    """The word and the reason."""
    now, ends = gaps["tokens"], [gaps["with calls, low"], gaps["with calls, high"]]
    if now["bill"].value is None or now["typical"].value is None:
        return "not shown", now["bill"].why or now["typical"].why
    if crossing is not None:
        return "depends", f"the gap turns between {crossing[0]:,.0f} and {crossing[1]:,.0f} of {path.family}'s size"
    if all(gap.is_within(margin) for gap in now.values()):
        leaves = any(gap.is_above(margin) or gap.is_below(-margin) for end in ends for gap in end.values())
        return ("not shown", WITH_CALLS) if leaves else ("equal", "both intervals lie within the margin")
    word = _side(now)
    if not word:
        return "not shown", _missing(now)
    sign = 1 if word == "A" else -1
    if any(gap.is_below() if sign > 0 else gap.is_above() for end in ends for gap in end.values()):
        return "not shown", WITH_CALLS
    if against := [s.name for s in sources if s.share >= OF_WEIGHT and _reverses(s, sign, margin)]:
        return "not shown", f"of the sources {', '.join(against)} reverses beyond the margin"
    agree = all(_side(end) == word for end in ends)
    calls = "so they do at both ends of what calls may cost" if agree else "with calls it is open"
    return word, f"the bill and typical agree; {calls}"


WITH_CALLS = "what calls may cost turns the answer"


def _side(gaps: Mapping[Weighting, Gap]) -> Literal["A", "B", ""]:
    """A or B where both weightings have that sign, a typical interval excludes 0, and so does the bill's if there is
    one; else empty."""
    bill, usual = gaps["bill"], gaps["typical"]
    sides: tuple[tuple[Literal["A", "B"], int], ...] = (("A", 1), ("B", -1))
    for word, sign in sides:
        if all(gap.value is not None and sign * gap.value > 0 for gap in (bill, usual)):
            shown = [gap.is_above() if sign > 0 else gap.is_below() for gap in (bill, usual) if gap.interval]
            if usual.interval is not None and all(shown):
                return word
    return ""


def _missing(gaps: Mapping[Weighting, Gap]) -> str:
    bill, usual = gaps["bill"], gaps["typical"]
    assert bill.value is not None
    assert usual.value is not None
    if bill.value * usual.value < 0:
        return "the bill and typical disagree in sign"
    return usual.why or "an interval holds 0 and reaches beyond the margin"


def _reverses(source: Source, sign: int, margin: float) -> bool:
    return any(gap.value is not None and sign * gap.value < -margin for gap in source.gaps.values())


COSTS: tuple[Cost, ...] = ("tokens", "with calls, low", "with calls, high")


def _cost(whole: Grid, cost: Cost) -> Floats:
    """(T, P) of every policy of the run."""
    if cost == "money":
        return whole.column("cost_warm") + whole.column("added_cost_evidence")
    tokens = whole.column("input_tokens")
    if cost == "tokens":
        return tokens
    called = tokens + whole.column("added_tokens_evidence")
    return called if cost == "with calls, low" else called + whole.column("unrecoverable_tokens")


def _ground(whole: Grid, cost: Cost = "tokens") -> Ground:
    bearing = np.nan_to_num(whole.column("bearing_requests")[:, 0])
    return Ground(Clusters.of(clusters_of(whole.shared)), bearing, _cost(whole, cost)[:, 0])


def _at(whole: Grid, path: Path) -> list[int]:
    """Columns of a family's policies, doing nothing last."""
    return [whole.policies.index(label) for label in path.policies] + [0]


def _column(whole: Grid, path: Path, name: str) -> Floats:
    return np.nan_to_num(whole.column(name)[:, _at(whole, path)])


def _curve(whole: Grid, path: Path, cost: Cost) -> Curve:
    return Curve(_cost(whole, cost)[:, _at(whole, path)], _column(whole, path, "at_risk_requests"))


def _pair(whole: Grid, ground: Ground, a: Path, b: Path, cost: Cost) -> Pair:
    return Pair(ground, _curve(whole, a, cost), _curve(whole, b, cost))


def crossing_of(pair: Pair, a: Path, margin: float) -> tuple[float, float] | None:
    """Two of A's sizes within a tenfold range at which the gap is beyond the margin and shown to have different signs,
    as near to each other as there are; each at a level that allows for looking at all of them."""
    near = [n for n in range(a.default - TENFOLD, a.default + TENFOLD + 1) if 0 <= n < len(a.policies)]
    level = 1 - (1 - LEVEL) / max(len(near), 1)
    for weighting in WEIGHTINGS:
        gaps = {n: pair.gap(weighting, n, level) for n in near}
        above = [n for n, gap in gaps.items() if gap.is_above() and (gap.value or 0) > margin]
        below = [n for n, gap in gaps.items() if gap.is_below() and (gap.value or 0) < -margin]
        if above and below:
            one, other = min(((x, y) for x in above for y in below), key=lambda xy: abs(xy[0] - xy[1]))
            return min(a.sizes[one], a.sizes[other]), max(a.sizes[one], a.sizes[other])
    return None


def _sources(whole: Grid, a: Path, b: Path) -> list[Source]:
    names = whole.shared["format"].astype(str).to_numpy()
    total = max(float(_ground(whole).bearing.sum()), 1)
    found = []
    for name in sorted(set(names)):
        part = whole.rows(names == name)
        ground = _ground(part)
        if ground.bearing.sum():
            pair = _pair(part, ground, a, b, "tokens")
            gaps = {w: pair.gap(w, a.default) for w in WEIGHTINGS}
            share = float(ground.bearing.sum()) / total
            found.append(Source(name, len(part.transcripts), ground.clusters.count, share, gaps))
    return found if len(found) > 1 else []


def _variants(whole: Grid, ground: Ground, a: Path, b: Path) -> list[Change]:
    """A variant of A, and A against a variant of B, at the default budgets."""
    found = []
    for path in (a, b):
        for label in variants((path.family,)):
            at = whole.policies.index(label)
            curve = Curve(_cost(whole, "tokens")[:, [at]], np.nan_to_num(whole.column("at_risk_requests")[:, [at]]))
            rival = b if path is a else a
            pair = Pair(ground, curve, _curve(whole, rival, "tokens"))
            what = "JSON recorded as values" if "sniff" in label else "a readable handle"
            subject = f"{label} less {rival.family}"
            found.append(Change(what, subject, {w: pair.gap(w, 0) for w in WEIGHTINGS}))
    return found


def _without(whole: Grid, a: Path, b: Path) -> list[Change]:
    """Without the cluster that has most of the tokens."""
    ground = _ground(whole)
    names, member = ground.clusters.names, ground.clusters.member
    if ground.clusters.count < 3:
        return []
    largest = int(np.argmax(ground.clusters.sums(ground.identity)))
    part = whole.rows(member != largest)
    pair = _pair(part, _ground(part), a, b, "tokens")
    return [Change("another corpus", f"without {names[largest]}", {w: pair.gap(w, a.default) for w in WEIGHTINGS})]


def _money(whole: Grid, a: Path, b: Path) -> list[Change]:
    """At equal money, calls by evidence included, where all prices are known."""
    if not np.isfinite(_cost(whole, "money")).all():
        return []
    pair = _pair(whole, _ground(whole, "money"), a, b, "money")
    return [
        Change("price in place of tokens", "at equal USD, cache warm", {w: pair.gap(w, a.default) for w in WEIGHTINGS})
    ]
