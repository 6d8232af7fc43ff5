"""What a group of runs comes to: exact figures against the baseline; engines against a reference, the baseline, the
history. Nothing is run here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness.nightly.figures import better, is_ratio
from harness.nightly.missing import missing as missing_in
from harness.nightly.missing import missing_parts
from harness.nightly.read import Part, Suite
from harness.nightly.verdicts import verdicts
from harness.runs.annotations import Annotations
from harness.runs.groups import Group, read_groups

if TYPE_CHECKING:
    from harness.nightly.baseline import Baseline
    from harness.nightly.engines import Judged
    from harness.nightly.measured import Compared
    from harness.nightly.verdict import Verdict
    from harness.runs.run import Run


COMPARED = frozenset({"replay", "bench", "loop"})
"""Kinds of parts that have figures which a night compares in ways of their own; others by `Kind.figures`."""


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
    missing = [] if group.partial or baseline is None else missing_parts(baseline.places, group.runs)
    for part in suite.parts:
        run = Run(results / group.runs[part.name])
        old = baseline.run(part.name) if baseline else None
        if part.kind not in COMPARED and not run.kind.better:
            notes.append(f"{part.name}: a {part.kind}: reported, not judged")
            continue
        if part.kind == "bench":
            judged += _judge_bench(part, run, old, suite.tolerance, results, group, annotations)
        elif part.kind not in COMPARED:
            judged += [case for case, _, _ in by_history(part.name, suite.tolerance, results, group, annotations)]
        elif part.kind == "loop":
            notes.append(f"{part.name}: of the loop only readers are judged; what a model does is reported")
        if old is not None:
            found = _compare(part, old, run, suite.tolerance, annotations)
            compared.append(found)
            notes += _differences(found)
            missing += missing_in(part.name, old, run)
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
        tuple(missing),
    )


def _compare(part: Part, old: Run, run: Run, tolerance: Mapping[str, float], annotations: Annotations) -> Compared:
    """The exact figures of a part against its baseline."""
    from harness.nightly.counted import compare_readers, compare_turns
    from harness.nightly.hidden import with_hidden
    from harness.nightly.measured import compare_measured
    from harness.nightly.of_kinds import compare_figures

    match part.kind:
        case "bench":
            return compare_turns(part.name, old, run, tolerance, annotations.why_muted)
        case "loop":
            return compare_readers(part.name, old, run, tolerance, annotations.why_muted)
    if part.kind not in COMPARED:
        return compare_figures(part.name, old, run, tolerance, annotations.why_muted)
    found = compare_measured(part.name, old, run, tolerance, annotations.why_muted)
    return replace(found, changes=with_hidden(found.changes, old, run))


def _notes(suite: Suite, group: Group, baseline: Baseline | None) -> list[str]:
    notes = [f"only a part of the suite ran ({group.partial})"] if group.partial else []
    if baseline and baseline.group.suite_sha256 != suite.sha256:
        notes.append("the suite file is not the one of the baseline")
    if group.finished < group.started:
        notes.append("the clock went backwards during the night: dates are not to be trusted, the order of nights is")
    return notes


def _differences(found: Compared) -> list[str]:
    said = [f"{found.part}: {found.corpus}"] if found.corpus else []
    if not found.comparable:
        said.append(f"{found.part}: none of its {found.corpus.what} is in the baseline, so nothing was compared")
    return said + [f"{found.part}: {c.policy + ': ' if c.policy else ''}{c}" for c in found.causes]


def _judge_bench(
    part: Part,
    run: Run,
    old: Run | None,
    tolerance: Mapping[str, float],
    results: Path,
    group: Group,
    annotations: Annotations,
) -> list[Judged]:
    found = judge_run(part, run, old, tolerance)
    if part.reference:
        return found
    known = {case.key for case in found}
    return found + [
        c for c, _, _ in by_history(part.name, tolerance, results, group, annotations) if c.key not in known
    ]


def judge_run(part: Part, run: Run, old: Run | None, tolerance: Mapping[str, float]) -> list[Judged]:
    """The figures of a bench against its reference, and against its baseline what was not held against that."""
    from harness.nightly.attribution import engine_causes, machine_of, task_change
    from harness.nightly.counted import common_turns
    from harness.nightly.engine_figures import costs
    from harness.nightly.engines import BASELINE, judge_against_baseline, judge_costs, judge_engines

    found: list[Judged] = []
    now = costs(run)
    if part.reference:
        beside = _of_engine(now, part.reference)
        found += judge_engines(part.name, run.engine, part.reference, tolerance)
        for engine in (e for e in run.engines if e != part.reference):
            found += judge_costs(part.name, _of_engine(now, engine), beside, engine, part.reference, tolerance)
        found = [
            replace(j, causes=tuple(engine_causes(run.manifest, part.reference, run.manifest, j.engine))) for j in found
        ]
    if old is None:
        return found
    tasks = task_change(old, run)
    both = [engine for engine in run.engines if engine in old.engines]
    pairs = [(common_turns(run, engine, tasks), common_turns(old, engine, tasks)) for engine in both]
    later = [case for own, before in pairs for case in judge_against_baseline(part.name, own, before, tolerance)]
    if machine_of(run.manifest) == machine_of(old.manifest):
        was = costs(old)
        for engine in both:
            later += judge_costs(
                part.name, _of_engine(now, engine), _of_engine(was, engine), engine, BASELINE, tolerance
            )
    known = {case.key for case in found}
    return found + [
        replace(j, causes=tuple(engine_causes(old.manifest, j.engine, run.manifest, j.engine)))
        for j in later
        if j.key not in known
    ]


def _of_engine(figures: Mapping[tuple[str, str], float], engine: str) -> dict[str, float]:
    return {figure: value for (name, figure), value in figures.items() if name == engine}


def by_history(
    part: str, tolerance: Mapping[str, float], results: Path, group: Group, annotations: Annotations
) -> list[tuple[Judged, list[float], int]]:
    """Every figure of a part's engines against earlier nights on the same machine, with the values and the index of the
    accepted night among them."""
    from harness.nightly.engines import FLOOR, HISTORY, Judged
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
    from harness.nightly.steps import levels
    from harness.runs.run import Run

    runs = {g.name: g.runs[part] for g in read_groups(results) if part in g.runs}
    first = len(nights) - levels(values, 0, is_ratio(case.figure))[2]
    before, after = (Run(results / runs[name]).manifest for name in nights[first - 1 : first + 1])
    return tuple(engine_causes(before, case.engine, after, case.engine))
