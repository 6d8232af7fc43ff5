"""What a tuning says in words and rows, for the terminal and the report; every figure is measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.report.table import Column, Table
from harness.report.units import BYTES, CHANGE, COUNT, NAME, NOT_IDENTIFIED, NUMBER, SHARE, TEXT, TOKENS, USD, between
from harness.statistics.estimate import Estimate
from harness.text import count, number
from harness.tune.candidates import CUT, GATED, IDENTITY, TUNED
from harness.tune.verdict import HeldOut, Point, Verdict

UNSHOWN = (
    "fewer than 12 clusters, so there is no bound: chosen by the value on this corpus, which holds for it and no more"
)


def floor_words(verdict: Verdict) -> str:
    return f"at least {SHARE.text(verdict.floor)} of the requests with dependencies see all of theirs"


def heading(verdict: Verdict) -> str:
    """The sentence that a reader takes away."""
    trial, chosen, tuned = verdict.trial, verdict.chosen, verdict.tuned
    name = trial.policy.label
    if not trial.bearing.sum():
        return f"Nothing is recommended: no request here shows a dependency, so what {name} hides is {NOT_IDENTIFIED}"
    if chosen.role == IDENTITY:
        best = f"; the best of {name} costs {_change(tuned)}" if tuned else f"; no setting of {name} meets the floor"
        return f"Nothing is recommended: of what keeps the floor nothing is cheaper than doing nothing{best}"
    if chosen.role == TUNED:
        return f"Recommended: {_setting(chosen)}; {_word(verdict)}"
    why = {GATED: "the gate alone", CUT: "a plain cut"}[chosen.role]
    beaten = f" (the best of {name}, {tuned.policy.label}, comes to {_change(tuned)})" if tuned else ""
    return f"Nothing of {name} beats {why}: {_setting(chosen)}{beaten}; {_word(verdict)}"


def _setting(point: Point) -> str:
    seen = point.seen
    shown = f", all visible at {SHARE.text(seen.bill.value)} and {SHARE.text(seen.typical.value)}" if seen else ""
    return f"{point.policy.label}, {_change(point)} against identity on the bill and typical{shown}"


def _change(point: Point) -> str:
    return f"{CHANGE.text(point.against.ratio)} and {CHANGE.text(point.against.typical)}"


def _word(verdict: Verdict) -> str:
    by = [f"{h.word} by {h.by}" for h in (verdict.by_cluster, verdict.by_source) if h]
    missing = [name for name, h in (("cluster", verdict.by_cluster), ("source", verdict.by_source)) if h is None]
    by += [f"{NOT_IDENTIFIED} by {name}, there is only one" for name in missing]
    return f"the floor, held out: {', '.join(by)}"


def facts(verdict: Verdict) -> list[str]:
    """What was asked, on what, and what the choice rests on."""
    trial = verdict.trial
    clipped, results, clipped_bytes, size = trial.clipped
    said = [
        f"measured: least {trial.settings.metric} while {floor_words(verdict)}, on the bill and typical, by the lower "
        "end of a one-sided 95 % interval",
        f"{how(verdict)} on {number(len(trial.ids), 'transcript')} in {number(len(set(trial.clusters)), 'cluster')} of "
        f"{number(len(set(trial.sources)), 'source')}; {count(int(trial.bearing.sum()))} requests with dependencies",
        f"of {verdict.resamples} resamples of the clusters {_roles(verdict)}; just this setting {verdict.times}"
        f"{_plateau(verdict)}",
        f"already clipped when recorded: {clipped} of {results} results, {SHARE.text(clipped_bytes / max(size, 1))} of "
        "bytes; what a looser setting would show of them is not identified",
    ]
    if not verdict.identified:
        said.append(UNSHOWN)
    if idle := [e["setting"] for e in trial.found["effects"] if not e["dependencies"]]:
        said.append(f"without effect on what is visible here, and left alone: {', '.join(idle)}")
    return said


def how(verdict: Verdict) -> str:
    found = verdict.trial.found
    points, error = found["points"], found["error"]
    total = sum(points.values())
    if found["exact"]:
        return (
            f"head, tail and gate swept exactly at {count(total)} settings (evidence exact, cost of those shown within "
            f"{SHARE.text(error['largest'])} before they were rendered again)"
        )
    way = "searched (NSGA-II)" if found["searched"] else "tried as a grid"
    return f"{count(points[TUNED])} settings {way}, and plain cuts swept exactly"


def _roles(verdict: Verdict) -> str:
    return ", ".join(f"{n} choose {role}" for role, n in verdict.roles.items())


def _plateau(verdict: Verdict) -> str:
    ranges = verdict.trial.found["plateau"]
    if not ranges:
        return ""
    label = verdict.trial.found["roles"][TUNED]
    said = ", ".join(f"{name} from {low:,} to {high:,}" for name, (low, high) in ranges.items())
    return f"; around {label} nothing changes of what is visible for {said}"


def brief_held_out(verdict: Verdict) -> list[str]:
    """The same in a line each, on the bill and typical, without intervals."""
    found = [(held.by, held) for held in (verdict.by_cluster, verdict.by_source) if held]
    return [
        f"held out by {by} ({held.parts} parts): {CHANGE.text(held.against.ratio)} and "
        f"{CHANGE.text(held.against.typical)} against identity, all visible at {_both(held)}; the floor {held.word}"
        for by, held in found
    ]


def _both(held: HeldOut) -> str:
    return (
        f"{SHARE.text(held.seen.bill.value)} and {SHARE.text(held.seen.typical.value)}" if held.seen else NOT_IDENTIFIED
    )


def held_out_lines(verdict: Verdict) -> list[str]:
    """The procedure on what had no part in it."""
    lines = [_held(found, verdict.floor) for found in (verdict.by_cluster, verdict.by_source) if found]
    if verdict.by_cluster is None:
        lines.append(f"held out by cluster: {NOT_IDENTIFIED}, there is only one")
    if verdict.by_source is None:
        lines.append(f"held out by source: {NOT_IDENTIFIED}, there is only one")
    return lines


def _held(found: HeldOut, floor: float) -> str:
    seen = found.seen
    shown = f"{_estimate(seen.bill)} on the bill, {_estimate(seen.typical)} typical" if seen else NOT_IDENTIFIED
    return (
        f"held out by {found.by} ({found.parts} parts, {len(set(found.chosen))} settings): all visible at {shown}, the "
        f"floor {SHARE.text(floor)} {found.word}; {CHANGE.text(found.against.ratio)} against identity on the bill, "
        f"{CHANGE.text(found.against.typical)} typical"
    )


def _estimate(found: Estimate) -> str:
    if found.interval is None:
        return f"{SHARE.text(found.value)} ({found.why})"
    return f"{SHARE.text(found.value)} ({between(SHARE).text(*found.interval)})"


def settings_table(verdict: Verdict) -> Table:
    """Everything that is shown: what nothing beats, the default, and the best of every role."""
    marked = {verdict.chosen.policy.label: "recommended", verdict.default.policy.label: "default"}
    for role, label in verdict.trial.found["roles"].items():
        marked.setdefault(label, f"best {role}")
    shown = [p for p in verdict.points if p.policy.label in marked or p in verdict.frontier]
    rows = [_row(p, marked.get(p.policy.label, "")) for p in sorted(shown, key=lambda p: p.cost)]
    money = verdict.trial.settings.metric == "money"
    cost = Column("cost", "USD, warm cache" if money else "input tokens", USD if money else TOKENS)
    return Table("front", "Settings that nothing beats", "measured", NOTE, (*FIRST, cost, *FRONT), rows)


NOTE = (
    "The bill is of sums over the corpus, typical the mean over clusters; cost and evidence of one weighting stand "
    "together. The bound is the smaller of both, the lower end of a one-sided 95 % interval: by it a setting is chosen."
)
FIRST = (
    Column("setting", "setting", NAME),
    Column("mark", "", TEXT, meaning="recommended, default, best of its role"),
    Column("role", "role", TEXT),
)
FRONT = (
    Column("against_bill", "cost, bill", CHANGE, meaning="against identity"),
    Column("seen_bill", "all visible, bill", SHARE, meaning="of the requests with dependencies"),
    Column(("seen_bill_low", "seen_bill_high"), "95 %", between(SHARE)),
    Column("against_typical", "cost, typical", CHANGE, meaning="against identity"),
    Column("seen_typical", "all visible, typical", SHARE),
    Column(("seen_typical_low", "seen_typical_high"), "95 %", between(SHARE)),
    Column("bound", "bound", SHARE, meaning="one-sided 95 %, the smaller of the two"),
    Column("dependencies_visible", "dependencies visible", SHARE, meaning="pooled"),
)


def _row(point: Point, mark: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "setting": point.policy.label, "mark": mark, "role": point.role, "cost": point.cost,
        "against_bill": point.against.ratio, "against_typical": point.against.typical, "bound": point.bound,
        "dependencies_visible": point.atoms,
    }  # fmt: skip
    for name in ("bill", "typical"):
        found = getattr(point.seen, name) if point.seen else None
        low, high = (found.interval if found else None) or (None, None)
        row |= {f"seen_{name}": found.value if found else None, f"seen_{name}_low": low, f"seen_{name}_high": high}
    return row


def effects_table(verdict: Verdict) -> Table:
    """What each setting governs."""
    rows = [e | {"said": "" if e["dependencies"] else WITHOUT} for e in verdict.trial.found["effects"]]
    note = f"Of {verdict.trial.policy.label}, at none and at four times its value, the others as they are."
    return Table("effects", "What each setting governs", "measured", note, EFFECTS, rows, folded=not rows)


WITHOUT = "without effect on this corpus"
EFFECTS = (
    Column("setting", "setting", NAME),
    Column("value", "value", NUMBER),
    Column("results", "results", COUNT, meaning="that it renders otherwise"),
    Column("bytes", "their bytes", BYTES),
    Column("dependencies", "their dependencies", COUNT),
    Column("said", "", TEXT),
)


def resamples_table(verdict: Verdict) -> Table:
    """How often each setting is chosen."""
    drawn = verdict.trial.found["resamples"]
    rows = [d | {"of": verdict.resamples, "share": d["times"] / verdict.resamples} for d in drawn]
    note = "Clusters are drawn with replacement, and the choice is made anew among what nothing beats."
    return Table("resamples", "How often each setting is chosen", "measured", note, RESAMPLED, rows[:20])


RESAMPLED = (
    Column("policy", "setting", NAME),
    Column("role", "role", TEXT),
    Column("times", "times chosen", COUNT),
    Column("share", "share", SHARE),
)


def held_table(verdict: Verdict) -> Table:
    """The choice of every part that was held out."""
    rows = list(_parts(verdict))
    note = f"Chosen without the part, then looked at on it; together they are the procedure ({floor_words(verdict)})."
    return Table("held_out", "Held out", "measured", note, HELD, rows, folded=len(rows) > 12)


def _parts(verdict: Verdict) -> Iterator[dict[str, Any]]:
    trial = verdict.trial
    for by, parts in (("cluster", trial.found["folds"]), ("source", trial.found["sources"])):
        for n, part in enumerate(parts):
            held, at = part["held"], trial.at(part["label"])
            bearing = float(trial.bearing[held].sum())
            seen = float(trial.figures.whole[at][held].sum()) / bearing if bearing else None
            cost = float(trial.cost[at][held].sum() / max(float(trial.cost[0][held].sum()), 1e-12))
            name = trial.sources[held[0]] if by == "source" else f"fold {n + 1}"
            yield {
                "by": by, "part": name, "transcripts": len(held), "setting": part["label"], "role": part["role"],
                "requests": bearing, "seen": seen, "cost": cost,
            }  # fmt: skip


HELD = (
    Column("by", "held out by", TEXT),
    Column("part", "part", TEXT),
    Column("transcripts", "transcripts", COUNT),
    Column("setting", "chosen on the others", NAME),
    Column("cost", "cost there", CHANGE, meaning="against identity, pooled"),
    Column("requests", "requests with dependencies", COUNT),
    Column("seen", "all visible there", SHARE, meaning="pooled"),
)
