"""What a tuning says in words and rows, for the terminal and the report; every figure is measured."""

from __future__ import annotations

from harness.report.table import Column, Table
from harness.report.units import CHANGE, NAME, NOT_IDENTIFIED, POINTS, SHARE, TOKENS, USD, Unit, between
from harness.statistics.paired import Interval, Paired
from harness.text import number
from harness.tune.verdict import HeldOut, Verdict


def heading(verdict: Verdict) -> str:
    trial = verdict.trial
    return f"Tuning {trial.policy.label}; the default is {trial.policies[0].label}"


def facts(verdict: Verdict) -> list[str]:
    """What was tried, on what, and what is recommended."""
    trial = verdict.trial
    clipped, results, clipped_bytes, size = trial.clipped
    asked = SHARE.text(1 - trial.settings.evidence)
    how = "a search (NSGA-II)" if trial.searched else "a grid"
    seen = SHARE.text(float(verdict.evidence[verdict.recommended_at]))
    best = f"recommended: {verdict.recommended.label}, {seen} visible"
    if not verdict.reaches:
        best += f"; no setting tried reaches {asked}, this one comes nearest"
    return [
        f"measured: {trial.settings.metric} subject to evidence visible of at least {asked} "
        "(mean over transcripts of borne atoms that are visible)",
        f"{len(trial.policies) - 1} settings by {how} on {number(len(trial.ids), 'transcript')} in "
        f"{number(len(set(trial.clusters)), 'cluster')}; {int((trial.borne > 0).sum())} of the transcripts "
        "bear evidence",
        f"already clipped when recorded: {clipped} of {results} results, {SHARE.text(clipped_bytes / max(size, 1))} of "
        "bytes; what a looser setting would show of them is not identified",
        best,
        f"at the default's evidence ({SHARE.text(float(verdict.evidence[0]))}): {verdict.at_default_setting.label}",
    ]


def held_out_lines(verdict: Verdict) -> list[str]:
    """The choices on clusters that had no part in them."""
    if verdict.held_out is None or verdict.at_default is None:
        return ["held out: not identified, there is only one cluster"]
    asked = SHARE.text(1 - verdict.trial.settings.evidence)
    lines = [
        *_held(f"chosen for {asked}", verdict.held_out, verdict.trial.settings.evidence),
        *_held("chosen for the default's evidence", verdict.at_default, verdict.trial.settings.evidence),
    ]
    if verdict.held_out.cost.interval is None:
        lines.append(f"{verdict.held_out.cost.why}: the total is exact for this corpus and no more")
    return lines


def _held(name: str, found: HeldOut, margin: float) -> list[str]:
    by = f"worse by more than {SHARE.text(margin)}"
    worse = {
        True: f"evidence not {by}",
        False: f"evidence not shown to be not {by}",
        None: f"whether evidence is {by}: {NOT_IDENTIFIED}",
    }[found.not_worse]
    costs = CHANGE.text(None if found.default_costs is None else 1 + found.default_costs)
    return [
        f"held out, {name}: {ratio(found.cost)} against the default, {ratio(found.identity)} against identity",
        f"held out, {name}: {SHARE.text(found.evidence)} visible ({interval(SHARE, found.evidence_interval)}), the "
        f"default {SHARE.text(found.default_evidence)}; difference {POINTS.text(found.difference)} "
        f"({interval(POINTS, found.difference_interval)}); {worse}; "
        f"the default costs {costs}",
    ]


def front(verdict: Verdict) -> Table:
    """The settings that nothing beats, over the whole corpus."""
    rows = [
        {"setting": point.policy.label, "cost": point.cost}
        | _paired("against_default", point.against_default)
        | {"against_identity": point.against_identity.ratio, "evidence": point.evidence}
        | _ends("evidence", point.evidence_interval)
        | {"all_visible": point.all_visible}
        for point in verdict.front
    ]
    unit = USD if verdict.trial.settings.metric == "money" else TOKENS
    heading = "USD" if unit is USD else "input tokens"
    columns = (Column("setting", "setting", NAME), Column("cost", heading, unit), *FRONT)
    return Table("front", "Front, whole corpus", "measured", "", columns, rows)


FRONT = (
    Column("against_default", "against default", CHANGE),
    Column(("against_default_low", "against_default_high"), "95 %", between(CHANGE)),
    Column("against_identity", "against identity", CHANGE),
    Column("evidence", "evidence visible", SHARE, meaning="mean over transcripts of borne atoms that are visible"),
    Column(("evidence_low", "evidence_high"), "95 %", between(SHARE)),
    Column("all_visible", "all visible", SHARE, meaning="requests that see all they bear, mean over transcripts"),
)


def _paired(name: str, paired: Paired) -> dict[str, float | None]:
    return {name: paired.ratio, **_ends(name, paired.interval)}


def _ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def ratio(paired: Paired) -> str:
    return f"{CHANGE.text(paired.ratio)} ({interval(CHANGE, paired.interval)})"


def interval(unit: Unit, found: Interval | None) -> str:
    return between(unit).text(*(found or (None, None)))
