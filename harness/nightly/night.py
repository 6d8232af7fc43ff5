"""One night: run the suite, compare with the baseline, run suspects again, and keep the verdict.

results/verdicts/<group>.json     what was said of a group, and whether it was a regression
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from harness.bench.settings import BenchSettings
from harness.errors import HarnessError
from harness.nightly.carry_out import Options, Say, _quiet, carry_out, commit_here, run_part, settled
from harness.nightly.read import Part, Suite
from harness.runs.annotations import Annotations, add_accepted, read_annotations
from harness.runs.directory import list_runs
from harness.runs.groups import Group, read_groups, read_json, write_whole
from harness.runs.lock import alone

if TYPE_CHECKING:
    from harness.nightly.baseline import Baseline
    from harness.nightly.engines import Judged
    from harness.nightly.measured import Compared
    from harness.nightly.verdict import Verdict
    from harness.runs.run import Run

FOLDER = "verdicts"


def nightly(suite: Suite, results: Path, options: Options, say: Say = _quiet, world: Any = None) -> Verdict:
    """The whole night. Interrupted at any moment, the same call goes on. Frames and statistics are imported after the
    engines have run, since on Linux a process counts the memory of the one that started it."""
    with alone(results):
        annotations = read_annotations(results)
        group = carry_out(suite, results, options, say, world)
        from harness.nightly.verdict import suspects

        verdict = judge(suite, results, group, annotations)
        if found := suspects(verdict.judged):
            verdict = Confirmation(suite, results, group, options, say, world, annotations).of(verdict, found)
        record = orjson.dumps(verdict.to_record(), option=orjson.OPT_INDENT_2) + b"\n"
        write_whole(results / FOLDER / f"{group.name}.json", record)
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


def verdicts(results: Path, suite: str = "") -> list[dict[str, Any]]:
    """The records of all verdicts, oldest first."""
    numbers = {g.name: g.number for g in read_groups(results, suite)}
    found = [read_json(place) for place in (results / FOLDER).glob("*.json") if place.stem in numbers]
    return sorted(found, key=lambda record: numbers[record["group"]])


def judge(suite: Suite, results: Path, group: Group, annotations: Annotations) -> Verdict:
    """What a group comes to; nothing is run."""
    from harness.nightly.baseline import find_baseline
    from harness.nightly.verdict import Verdict
    from harness.runs.run import Run

    failed = frozenset(r["group"] for r in verdicts(results, suite.name) if r["state"] == "regression")
    baseline = find_baseline(results, suite.name, suite.baseline, annotations, failed | {group.name})
    compared: list[Compared] = []
    judged: list[Judged] = []
    notes = list(_notes(suite, group, baseline))
    for part in suite.runs:
        run = Run(results / group.runs[part.name])
        if not run.kind.better:
            notes.append(f"{part.name}: a {part.kind}, whose figures are live: reported, not judged")
            continue
        old = baseline.run(part.name) if baseline else None
        if part.kind == "bench":
            judged += _judge_bench(part, run, suite.tolerance, results, group, annotations)
        elif part.kind != "replay":
            from harness.nightly.measured import compare_figures

            judged += [case for case, _, _ in _by_history(part.name, suite.tolerance, results, group, annotations)]
            if old is not None:
                compared.append(compare_figures(part.name, old, run, suite.tolerance, annotations.why_muted))
        elif old is not None:
            from harness.nightly.hidden import with_hidden
            from harness.nightly.measured import compare_measured

            found = compare_measured(part.name, old, run, suite.tolerance, annotations.why_muted)
            compared.append(replace(found, changes=with_hidden(found.changes, old, run)))
            notes += _differences(found)
        elif baseline:
            notes.append(f"{part.name}: not in the baseline, so not compared")
    judged = [replace(j, muted=annotations.why_muted(j.key)) for j in judged]
    return Verdict(
        suite.name,
        group.name,
        group.started,
        group.finished,
        baseline.name if baseline else None,
        baseline.chosen if baseline else "none yet: --accept --why '…' makes this run one",
        dict(group.runs),
        tuple(compared),
        tuple(judged),
        tuple(notes),
        baseline is None and any(part.kind == "replay" for part in suite.parts),
    )


def _notes(suite: Suite, group: Group, baseline: Baseline | None) -> list[str]:
    notes = [f"only a part of the suite ran ({group.partial})"] if group.partial else []
    notes += [f"{part.name}: a tuning, which harness run carries out" for part in suite.parts if part.kind == "tune"]
    if baseline and baseline.group.suite_sha256 != suite.sha256:
        notes.append("the suite file is not the one of the baseline")
    if group.finished < group.started:
        notes.append("the clock went backwards during the night: dates are not to be trusted, the order of nights is")
    return notes


def _differences(found: Compared) -> list[str]:
    said = [f"{found.part}: {found.corpus}"] if found.corpus else []
    if not found.comparable:
        said.append(f"{found.part}: no transcript in common with the baseline, so nothing was compared")
    return said + [f"{found.part}: {c.policy + ': ' if c.policy else ''}{c}" for c in found.causes]


def _judge_bench(
    part: Part, run: Run, tolerance: Mapping[str, float], results: Path, group: Group, annotations: Annotations
) -> list[Judged]:
    if part.reference:
        from harness.nightly.attribution import engine_causes
        from harness.nightly.engines import judge_engines

        return [
            replace(j, causes=tuple(engine_causes(run.manifest, part.reference, run.manifest, j.engine)))
            for j in judge_engines(part.name, run.engine, part.reference, tolerance)
        ]
    return [case for case, _, _ in _by_history(part.name, tolerance, results, group, annotations)]


def _by_history(
    part: str, tolerance: Mapping[str, float], results: Path, group: Group, annotations: Annotations
) -> list[tuple[Judged, list[float], int]]:
    """Every figure of a part's engines against earlier nights on the same machine, with the values and the index of the
    accepted night among them."""
    from harness.nightly.engines import FLOOR, HISTORY, Judged
    from harness.nightly.figures import better
    from harness.nightly.history import nights
    from harness.nightly.steps import judge_series

    frame = nights(results, group.suite, annotations)
    number = {g.name: g.number for g in read_groups(results, group.suite)}
    frame = frame[(frame["part"] == part) & (frame["number"] <= number[group.name]) & ~frame["bad"]]
    machines = set(frame.loc[frame["night"] == group.name, "machine"])
    found, ways = [], better()
    frame = frame[frame["machine"].isin(machines) & (frame["kind"] != "measured")]
    for (engine, figure), rows in frame.groupby(["subject", "figure"], sort=False):
        if group.name not in set(rows["night"]) or ways.get(str(figure), "neither") == "neither":
            continue
        values = [float(v) for v in rows["value"]]
        marked = [i for i, accepted in enumerate(rows["accepted"]) if accepted]
        accepted = marked[-1] if marked else 0
        margin = tolerance.get(str(figure), FLOOR)
        case = Judged(
            *(part, str(engine), str(figure), HISTORY, 0, 0, None, None, None, None, margin, "inconclusive", "")
        )
        case = judge_series(case, values, accepted, ways[str(figure)])
        if case.state == "worse":
            case = replace(case, causes=_since(results, rows["night"].tolist(), values, part, case))
        found.append((case, values, accepted))
    return found


def _since(results: Path, nights: list[str], values: list[float], part: str, case: Judged) -> tuple[str, ...]:
    """What differs between the first night of the present level and the night before it."""
    from harness.nightly.attribution import engine_causes
    from harness.nightly.figures import timings
    from harness.nightly.steps import levels
    from harness.runs.run import Run

    runs = {g.name: g.runs[part] for g in read_groups(results) if part in g.runs}
    first = len(nights) - levels(values, 0, case.figure in timings())[2]
    before, after = (Run(results / runs[name]).manifest for name in nights[first - 1 : first + 1])
    return tuple(engine_causes(before, case.engine, after, case.engine))


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
        from harness.bench.figures import engine_figures
        from harness.nightly.engines import confirmed, judge_engines, settle
        from harness.runs.run import Run

        turns = Run(again).engine
        if part.reference:
            keys = {j.key for j in mine}
            found = judge_engines(part.name, turns, part.reference, self.suite.tolerance)
            second = {j.key: j for j in settle([j for j in found if j.key in keys])}
            return {j.key: confirmed(j, second.get(j.key)) for j in mine}
        values = engine_figures(turns)
        series = _by_history(part.name, self.suite.tolerance, self.results, self.group, self.annotations)
        by_key = {case.key: (old, accepted) for case, old, accepted in series}
        return {j.key: self._on_new_level(j, values.get((j.engine, j.figure)), *by_key[j.key]) for j in mine}

    def _on_new_level(self, case: Judged, value: float | None, old: list[float], accepted: int) -> Judged:
        from harness.nightly.engines import confirmed
        from harness.nightly.figures import better, timings
        from harness.nightly.steps import levels, series_effect

        if value is None or case.effect is None:
            return confirmed(case, None)
        logs = case.figure in timings()
        effect = series_effect(levels(old, accepted, logs)[0], value, logs, better()[case.figure])
        if effect >= case.effect / 2:
            return confirmed(case, replace(case, effect=effect, state="worse"))
        return confirmed(case, replace(case, effect=effect, state="fine"))
