"""What a night comes to: one state, the figures behind it, and one line that says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from harness.compare.engines import Judged
from harness.compare.measured import Change, Compared

State = Literal["fine", "inconclusive", "regression"]


@dataclass(frozen=True)
class Verdict:
    """baseline: name of the group, None where there is none. chosen: how it came to be that. runs: by part, the run's
    directory name. notes: what a reader must know besides, in sentences."""

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

    @property
    def changes(self) -> list[Change]:
        """All measured figures that changed, those that fail in front."""
        found = [change for part in self.compared for change in part.changes]
        return sorted(found, key=lambda c: (not c.fails, c.scope != "common"))

    @property
    def failures(self) -> list[Change | Judged]:
        return [c for c in self.changes if c.fails] + [j for j in self.judged if j.fails]

    @property
    def state(self) -> State:
        if self.failures:
            return "regression"
        unsure = any(j.state == "inconclusive" for j in self.judged) or any(not c.comparable for c in self.compared)
        return "inconclusive" if unsure or self.baseline is None else "fine"

    def exit_code(self, strict: bool) -> int:
        """0 or 1; inconclusive is 1 only if `strict`."""
        return int(self.state == "regression" or (strict and self.state == "inconclusive"))

    def line(self) -> str:
        """What got worse, by how much, why, and whether it is sure."""
        against = f"against {self.baseline}" if self.baseline else "no baseline yet"
        head = f"{self.suite}: {self.state}"
        failures = self.failures
        if failures:
            more = f"; and {len(failures) - 1} more" if len(failures) > 1 else ""
            return f"{head}: {failure_text(failures[0])}{more} ({against})"
        figures = sum(c.figures for c in self.compared)
        changed = sum(c.scope == "common" for c in self.changes)
        said = f"{figures} measured figures, {changed or 'none'} changed" if figures else "no measured figures compared"
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
            "changes": [c.to_record() for c in self.changes],
            "judged": [j.to_record() for j in self.judged],
        }


def failure_text(failure: Change | Judged) -> str:
    """One failure in words: which figure, by how much, why, how sure."""
    if isinstance(failure, Judged):
        again = ", seen again when run again" if failure.confirmed else ""
        return f"{failure.key} {signed(failure.effect)} worse (p {_p(failure.p)}{again})"
    return f"{failure.key} {change_text(failure)} [{'; '.join(failure.causes)}], sure: measured exactly"


def change_text(change: Change) -> str:
    """`before → after (+3.2 %)`."""
    share = f" ({signed(change.share)})" if change.share is not None and np.isfinite(change.share) else ""
    return f"{number(change.before)} → {number(change.after)}{share}"


def signed(share: float | None) -> str:
    return "not identified" if share is None else f"{100 * share:+.3g} %"


def number(value: float) -> str:
    """A figure as a reader sees it."""
    if np.isnan(value):
        return "not identified"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.6g}"


def _p(p: float | None) -> str:
    return "not computed, step in the history" if p is None else f"{p:.2g}"


def suspects(judged: Iterable[Judged]) -> list[Judged]:
    """What is run again before anyone is told."""
    return [j for j in judged if j.fails and j.confirmed is None]
