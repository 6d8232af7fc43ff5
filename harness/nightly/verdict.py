"""What a night comes to: one state, the figures behind it, and one line that says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from harness.nightly.engines import BASELINE as AGAINST_BASELINE
from harness.nightly.engines import HISTORY, Judged
from harness.nightly.figures import ENGINE
from harness.nightly.measured import UNEXPLAINED, Change, Compared
from harness.report.units import GROWTH, QUANTITY

State = Literal["fine", "inconclusive", "incomplete", "regression"]


@dataclass(frozen=True)
class Verdict:
    """baseline: name of the group, None where there is none. chosen: how it came to be that. runs: by part, the run's
    directory name. notes: what a reader must know besides, in sentences. lacks_baseline: there is none, and measured
    figures need one. missing: what the baseline had and was not compared, in sentences."""

    suite: str
    group: str
    started: float
    finished: float
    baseline: str | None
    chosen: str
    runs: dict[str, str]
    compared: tuple[Compared, ...]
    judged: tuple[Judged, ...]
    notes: tuple[str, ...] = ()
    lacks_baseline: bool = False
    missing: tuple[str, ...] = ()

    @property
    def changes(self) -> list[Change]:
        """All measured figures that changed: those that fail in front, the gravest first, what other transcripts moved
        last."""
        found = [change for part in self.compared for change in part.changes]
        return sorted(found, key=lambda c: (not c.fails, not c.fails and c.scope != "common", -c.gravity, c.key))

    @property
    def failures(self) -> list[Change | Judged]:
        """The gravest first; what was measured before what is statistical."""
        live = sorted((j for j in self.judged if j.fails), key=_gravest)
        return [*(c for c in self.changes if c.fails), *live]

    @property
    def state(self) -> State:
        if self.failures:
            return "regression"
        if self.missing or any(not c.comparable for c in self.compared):
            return "incomplete"
        unsure = any(j.state == "inconclusive" for j in self.judged)
        return "inconclusive" if unsure or self.lacks_baseline else "fine"

    def exit_code(self, strict: bool) -> int:
        """0 or 1; inconclusive is 1 only if `strict`."""
        return int(self.state in ("regression", "incomplete") or (strict and self.state == "inconclusive"))

    def line(self) -> str:
        """What got worse, by how much, why, and whether it is sure."""
        against = "there is no baseline yet" if self.lacks_baseline else f"against {self.baseline or 'the reference'}"
        head = f"{self.suite}: {self.state}"
        failures = self.failures
        if failures:
            more = f"; {len(failures) - 1} more failed" if len(failures) > 1 else ""
            gone = f"; besides, {len(self.missing)} not compared: {self.missing[0]}" if self.missing else ""
            return f"{head}: {failure_text(failures[0])}{more}{gone} ({against})"
        if self.missing:
            more = f"; and {len(self.missing) - 1} more" if len(self.missing) > 1 else ""
            return f"{head}: {self.missing[0]}{more} ({against})"
        figures = sum(c.figures for c in self.compared)
        changed = sum(c.scope == "common" for c in self.changes)
        none = "no measured figures compared" if self.lacks_baseline else "no measured figures"
        said = f"{figures} measured figures, {changed or 'none'} changed" if figures else none
        said += "".join(f"; {c.corpus.short()}" for c in self.compared if c.corpus)
        unsure = sum(j.state == "inconclusive" for j in self.judged)
        timed = f"; {len(self.judged)} timings and live figures, {unsure} inconclusive" if self.judged else ""
        return f"{head}: {said}{timed} ({against})"

    def to_record(self) -> dict[str, Any]:
        """All of it as JSON holds it."""
        return {
            "suite": self.suite,
            "group": self.group,
            "started": self.started,
            "finished": self.finished,
            "baseline": self.baseline,
            "chosen": self.chosen,
            "state": self.state,
            "line": self.line(),
            "runs": self.runs,
            "notes": list(self.notes),
            "missing": list(self.missing),
            "changes": [c.to_record() for c in self.changes],
            "judged": [j.to_record() for j in self.judged],
        }


def _gravest(judged: Judged) -> tuple[int, float, str]:
    """Failures of turns first, then what is right, what is traced, and so on, as `ENGINE` has them."""
    return list(ENGINE).index(judged.figure), judged.margin - (judged.effect or 0.0), judged.key


def failure_text(failure: Change | Judged) -> str:
    """One failure in words: which figure, by how much, why, how sure."""
    return _live_text(failure) if isinstance(failure, Judged) else _measured_text(failure)


def _measured_text(change: Change) -> str:
    if change.unexplained:
        return f"{change.key} changed: {change_text(change)}; {UNEXPLAINED}; sure: measured exactly"
    exactly = "an estimate, but exactly so" if "estimated" in change.unit else "measured exactly"
    return f"{change.key} got worse: {change_text(change)}; cause: {'; '.join(change.causes)}; sure: {exactly}"


def _live_text(judged: Judged) -> str:
    against = {HISTORY: "earlier nights", AGAINST_BASELINE: "the baseline"}.get(judged.reference, judged.reference)
    cause = f"; cause: {'; '.join(judged.causes)}" if judged.causes else "; cause: nothing recorded differs"
    between = (
        f", 95 % interval {GROWTH.text(judged.interval[0])} to {GROWTH.text(judged.interval[1])}"
        if judged.interval
        else ""
    )
    step = "a step in the history" if judged.reference == HISTORY else "one value a run"
    rests = step if judged.p is None else f"p {judged.p:.2g}"
    again = ", and seen again when run again" if judged.confirmed else ""
    return (
        f"{judged.key} got worse: {GROWTH.text(judged.effect)} against {against}{between}{cause}; sure: {rests}{again}"
    )


def change_text(change: Change) -> str:
    """`before → after unit (+3.2 %)`."""
    share = f" ({GROWTH.text(change.share)})" if change.share is not None and np.isfinite(change.share) else ""
    unit = f" {change.unit}" if change.unit and change.unit not in ("share", change.figure) else ""
    return f"{QUANTITY.text(change.before, change.unit)} → {QUANTITY.text(change.after, change.unit)}{unit}{share}"


BASELINE = "baseline"


def ways_to_accept(verdict: Verdict) -> list[str]:
    """How failures are accepted: by a new `BASELINE`, or, said in words, by another reference of a bench."""
    live = [f for f in verdict.failures if isinstance(f, Judged) and f.reference not in (HISTORY, AGAINST_BASELINE)]
    pairs = dict.fromkeys((f.part, f.engine) for f in live)
    ways = [f"to accept the engine, name {engine} as reference of bench {part} in the suite" for part, engine in pairs]
    return ([BASELINE] if len(live) < len(verdict.failures) or verdict.missing else []) + ways


def suspects(judged: Iterable[Judged]) -> list[Judged]:
    """What is run again before anyone is told."""
    return [j for j in judged if j.fails and j.confirmed is None]
