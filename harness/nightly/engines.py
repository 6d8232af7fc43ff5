"""Timings and live figures of an engine against the reference that ran interleaved with it in the same run.

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

from harness.statistics.paired import FEWEST_CLUSTERS, LEVEL, POWER, corrected, sign_flip

State = Literal["worse", "better", "fine", "inconclusive"]
HISTORY: Final = "history"
"""In place of a reference: the earlier nights."""
FLOOR: Final = 0.03
"""A worsening below it is not worth waking anyone; the suite's tolerance replaces it per figure."""
KEYS: Final = ["task", "turn", "repetition"]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """One statistical verdict. effect, interval, detectable: worsening, as a share of the reference for times, as a
    difference of shares for the others; positive is worse. detectable: the least effect that a sample like this finds
    with 80 % power. p: corrected by Holm over the family. units: what was resampled. margin: a worsening up to it is
    let pass. confirmed: by a second run; None where none was needed. causes: what is recorded to differ between the
    engine and its reference, or since the level changed."""

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
    engines = [str(e) for e in turns["engine"].unique() if str(e) != reference]
    open_cases = [
        _judge(part, engine, reference, figure, differences, turns_, tolerance.get(figure, FLOOR))
        for engine in engines
        for figure, differences, turns_ in _differences(turns, engine, reference)
    ]
    return settle(open_cases)


def settle(cases: Sequence[Judged]) -> list[Judged]:
    """Correct the p-values over the family and say what follows from each."""
    ps = corrected([c.p for c in cases], "holm")
    return [_settled(replace(case, p=p)) for case, p in zip(cases, ps, strict=True)]


def confirmed(first: Judged, second: Judged | None) -> Judged:
    """A suspect after it was run again: worse only if the second run alone says so too."""
    if second is not None and second.state == "worse":
        again = f"; run again: {100 * second.effect:+.3g} %" if second.effect is not None else ""
        return replace(first, confirmed=True, why=first.why + again)
    said = "nothing" if second is None or second.effect is None else f"{100 * second.effect:+.3g} %, {second.state}"
    return replace(first, state="inconclusive", confirmed=False, why=f"not confirmed: run again it gave {said}")


def _differences(turns: pd.DataFrame, engine: str, reference: str) -> Iterator[tuple[str, Floats, int]]:
    wanted = [*KEYS, "stretch", "needs_call", "state", "right", "seconds", "first_seconds"]
    own, other = (turns.loc[turns["engine"] == name, wanted] for name in (engine, reference))
    both = own.merge(other, on=KEYS, suffixes=("", "_reference"))
    for figure, column in (("turn_seconds", "seconds"), ("first_seconds", "first_seconds")):
        left, right = (both[name].astype("float64") for name in (column, f"{column}_reference"))
        timed = ((left > 0) & (right > 0)).to_numpy(bool, na_value=False)
        if timed.any():
            logs = (left[timed] / right[timed]).map(math.log)
            pairs = logs.groupby([both["stretch"][timed], both["stretch_reference"][timed]]).median()
            yield figure, pairs.to_numpy(np.float64), int(timed.sum())
    if len(both):
        yield "correct_share", _by_task(both, _right), len(both)
    grounded = both[(both["state"] != "not reported") & (both["state_reference"] != "not reported")]
    if len(grounded):
        yield "grounded_share", _by_task(grounded, _grounded), len(grounded)


def _right(both: pd.DataFrame, suffix: str) -> pd.Series:
    return both[f"right{suffix}"].fillna(False).astype("float64")


def _grounded(both: pd.DataFrame, suffix: str) -> pd.Series:
    return (both[f"state{suffix}"] == "grounded").astype("float64")


def _by_task(both: pd.DataFrame, value: Any) -> Floats:
    lost = value(both, "_reference") - value(both, "")
    return np.asarray(lost.groupby(both["task"].astype(str)).mean(), np.float64)


def _judge(
    part: str, engine: str, reference: str, figure: str, differences: Floats, turns: int, margin: float
) -> Judged:
    case = Judged(
        part, engine, figure, reference, turns, len(differences), None, None, None, None, margin, "inconclusive", ""
    )
    mean = float(differences.mean())
    back = math.expm1 if figure in ("turn_seconds", "first_seconds") else float
    case = replace(case, effect=back(mean))
    if len(differences) < FEWEST_CLUSTERS:
        return replace(case, why=f"{len(differences)} units, fewer than {FEWEST_CLUSTERS}: no interval")
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    half = error * float(stats.t.ppf(0.5 + LEVEL / 2, len(differences) - 1))
    least = half + error * float(stats.t.ppf(POWER, len(differences) - 1))
    p = sign_flip(differences) if differences.any() else 1.0
    return replace(case, interval=(back(mean - half), back(mean + half)), p=p, detectable=back(least))


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
