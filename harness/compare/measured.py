"""Measured figures of two runs of a part: exact, so any change is one, and has a cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.compare.attribution import Cause, CorpusChange, causes, corpus_change, relevant
from harness.compare.figures import CORPUS, MEASURED, Measured, worsening
from harness.results.run import Run

MOVERS = 3
UNEXPLAINED = "unexplained: nothing that is recorded differs, so the same input gave another figure"
Muted = Callable[[str], str | None]


@dataclass(frozen=True)
class Mover:
    """A transcript that moved a figure."""

    transcript: str
    source: str
    before: float
    after: float


@dataclass(frozen=True)
class Change:
    """A measured figure that is another one than in the baseline.

    scope: `common` (transcripts that both have, unchanged) or `corpus` (all of them; only what could be read is judged
    there). worse: as a share of the baseline, negative where it is better. fails: worse by more than `tolerance`, and
    not muted.
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

    @property
    def comparable(self) -> bool:
        return bool(self.corpus.common)


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
                change = _change(part, policy, figure, "common", (a, b), tolerance, said, muted)
                changes.append(_with_movers(change, figure, old_common, new_common))
            elif corpus and figure.of(old) != figure.of(new):
                whole = (figure.of(old), figure.of(new))
                changes.append(_change(part, policy, figure, "corpus", whole, tolerance, (str(corpus),), muted))
    changes.sort(key=lambda c: (not c.fails, c.scope != "common", -c.worse))
    return Compared(part, corpus, tuple(found), tuple(changes), figures)


def _change(
    part: str,
    policy: str,
    figure: Measured,
    scope: str,
    values: tuple[float | None, float | None],
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
    return Change(part, policy, figure.name, figure.unit, scope, a, b, worse, allowed, said, fails, hushed)


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
        yield Change(part, "corpus", name, name, "corpus", a, b, worse, allowed, said, fails, hushed)


def _read(run: Run, name: str) -> float:
    manifest = run.manifest
    return float(manifest["corpus"]["transcripts"] if name == "transcripts" else len(manifest[name]))


def _by_policy(run: Run) -> dict[str, pd.DataFrame]:
    rows = run.transcripts.assign(transcript=run.transcripts["transcript"].astype(str))
    return {str(p): part.set_index("transcript").sort_index() for p, part in rows.groupby("policy", observed=True)}


def _with_movers(change: Change, figure: Measured, before: pd.DataFrame, after: pd.DataFrame) -> Change:
    column = figure.column or figure.name
    old, new = (rows[column].astype("float64") for rows in (before, after))
    moved = (new - old).abs()
    top = moved[moved > 0].sort_values(ascending=False, kind="stable").index[:MOVERS]
    sources = after["source"].astype(str)
    movers = tuple(Mover(str(n), sources[n], float(old[n]), float(new[n])) for n in top)
    return Change(**{**vars(change), "movers": movers})
