"""One night: run the suite, compare with the baseline, run suspects again, and keep the verdict.

results/verdicts/<group>.json     what was said of a group, and whether it was a regression
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.bench.settings import BenchSettings
from harness.errors import HarnessError
from harness.nightly.carry_out import Options, Say, _quiet, carry_out, commit_here, run_part, settled
from harness.nightly.figures import better, is_ratio
from harness.nightly.judge import by_history, judge, judge_run
from harness.nightly.read import Part, Suite
from harness.nightly.verdicts import keep
from harness.runs.annotations import Annotations, add_accepted, read_annotations
from harness.runs.directory import list_runs
from harness.runs.groups import Group, read_groups
from harness.runs.lock import alone

if TYPE_CHECKING:
    from harness.nightly.engines import Judged
    from harness.nightly.verdict import Verdict


def _nothing(verdict: Verdict) -> None:
    pass


def nightly(
    suite: Suite,
    results: Path,
    options: Options,
    say: Say = _quiet,
    world: Any = None,
    then: Callable[[Verdict], None] = _nothing,
) -> Verdict:
    """The whole night, which ends with what is done `then`. Interrupted at any moment, the same call goes on.

    Frames and statistics are imported after the engines have run, since on Linux a process counts the memory of the one
    that started it.
    """
    with alone(results):
        annotations = read_annotations(results)
        group = carry_out(suite, results, options, say, world)
        from harness.nightly.verdict import suspects

        verdict = judge(suite, results, group, annotations)
        if found := suspects(verdict.judged):
            verdict = Confirmation(suite, results, group, options, say, world, annotations).of(verdict, found)
        keep(results, group.name, verdict.to_record())
        then(verdict)
        settled(results, suite.name)
        return verdict


def accept(suite: Suite, results: Path, why: str, now: float) -> Group:
    """Make the newest group of the suite the baseline: a remark in the annotations, and the pinned folder."""
    from harness.nightly.baseline import pin

    with alone(results):
        read_annotations(results)
        groups = [g for g in read_groups(results, suite.name) if not g.partial]
        if not groups:
            raise HarnessError(f"{results}: no whole run of suite {suite.name} to accept; run harness nightly first")
        group = groups[-1]
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
        remark = {"suite": suite.name, "group": group.name, "why": why, "when": when}
        commit = group.commit or commit_here()
        pin(results, group)
        add_accepted(results, remark | ({"commit": commit} if commit else {}))
        return group


@dataclass(frozen=True)
class Confirmation:
    """Suspects run again, before anyone is told: the same tasks, the suspect engines and their reference."""

    suite: Suite
    results: Path
    group: Group
    options: Options
    say: Say
    world: Any
    annotations: Annotations

    def of(self, verdict: Verdict, found: list[Judged]) -> Verdict:
        """The verdict with every suspect confirmed or taken back."""
        judged, runs = list(verdict.judged), dict(verdict.runs)
        for part in self.suite.parts:
            mine = [j for j in found if j.part == part.name]
            if mine:
                self.say(f"again: {', '.join(j.key for j in mine)}")
                again = self._run(part, mine)
                runs[f"{part.name} (again)"] = again.name
                second = self._second(part, again, mine)
                judged = [second.get(j.key, j) for j in judged]
        return replace(verdict, judged=tuple(judged), runs=runs)

    def _run(self, part: Part, mine: list[Judged]) -> Path:
        settings = part.settings
        assert isinstance(settings, BenchSettings)
        wanted = {j.engine for j in mine} | {part.reference}
        engines = tuple(e for e in settings.engines if e in wanted) or settings.engines
        mine_again = replace(part, settings=replace(settings, engines=engines))
        ours = set(self.group.runs.values())
        claimed = {r.name for r in list_runs(self.results) if r.name in ours or not self._after(r)}
        return run_part(mine_again, self.results, self.options, claimed, self.world, self.say)

    def _after(self, run: Path) -> bool:
        """Whether a run was made after the group: what an interruption of this very confirmation left."""
        group_file = self.results / "groups" / f"{self.group.name}.json"
        return run.stat().st_ctime >= group_file.stat().st_ctime

    def _second(self, part: Part, again: Path, mine: list[Judged]) -> dict[str, Judged]:
        from harness.nightly.baseline import find_baseline
        from harness.nightly.engine_figures import engine_figures
        from harness.nightly.engines import HISTORY, confirmed, settle_again
        from harness.runs.run import Run

        run = Run(again)
        found: dict[str, Judged] = {}
        if stepped := [j for j in mine if j.reference == HISTORY]:
            values = engine_figures(run)
            series = by_history(part.name, self.suite.tolerance, self.results, self.group, self.annotations)
            by_key = {case.key: (old, accepted) for case, old, accepted in series}
            for j in stepped:
                found[j.key] = self._on_new_level(j, values.get((j.engine, j.figure)), *by_key[j.key])
        if beside := [j for j in mine if j.reference != HISTORY]:
            keys = {j.key for j in beside}
            names = (self.results, self.suite.name, self.suite.baseline, self.annotations)
            baseline = find_baseline(*names, frozenset({self.group.name}))
            old = baseline.run(part.name) if baseline else None
            cases = [j for j in judge_run(part, run, old, self.suite.tolerance) if j.key in keys]
            second = {j.key: settle_again(j) for j in cases}
            found |= {j.key: confirmed(j, second.get(j.key)) for j in beside}
        return found

    def _on_new_level(self, case: Judged, value: float | None, old: list[float], accepted: int) -> Judged:
        from harness.nightly.engines import confirmed
        from harness.nightly.steps import levels, series_effect

        if value is None or case.effect is None:
            return confirmed(case, None)
        logs = is_ratio(case.figure)
        effect = series_effect(levels(old, accepted, logs)[0], value, logs, better()[case.figure])
        if effect >= case.effect / 2:
            return confirmed(case, replace(case, effect=effect, state="worse"))
        return confirmed(case, replace(case, effect=effect, state="fine"))
