"""Measured figures of two runs of a part: exact, so any change is one, and has a cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from harness.nightly.attribution import Cause, CorpusChange, causes, corpus_change, relevant
from harness.nightly.figures import CORPUS, MEASURED, Measured, worsening
from harness.nightly.movers import Mover, top_movers
from harness.runs.kind import Better
from harness.runs.run import Run

UNEXPLAINED = "unexplained: nothing that is recorded differs, so the same input gave another figure"
Muted = Callable[[str], str | None]


@dataclass(frozen=True)
class Change:
    """A measured figure that is another one than in the baseline.

    scope: `common` (transcripts that both have, unchanged) or `corpus` (all of them; only what could be read is judged
    there). worse: as a share of the baseline, negative where it is better. gravity: the worsening beyond `tolerance`,
    as a share of all that could have got worse where that is known (requests, bytes), else of the baseline.
    fails: worse by more than `tolerance`, or unexplained, and not muted.
    """

    part: str
    policy: str
    figure: str
    unit: str
    scope: str
    before: float
    after: float
    worse: float
    tolerance: float
    gravity: float
    causes: tuple[str, ...]
    fails: bool
    muted: str | None = None
    movers: tuple[Mover, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.part}/{self.policy}/{self.figure}"

    @property
    def share(self) -> float | None:
        """The change as a share of the baseline."""
        return (self.after - self.before) / abs(self.before) if self.before else None

    @property
    def unexplained(self) -> bool:
        return self.causes == (UNEXPLAINED,)

    def to_record(self) -> dict[str, Any]:
        return asdict(self) | {"worse": self.worse if np.isfinite(self.worse) else None}


@dataclass(frozen=True)
class Compared:
    """A replayed part against its baseline. notes: what differs besides, in sentences."""

    part: str
    corpus: CorpusChange
    causes: tuple[Cause, ...]
    changes: tuple[Change, ...]
    figures: int
    comparable: bool


def compare_measured(
    part: str, before: Run, after: Run, tolerance: Mapping[str, float], muted: Muted = lambda _: None
) -> Compared:
    """Every measured figure of every policy that both have, over the transcripts that both have."""
    corpus = corpus_change(before, after)
    found = causes(before.manifest, after.manifest)
    changes = list(_readable(part, before, after, corpus, found, tolerance, muted))
    old_rows, new_rows = _by_policy(before), _by_policy(after)
    figures = len(CORPUS)
    for policy in (p for p in after.policies if p in old_rows):
        old, new = old_rows[policy], new_rows[policy]
        old_common, new_common = (rows[rows.index.isin(corpus.common)] for rows in (old, new))
        for figure in MEASURED:
            figures += 1
            a, b = figure.of(old_common), figure.of(new_common)
            if a != b:
                said = tuple(map(str, relevant(found, policy, figure.moved_by))) or (UNEXPLAINED,)
                whole = float(new_common[figure.out_of].sum()) if figure.out_of else 0.0
                change = _change(part, policy, figure, "common", (a, b), whole, tolerance, said, muted)
                changes.append(replace(change, movers=top_movers(figure, old_common, new_common)))
            elif corpus and figure.of(old) != figure.of(new):
                values = (figure.of(old), figure.of(new))
                changes.append(_change(part, policy, figure, "corpus", values, 0.0, tolerance, (str(corpus),), muted))
    return Compared(part, corpus, tuple(found), tuple(changes), figures, bool(corpus.common))


def _change(
    part: str,
    policy: str,
    figure: Measured,
    scope: str,
    values: tuple[float | None, float | None],
    whole: float,
    tolerance: Mapping[str, float],
    said: tuple[str, ...],
    muted: Muted,
) -> Change:
    """A figure that is not identified on one side is NaN there, and never better or worse."""
    a, b = (float("nan") if v is None else v for v in values)
    worse = 0.0 if None in values or scope == "corpus" else worsening(figure.better, a, b)
    allowed = tolerance.get(figure.name, 0.0)
    hushed = muted(f"{part}/{policy}/{figure.name}")
    fails = (worse > allowed or said == (UNEXPLAINED,)) and hushed is None
    better = "lower" if said == (UNEXPLAINED,) and b > a else figure.better
    grave = _gravity(better, (a, b), allowed, whole)
    return Change(part, policy, figure.name, figure.unit, scope, a, b, worse, allowed, grave, said, fails, hushed)


def _gravity(better: Better, values: tuple[float, float], allowed: float, whole: float) -> float:
    """The worsening beyond what is allowed, as a share of `whole`, or of the baseline where there is no whole."""
    a, b = values
    if better == "neither" or np.isnan(a) or np.isnan(b):
        return 0.0
    beyond = (b - a if better == "lower" else a - b) - allowed * abs(a)
    return beyond / (whole or abs(a) or abs(b) or 1.0)


def _readable(
    part: str,
    before: Run,
    after: Run,
    corpus: CorpusChange,
    found: list[Cause],
    tolerance: Mapping[str, float],
    muted: Muted,
) -> Iterator[Change]:
    """What could be read: a transcript that is gone is a loss until someone accepts it."""
    program = tuple(str(c) for c in found if c.kind == "code")
    for name, better in CORPUS.items():
        a, b = _read(before, name), _read(after, name)
        if name == "transcripts" and corpus.removed:
            b, a = float(len(corpus.common) + len(corpus.changed)), a
        if a == b:
            continue
        worse = worsening(better, a, b)
        said = (str(corpus),) if corpus else program or ("corpus: files that hold no transcript",)
        allowed = tolerance.get(name, 0.0)
        hushed = muted(f"{part}/corpus/{name}")
        fails = worse > allowed and hushed is None
        grave = _gravity(better, (a, b), allowed, a if name == "transcripts" else _read(after, "transcripts") + b)
        yield Change(part, "corpus", name, name, "corpus", a, b, worse, allowed, grave, said, fails, hushed)


def _read(run: Run, name: str) -> float:
    manifest = run.manifest
    return float(manifest["corpus"]["transcripts"] if name == "transcripts" else len(manifest[name]))


def _by_policy(run: Run) -> dict[str, pd.DataFrame]:
    rows = run.transcripts.assign(transcript=run.transcripts["transcript"].astype(str))
    return {str(p): part.set_index("transcript").sort_index() for p, part in rows.groupby("policy", observed=True)}
