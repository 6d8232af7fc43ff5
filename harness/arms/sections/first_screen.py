"""What a reader needs first of arms: what each passes and costs against the first, and what else differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.arms.differs import attributable
from harness.arms.sections import words
from harness.report.screen import Fact, Screen
from harness.report.table import Column, Table
from harness.report.units import COUNT, NAME, POINTS, RATIO, SHARE, TEXT, estimate
from harness.text import count, number

if TYPE_CHECKING:
    from harness.arms.sections.part import ArmsPart

SHOWN = ("requests", "calls", "input_tokens", "usd", "seconds")


def screen(part: ArmsPart) -> Screen:
    arms = part.arms
    rows = []
    for name in arms.others or arms.names:
        row = dict(arms.row(arms.outcomes, name, "passed"))
        own = {
            "arm": name,
            "tasks": row.get("tasks", len(arms.tasks)),
            "passed": arms.rate(name),
            "verdict": row.get("verdict"),
        }
        own |= {key: row.get(key) for key in ("difference", "low", "high")}
        for metric in SHOWN:
            cost = arms.row(arms.costs, name, metric)
            own |= {f"{metric}{end}": cost.get(f"typical{end}") for end in ("", "_low", "_high")}
        rows.append(own)
    columns = [
        Column("arm", "arm", NAME),
        Column("tasks", "tasks in both", COUNT, "recorded"),
        Column("passed", "passed", SHARE, main=True),
        Column(("difference", "low", "high"), "against the first, 95 % over tasks", estimate(POINTS)),
        Column("verdict", "verdict", TEXT),
        *(
            Column(tuple(f"{m}{end}" for end in ("", "_low", "_high")), f"{words.METRICS[m]}, times", estimate(RATIO))
            for m in SHOWN
        ),
    ]
    kept = tuple(c for c in columns if any(row.get(c.keys[0]) is not None for row in rows))
    table = Table("answers", f"Against {arms.baseline}" if arms.others else "The arm", "live", columns=kept, data=rows)
    return Screen(headline(part), table, facts(part))


def headline(part: ArmsPart) -> str:
    """A sentence an arm; of many the counts of verdicts, those that are shown by name."""
    arms = part.arms
    if not arms.others:
        return _alone(part)
    rows = {name: arms.row(arms.outcomes, name, "passed") for name in arms.others}
    if len(rows) > 3:
        shown = [name for name, row in rows.items() if row and row["verdict"] in ("higher", "lower")]
        said = [f"{number(len(rows), 'arm')} against {arms.baseline}"]
        if not any(rows.values()):
            said.append("no outcome is recorded, so nothing is said of what they pass")
        else:
            said.append(f"of {len(rows)} a difference in what they pass is shown for {len(shown)}")
            said += [words.outcome(name, rows[name], arms.margin) for name in shown[:3]]
        sentence = "; ".join(said)
    else:
        sentence = "; ".join(_said(part, name) for name in rows)
    return f"{sentence}. {attribution(part)}"


def _said(part: ArmsPart, name: str) -> str:
    arms = part.arms
    row = arms.row(arms.outcomes, name, "passed") or arms.row(arms.outcomes, name, "score")
    costs = [
        f"{words.METRICS[metric]} {words.times(found)}"
        for metric in ("requests", "input_tokens", "usd")
        if (found := arms.row(arms.costs, name, metric))
    ]
    said = words.outcome(name, row, arms.margin)
    if costs:
        said += f"; in a typical task {', '.join(costs)}"
    hidden = [found for found in part.noise if found["arm"] == name and not _has_interval(part, name, found["metric"])]
    return f"{said}; {words.unseen(hidden[0])}" if hidden else said


def _has_interval(part: ArmsPart, name: str, metric: str) -> bool:
    return part.arms.row(part.arms.costs, name, metric).get("typical_low") is not None


def _alone(part: ArmsPart) -> str:
    """Of one arm: what it passes, once and always."""
    arms = part.arms
    rate = arms.rate(arms.baseline)
    said = [f"{arms.baseline} alone: nothing to compare it with"]
    if rate is not None:
        said.append(f"it passes {SHARE.text(rate)} of {number(len(arms.tasks), 'task')}")
    if part.reliability:
        last = part.reliability[-1]
        said.append(f"all of {last['k']} runs of a task pass in {SHARE.text(last['all'])}")
    return "; ".join(said) + "."


def attribution(part: ArmsPart) -> str:
    """Whether any of it may be laid to the policy."""
    arms = part.arms
    if all(attributable(part.differs, name) for name in arms.others):
        return "Nothing else is known to differ, so it can be laid to what the arms are named for."
    open_ = sorted({row["item"] for row in part.differs if row["state"] in ("differs", "unknown")})
    return f"{words.ATTRIBUTION} Open: {', '.join(open_)}."


def facts(part: ArmsPart) -> tuple[Fact, ...]:
    arms, manifest = part.arms, part.run.manifest
    runs = len(arms.runs)
    clusters = len(set(arms.clusters.values()))
    size = f"{number(len(arms.tasks), 'task')} in {count(clusters)} {'repository' if clusters == 1 else 'repositories'}"
    found = [
        Fact("Runs", "recorded", f"{number(len(arms.names), 'arm')}, {number(runs, 'run')}", f"of {size}"),
    ]
    missing = {name: arms.missing(name) for name in arms.names if arms.missing(name)}
    said = ", ".join(f"{name} {count(n)}" for name, n in missing.items()) or "none"
    note = "of the planned runs; they count as failed, and cost nothing"
    if not arms.is_planned:
        note = "of the tasks that any arm has; only what both arms have is compared, --planned counts them as failed"
    found.append(Fact("Missing", "recorded", said, note))
    states = {state: sorted({r["item"] for r in part.differs if r["state"] == state}) for state in _STATES}
    told = "; ".join(f"{state}: {', '.join(items)}" for state, items in states.items() if items)
    if told:
        found.append(Fact("Besides", "recorded", told, "between the arms, item by item"))
    rows = [row for row in arms.outcomes if row["metric"] == "passed"]
    if rows:
        met = ", ".join(f"{row['arm']} {arms.not_worse(row)}" for row in rows[:4])
        more = f" and {len(rows) - 4} more" if len(rows) > 4 else ""
        margin = f"not worse by more than {100 * arms.margin:.3g} points (--margin)"
        found.append(Fact("Not worse", "live", met + more, margin))
    if part.slopes:
        found.append(Fact("Per doubling of the dose", "live", _slope(part), part.dose_note))
    found.append(Fact("Prediction check", "live", *_prediction(part)))
    read = manifest.get("read", {})
    if read:
        columns = ", ".join(f"{field} = {column}" for field, column in read.items() if field != column)
        found.append(Fact("Columns", "recorded", columns or "by their names", "which the fields were read from"))
    return tuple(found)


def _prediction(part: ArmsPart) -> tuple[str, str]:
    """What a replay of the first arm foretold; or why that is not known."""
    if part.settings.are_tables():
        return "not identified", "the arms are tables; only transcripts of the first arm can be replayed"
    if not part.checked:
        return "not asked for", "--predict ARM=POLICY replays the first arm under an arm's policy"
    said = []
    for row in part.checked:
        tokens = "not reported" if row["off"] is None else f"× {row['happened']:.2f}, foretold × {row['foretold']:.2f}"
        said.append(
            f"{row['arm']}: input tokens {tokens}; {SHARE.text(row['covered'])} of tasks within the range of calls"
        )
    return "; ".join(said), "the first arm replayed under the arm's policy, against what the arm did"


_STATES = ("differs", "unknown", "declared", "same")


def _slope(part: ArmsPart) -> str:
    said = []
    for row in part.slopes:
        unit = POINTS if row["metric"] == "passed" else RATIO
        own = unit.text(row["slope"]) if row["metric"] == "passed" else f"× {row['slope']:.2f}"
        ends = "no interval" if row["low"] is None else f"{unit.text(row['low'])} … {unit.text(row['high'])}"
        said.append(f"{words.METRICS[row['metric']]} {own} ({ends})")
    return ", ".join(said)
