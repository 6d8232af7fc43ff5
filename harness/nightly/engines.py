"""Timings and live figures of an engine against a reference that ran interleaved with it, or its own in the baseline.

Times: per pair of neighbouring stretches the median over its turns of the log ratio of times, as `bench.interleave`
does; the pair is the unit, since what drifts on the machine drifts for both. Shares: per task the difference of the
shares of its turns; the task is the unit. Sign-flip test over units, t interval, Holm over the family.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from harness.bench.throughput import FEWEST_TOKENS, OBSERVED, tokens_and_seconds
from harness.nightly.engine_figures import RATES, SHARES
from harness.nightly.figures import COSTS, ENGINE, RATIOS
from harness.statistics.significance import FEWEST_UNITS, LEVEL, POWER, corrected, sign_flip

State = Literal["worse", "better", "fine", "inconclusive"]
HISTORY: Final = "history"
"""In place of a reference: the earlier nights."""
BASELINE: Final = "baseline"
"""In place of a reference: the same engine in the baseline."""
SLIGHT_SECONDS: Final = 0.5
"""Loading that takes longer by less than this is not judged, however often longer it is."""
FLOOR: Final = 0.03
"""A worsening below it is not worth waking anyone; the suite's tolerance replaces it per figure."""
KEYS: Final = ["task", "turn", "repetition"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """One statistical verdict.

    effect, interval, detectable: worsening, as a share of the reference for times, rates and memory, as a difference of
    shares for the others; positive is worse. detectable: the least effect that such a sample finds with 80 % power. p:
    corrected by Holm over the family; raw_p: before that. units: what was resampled. margin: a worsening up to it is
    let pass. confirmed: by a second run; None where none was needed. causes: what is recorded to differ between the
    engine and its reference, or since the level changed.
    """

    part: str
    engine: str
    figure: str
    reference: str
    turns: int
    units: int
    effect: float | None
    interval: tuple[float, float] | None
    p: float | None
    detectable: float | None
    margin: float
    state: State
    why: str
    confirmed: bool | None = None
    muted: str | None = None
    causes: tuple[str, ...] = ()
    raw_p: float | None = None

    @property
    def key(self) -> str:
        return f"{self.part}/{self.engine}/{self.figure}"

    @property
    def fails(self) -> bool:
        return self.state == "worse" and self.muted is None

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


def judge_engines(part: str, turns: pd.DataFrame, reference: str, tolerance: Mapping[str, float]) -> list[Judged]:
    """Every engine of the frame `engine` of a run against the reference among them; the family is all of these."""
    other = turns[turns["engine"] == reference]
    return settle(
        [
            _judge(part, engine, reference, figure, differences, turns_, tolerance.get(figure, FLOOR))
            for engine in _engines(turns)
            if engine != reference
            for figure, differences, turns_ in _differences(turns[turns["engine"] == engine], other, True)
        ]
    )


def judge_against_baseline(
    part: str, turns: pd.DataFrame, before: pd.DataFrame, tolerance: Mapping[str, float]
) -> list[Judged]:
    """What does not depend on the machine's mood, every engine against itself in the baseline: both are frames `engine`
    of the tasks that they have in common. The family is all figures of the engines in these frames: the night asks
    engine by engine."""
    old = set(_engines(before))
    return settle(
        [
            _judge(part, engine, BASELINE, figure, differences, turns_, tolerance.get(figure, FLOOR))
            for engine in _engines(turns)
            if engine in old
            for figure, differences, turns_ in _differences(
                turns[turns["engine"] == engine], before[before["engine"] == engine], False
            )
        ]
    )


def judge_costs(
    part: str,
    now: Mapping[str, float],
    before: Mapping[str, float],
    engine: str,
    reference: str,
    tolerance: Mapping[str, float],
) -> list[Judged]:
    """Memory and loading of an engine, one value a run, against a reference's or its own in the baseline: worse by more
    than its margin or not; whoever is told was confirmed by a second run."""
    found = []
    for figure, usual in COSTS.items():
        if figure in now and before.get(figure, 0.0) > 0:
            margin = tolerance.get(figure, usual)
            effect = now[figure] / before[figure] - 1
            slight = figure == "load_seconds" and now[figure] - before[figure] < SLIGHT_SECONDS
            state: State = "worse" if effect > margin and not slight else "fine"
            why = f"{100 * effect:+.3g} %, one value a run; up to {100 * margin:.3g} % is let pass"
            case = Judged(part, engine, figure, reference, 0, 1, effect, None, None, None, margin, state, why)
            found.append(case)
    return found


def _engines(turns: pd.DataFrame) -> list[str]:
    return [str(engine) for engine in turns["engine"].unique()]


def settle(cases: Sequence[Judged]) -> list[Judged]:
    """Correct the p-values over the family and say what follows from each."""
    ps = corrected([c.raw_p for c in cases], "holm")
    return [_settled(replace(case, p=p)) for case, p in zip(cases, ps, strict=True)]


def settle_again(case: Judged) -> Judged:
    """A suspect's second run, by itself: the first run paid for the family, and both must say the same."""
    return _settled(replace(case, p=case.raw_p))


def confirmed(first: Judged, second: Judged | None) -> Judged:
    """A suspect after it was run again: worse only if the second run alone says so too."""
    if second is not None and second.state == "worse":
        again = f"; run again: {100 * second.effect:+.3g} %" if second.effect is not None else ""
        return replace(first, confirmed=True, why=first.why + again)
    said = "nothing" if second is None or second.effect is None else f"{100 * second.effect:+.3g} %, {second.state}"
    return replace(first, state="inconclusive", confirmed=False, why=f"not confirmed: run again it gave {said}")


def _differences(own: pd.DataFrame, other: pd.DataFrame, interleaved: bool) -> Iterator[tuple[str, Floats, int]]:
    """By figure: worsenings, one a unit, and the turns behind them. Times only of engines that ran interleaved."""
    both = own.merge(other, on=KEYS, suffixes=("", "_reference"))
    if not len(both):
        return
    for figure, values in SHARES.items():
        mine, theirs = values(both, ""), values(both, "_reference")
        known = (mine.notna() & theirs.notna()).to_numpy(bool)
        if known.any():
            worse = (mine - theirs)[known] if ENGINE[figure] == "lower" else (theirs - mine)[known]
            by_task = worse.groupby(both["task"].astype(str)[known]).mean()
            yield figure, np.asarray(by_task, np.float64), int(known.sum())
    if interleaved:
        yield from _slower(both)


def _slower(both: pd.DataFrame) -> Iterator[tuple[str, Floats, int]]:
    """Log ratios, one a pair of neighbouring stretches: medians over turns for times, sums over sums for rates."""
    pair = [both["stretch"], both["stretch_reference"]]
    for figure, column in (("turn_seconds", "seconds"), ("first_seconds", "first_seconds")):
        left, right = (both[name].astype("float64") for name in (column, f"{column}_reference"))
        timed = ((left > 0) & (right > 0)).to_numpy(bool, na_value=False)
        if timed.any():
            logs = (left[timed] / right[timed]).map(math.log)
            pairs = logs.groupby([stretch[timed] for stretch in pair]).median()
            yield figure, pairs.to_numpy(np.float64), int(timed.sum())
    mine, theirs = (tokens_and_seconds(_side(both, suffix)) for suffix in ("", "_reference"))
    for figure, (tokens, seconds) in RATES.items():
        sums = [side.groupby(pair)[[tokens, seconds]].sum(min_count=1) for side in (mine, theirs)]
        rates = [(s[tokens] / s[seconds]).where((s[tokens] >= FEWEST_TOKENS) & (s[seconds] > 0)) for s in sums]
        logs = np.log(rates[1] / rates[0]).dropna()
        if len(logs):
            yield figure, logs.to_numpy(np.float64), int(mine[tokens].notna().sum())


def _side(both: pd.DataFrame, suffix: str) -> pd.DataFrame:
    return pd.DataFrame({name: both[f"{name}{suffix}"] for name in OBSERVED if f"{name}{suffix}" in both})


def _judge(
    part: str, engine: str, reference: str, figure: str, differences: Floats, turns: int, margin: float
) -> Judged:
    case = Judged(
        part, engine, figure, reference, turns, len(differences), None, None, None, None, margin, "inconclusive", ""
    )
    mean = float(differences.mean())
    back = math.expm1 if figure in RATIOS else float
    case = replace(case, effect=back(mean))
    if len(differences) < FEWEST_UNITS:
        return replace(case, why=f"{len(differences)} units, fewer than {FEWEST_UNITS}: no interval")
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    half = error * float(stats.t.ppf(0.5 + LEVEL / 2, len(differences) - 1))
    least = half + error * float(stats.t.ppf(POWER, len(differences) - 1))
    p = sign_flip(differences) if differences.any() else 1.0
    return replace(case, interval=(back(mean - half), back(mean + half)), raw_p=p, detectable=back(least))


def _settled(case: Judged) -> Judged:
    if case.interval is None or case.effect is None or case.p is None:
        return case
    significant = case.p < 1 - LEVEL
    if significant and case.effect >= case.margin:
        return replace(case, state="worse", why=f"worse by {100 * case.effect:.3g} %, corrected p {case.p:.3g}")
    if case.interval[1] < case.margin:
        better = significant and case.effect <= -case.margin
        why = f"better by {100 * -case.effect:.3g} %" if better else f"not worse by more than {100 * case.margin:.3g} %"
        return replace(case, state="better" if better else "fine", why=why)
    least = f"; the least detectable is {100 * case.detectable:.3g} %" if case.detectable is not None else ""
    why = f"a worsening of {100 * case.margin:.3g} % cannot be excluded{least}"
    return replace(case, state="inconclusive", why=why)
