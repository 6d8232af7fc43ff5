"""What a tuning says in words and rows, for the terminal and the report; every figure is measured."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report.wording import usd
from harness.statistics.paired import FEWEST_CLUSTERS, Interval, Paired
from harness.text import harmless, number
from harness.tune.verdict import HeldOut, Verdict

HEAD = ("setting", "{metric}", "against default", "95 %", "against identity", "evidence visible", "95 %", "all visible")
UNKNOWN = "not identified"


def heading(verdict: Verdict) -> str:
    trial = verdict.trial
    return f"Tuning {trial.policy.label}; the default is {trial.policies[0].label}"


def facts(verdict: Verdict) -> list[str]:
    """What was tried, on what, and what is recommended."""
    trial = verdict.trial
    clipped, results, clipped_bytes, size = trial.clipped
    asked = percent(1 - trial.settings.evidence)
    how = "a search (NSGA-II)" if trial.searched else "a grid"
    best = (
        f"recommended: {verdict.recommended.label}, {percent(float(verdict.evidence[verdict.recommended_at]))} visible"
    )
    if not verdict.reaches:
        best += f"; no setting tried reaches {asked}, this one comes nearest"
    return [
        f"measured: {trial.settings.metric} subject to evidence visible of at least {asked} "
        "(mean over transcripts of borne atoms that are visible)",
        f"{len(trial.policies) - 1} settings by {how} on {number(len(trial.ids), 'transcript')} in "
        f"{number(len(set(trial.clusters)), 'cluster')}; {int((trial.borne > 0).sum())} of the transcripts "
        "bear evidence",
        f"already clipped when recorded: {clipped} of {results} results, {percent(clipped_bytes / max(size, 1))} of "
        "bytes; what a looser setting would show of them is not identified",
        best,
        f"at the default's evidence ({percent(float(verdict.evidence[0]))}): {verdict.at_default_setting.label}",
    ]


def held_out_lines(verdict: Verdict) -> list[str]:
    """The choices on clusters that had no part in them."""
    if verdict.held_out is None or verdict.at_default is None:
        return ["held out: not identified, there is only one cluster"]
    asked = percent(1 - verdict.trial.settings.evidence)
    lines = [
        *_held(f"chosen for {asked}", verdict.held_out, verdict.trial.settings.evidence),
        *_held("chosen for the default's evidence", verdict.at_default, verdict.trial.settings.evidence),
    ]
    if verdict.held_out.cost.clusters < FEWEST_CLUSTERS:
        lines.append(f"fewer than {FEWEST_CLUSTERS} clusters: no interval")
    return lines


def _held(name: str, found: HeldOut, margin: float) -> list[str]:
    by = f"worse by more than {percent(margin)}"
    worse = {
        True: f"evidence not {by}",
        False: f"evidence not shown to be not {by}",
        None: f"whether evidence is {by}: {UNKNOWN}",
    }[found.not_worse]
    costs = UNKNOWN if found.default_costs is None else change(1 + found.default_costs)
    return [
        f"held out, {name}: {ratio(found.cost)} against the default, {ratio(found.identity)} against identity",
        f"held out, {name}: {percent(found.evidence)} visible {between(found.evidence_interval)}, the default "
        f"{percent(found.default_evidence)}; difference {points(found.difference)} "
        f"{between(found.difference_interval)}; {worse}; "
        f"the default costs {costs}",
    ]


def front_rows(verdict: Verdict) -> tuple[list[str], list[list[str]]]:
    """Headings and rows of the front."""
    metric = verdict.trial.settings.metric
    head = [name.format(metric="USD" if metric == "money" else "input tokens") for name in HEAD]
    return head, [
        [
            point.policy.label,
            usd(point.cost) if metric == "money" else f"{point.cost:,.0f}",
            change(point.against_default.ratio),
            between(point.against_default.interval, less=1),
            change(point.against_identity.ratio),
            percent(point.evidence),
            between(point.evidence_interval),
            percent(point.all_visible),
        ]
        for point in verdict.front
    ]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; labels are settings as users write them."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(harmless(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def ratio(paired: Paired) -> str:
    return f"{change(paired.ratio)} {between(paired.interval, less=1)}"


def change(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * (value - 1):+.1f} %"


def points(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * value:+.1f} points"


def percent(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * value:.1f} %"


def between(interval: Interval | None, less: float = 0) -> str:
    if interval is None:
        return f"[{UNKNOWN}]"
    return f"[{100 * (interval[0] - less):+.1f}, {100 * (interval[1] - less):+.1f}]"
