"""The tables of a comparison of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.arms.rows import COSTS
from harness.arms.sections.words import BOTH, METRICS
from harness.report.table import Column, Table
from harness.report.units import (
    COUNT,
    DETECTABLE,
    GROWTH,
    MEAN,
    NAME,
    NUMBER,
    POINTS,
    RATIO,
    SHARE,
    TEXT,
    P,
    between,
    estimate,
    span,
)

if TYPE_CHECKING:
    from harness.arms.sections.part import ArmsPart


def arms(part: ArmsPart) -> Table:
    """A row an arm."""
    found = part.arms
    rows = []
    for name in found.names:
        own = found.of(name)
        rows.append(
            {
                "arm": name,
                "runs": len(own),
                "tasks": own["task"].nunique(),
                "missing": found.missing(name),
                "passed": found.rate(name),
                "score": found.mean(name, "score"),
                **{metric: found.mean(name, metric) for metric in COSTS},
            }
        )
    columns = (
        Column("arm", "arm", NAME),
        Column("runs", "runs", COUNT),
        Column("tasks", "tasks", COUNT),
        Column("missing", "missing", COUNT, meaning="planned runs that are not there; they count as failed"),
        Column("passed", "passed", SHARE),
        Column("score", "score", MEAN),
        *(Column(metric, METRICS[metric], NUMBER, meaning="a task, averaged over its runs") for metric in COSTS),
    )
    kept = tuple(c for c in columns if any(row.get(str(c.key)) is not None for row in rows))
    note = "Runs are averaged within a task, so that each task weighs one."
    return Table("arms", "The arms", "live", note, kept, rows)


DIFFERENCES = (
    Column("arm", "arm", NAME),
    Column("what", "outcome", TEXT),
    Column("tasks", "tasks", COUNT),
    Column("first", "of the first", SHARE),
    Column("second", "of the arm", SHARE),
    Column(("difference", "low", "high"), "difference, 95 % over tasks", estimate(POINTS), main=True),
    Column(("clustered_low", "clustered_high"), "95 % over repositories", between(POINTS)),
    Column("effective", "effective repositories", MEAN),
    Column("p_holm", "p (Holm)", P, meaning="sign flips over tasks, corrected over the arms"),
    Column("gained", "gained", COUNT, absent="-"),
    Column("lost", "lost", COUNT, absent="-"),
    Column("mcnemar_p", "p (McNemar)", P, meaning="exact; where each task has one pair"),
    Column(("worst", "best"), "bounds for missing runs", between(POINTS)),
    Column("not_worse", "not worse by the margin", TEXT),
    Column("verdict", "verdict", TEXT),
    Column("detectable", "detectable", DETECTABLE),
    Column("needed", "tasks for ± margin", COUNT, absent="-"),
)


def outcomes(part: ArmsPart) -> Table | None:
    """What was passed, against the first arm."""
    found = part.arms
    rows = [row | {"what": METRICS[row["metric"]], "not_worse": found.not_worse(row)} for row in found.outcomes]
    note = (
        f"Against {found.baseline}. A planned run that is missing counts as failed; the bounds are what the difference "
        f"would be if all of them had gone the other way. {BOTH}"
    )
    return Table("outcomes", "What they passed", "live", note, DIFFERENCES, rows)


COST_COLUMNS = (
    Column("arm", "arm", NAME),
    Column("what", "cost", TEXT),
    Column("tasks", "tasks", COUNT),
    Column("first", "of the first", NUMBER),
    Column("second", "of the arm", NUMBER),
    Column(("difference", "low", "high"), "difference a task", estimate(NUMBER)),
    Column(("ratio", "ratio_low", "ratio_high"), "ratio of all", estimate(RATIO)),
    Column(("typical", "typical_low", "typical_high"), "ratio in a typical task", estimate(RATIO), main=True),
    Column(("typical_clustered_low", "typical_clustered_high"), "95 % over repositories", between(RATIO)),
    Column("q", "p (BH)", P, meaning="sign flips of the log ratios over tasks, over all costs and arms"),
    Column("detectable", "detectable", GROWTH, absent="-"),
)


def costs(part: ArmsPart) -> Table | None:
    """What it cost, against the first arm."""
    rows = [row | {"what": METRICS[row["metric"]]} for row in part.arms.costs]
    note = (
        f"Against {part.arms.baseline}, over tasks of which both arms have the figure; missing runs cost nothing and "
        f"are left out. Typical: the geometric mean of the paired ratios. {BOTH}"
    )
    return Table("costs", "What it cost", "live", note, COST_COLUMNS, rows)


def besides(part: ArmsPart) -> Table:
    """What differs besides."""
    columns = (
        Column("arm", "arm", NAME),
        Column("item", "item", TEXT),
        Column("state", "state", TEXT),
        Column("first", "of the first", TEXT),
        Column("second", "of the arm", TEXT),
    )
    note = (
        "Unknown is not the same; what --same declares is printed as declared. While an item differs or is unknown, a "
        "difference is one between the arms, and no effect of the policy."
    )
    return Table("besides", "What differs besides", "recorded", note, columns, part.differs)


def reliability(part: ArmsPart) -> Table | None:
    columns = (
        Column("arm", "arm", NAME),
        Column("k", "k", COUNT),
        Column("tasks", "tasks", COUNT),
        Column("runs", "runs", COUNT),
        Column(("all", "all_low", "all_high"), "pass^k: all of k", estimate(SHARE)),
        Column(("any", "any_low", "any_high"), "pass@k: one of k", estimate(SHARE)),
    )
    note = "Unbiased from all runs of a task; tasks that every arm has, k up to the smallest number of runs."
    return Table("reliability", "Passed again and again", "live", note, columns, part.reliability)


def doses(part: ArmsPart) -> Table | None:
    columns = (
        Column("arm", "arm", NAME),
        Column("dose", "dose", NUMBER, absent="no limit"),
        Column("passed", "passed", SHARE),
        Column(("difference", "low", "high"), "against the first", estimate(POINTS)),
        Column("verdict", "verdict", TEXT),
        Column("requests", "requests", NUMBER),
        Column("input_tokens_ratio", "input tokens, ratio", RATIO),
        Column("usd_ratio", "money, ratio", RATIO),
    )
    kept = tuple(c for c in columns if any(row.get(c.keys[0]) is not None for row in part.doses))
    return Table("doses", "Dose and response", "live", part.dose_note, kept, part.doses)


def slopes(part: ArmsPart) -> Table | None:
    columns = (
        Column("what", "what", TEXT),
        Column("tasks", "tasks", COUNT),
        Column(("slope", "low", "high"), "change per doubling", estimate(NUMBER)),
        Column("p", "p", P),
    )
    rows: list[dict[str, Any]] = [row | {"what": METRICS[row["metric"]]} for row in part.slopes]
    note = "Least squares over log2 of the dose within each task; of the share passed a difference, of costs a ratio."
    return Table("slopes", "Slope over the doses", "live", note, columns, rows)


def noise(part: ArmsPart) -> Table | None:
    columns = (
        Column("arm", "arm", NAME),
        Column("what", "cost", TEXT),
        Column("tasks", "tasks", COUNT),
        Column("spread", "spread of runs", SHARE),
        Column("detectable", "detectable by repetitions", GROWTH, absent="-"),
        Column("runs_needed", "runs an arm for 10 %", COUNT, absent="-"),
    )
    rows: list[dict[str, Any]] = [row | {"what": METRICS[row["metric"]]} for row in part.noise]
    note = (
        "Runs of the same task in the same arm differ by so much (sd of logs). What these tasks alone could show with "
        "80 % power; it says nothing of other tasks."
    )
    return Table("noise", "How much runs of one task differ", "live", note, columns, rows, folded=True)


def prediction(part: ArmsPart) -> Table | None:
    columns = (
        Column("arm", "arm", NAME),
        Column("tasks", "tasks", COUNT),
        Column("foretold", "input tokens, foretold", RATIO, "measured"),
        Column("happened", "as they were", RATIO),
        Column(("off", "off_low", "off_high"), "one over the other, 95 % over tasks", estimate(RATIO), main=True),
        Column(("calls_low", "calls_evidence", "calls_high"), "calls more a task, foretold", span(MEAN), "estimated"),
        Column(("calls", "calls_from", "calls_to"), "as they were", estimate(MEAN)),
        Column("covered", "tasks within the range", SHARE),
    )
    note = (
        f"{part.arms.baseline} replayed under the arm's policy, against what the arm did on the same tasks; tokens as "
        "ratios in a typical task, of tasks of which both arms recorded them. What the arm did has the noise of "
        "another run in it, so a single task may lie outside of a range that is right."
    )
    return Table("prediction", "What a replay foretold", "live", note, columns, part.checked)


def evidence(part: ArmsPart) -> Table | None:
    columns = (
        Column("arm", "arm", NAME),
        Column("state", "evidence in the replay", TEXT),
        Column("length", "tasks by length", TEXT),
        Column("tasks", "tasks", COUNT),
        Column("first", "failed in the first", SHARE),
        Column("second", "failed in the arm", SHARE),
        Column(("difference", "low", "high"), "difference, 95 % over tasks", estimate(POINTS), main=True),
    )
    note = (
        "An association, and no effect: tasks are not put at risk by chance, and long ones are so more often; they "
        "are shown apart by whether the first arm took more requests than in its median task."
    )
    return Table("evidence", "Failures by state of the evidence", "live", note, columns, part.failures)


SECTIONS = (arms, outcomes, costs, prediction, evidence, besides, reliability, doses, slopes, noise)
