"""The tables of policies: what stands in each column, of which kind it is and what it means. The keys are those of
`frames.policy_frame`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.replay.sections.summary import Summary
from harness.report.table import Column
from harness.report.units import (
    BYTES,
    CHANGE,
    COUNT,
    NAME,
    NOT_IDENTIFIED,
    NOTHING,
    PART,
    SHARE,
    TOKENS,
    USD,
    P,
    Unit,
    between,
    percent,
    span,
)


@dataclass(frozen=True)
class Group:
    """A table: policies down, these columns across; `kind` belongs to all of them."""

    name: str
    title: str
    kind: str
    columns: tuple[Column, ...]


def _two_readings(low: float, high: float) -> str:
    return CHANGE.write(low) if CHANGE.write(low) == CHANGE.write(high) else between(CHANGE).write(low, high)


def _share_or_more(value: float) -> str:
    return "never" if value < 0 else "always saves" if value > 1 else percent(value)


READINGS = Unit("ratio, two readings", _two_readings)
BREAK_EVEN = Unit("share", _share_or_more, NOTHING)
AT_RISK = Unit("count of total", lambda part, whole: f"{part:,.0f} of {whole:,.0f}")
OF_ATOMS = Unit("share", lambda part, whole: SHARE.text(part / whole if whole else None), rank=PART.rank)

POLICY = Column("policy", "policy", NAME)
TOKENS_GROUP = Group(
    "tokens",
    "Input tokens",
    "measured",
    (
        Column("input_tokens", "input tokens", TOKENS, meaning="framed prompt tokens of all requests"),
        Column("ratio", "change", CHANGE, meaning="ratio of totals to identity, as a share of visible content"),
        Column(
            ("ratio_low", "ratio_high"),
            "95 % interval",
            between(CHANGE),
            meaning="percentile bootstrap over clusters; under 8 clusters there is none",
            instead="_exact",
        ),
        Column("typical_ratio", "typical transcript", CHANGE, meaning="mean of the log ratios per transcript"),
        Column(
            ("billed_ratio_constant", "billed_ratio_stretched"),
            "of billed input",
            READINGS,
            meaning="the saving over the billed input of the requests with usage; two readings: what the recording "
            "does not explain is constant, and it grows with the prompt as it did (another tokenizer)",
            instead="_not_billed",
        ),
        Column(
            "p_corrected", "p", P, meaning="sign flips over clusters, corrected over the policies (Benjamini-Hochberg)"
        ),
        Column(
            "detectable_saving",
            "detectable",
            SHARE,
            meaning="the smallest saving in a typical transcript that this sample finds with 80 % power",
            absent=NOTHING,
        ),
        Column(
            ("cached_warm", "input_tokens"),
            "cached, warm",
            PART,
            meaning="share of the input that a prefix cache had seen if every entry still lived",
        ),
        Column("peak_prompt", "peak prompt", TOKENS, meaning="tokens of the largest prompt"),
        Column("overflow_requests", "overflow", COUNT, meaning="requests over the window"),
    ),
)
HIDDEN = Group(
    "hidden",
    "What it takes out of the prompt",
    "measured",
    (
        Column("changed_results", "changed", COUNT, meaning="results not shown as recorded"),
        Column("elided_bytes", "elided", BYTES, meaning="bytes of what stood in the prompt as recorded"),
        Column("unreachable_bytes", "unreachable", BYTES, meaning="elided, and nothing lets this agent see them again"),
        Column("grown_results", "grown", COUNT, meaning="results shown with more tokens than recorded"),
        Column(
            "not_identified_results",
            "not identified",
            COUNT,
            meaning="results that were already clipped and that this policy would have left longer",
        ),
    ),
)
EVIDENCE = Group(
    "evidence",
    "What later actions could still see",
    "measured",
    (
        Column(
            "all_visible",
            "all visible",
            SHARE,
            meaning="requests whose borne atoms are all visible, of the requests that bear any; mean over transcripts",
        ),
        Column(
            ("all_visible_low", "all_visible_high"),
            "95 % interval",
            between(SHARE),
            meaning="percentile bootstrap over clusters",
            instead="_all_visible_exact",
        ),
        Column(
            ("at_risk_requests", "bearing_requests"),
            "at risk",
            AT_RISK,
            meaning="requests with a borne atom that is not visible",
        ),
        Column("borne", "borne atoms", COUNT, meaning="found in a result and nowhere else"),
        Column(
            "_short_visible",
            "short atoms visible",
            SHARE,
            meaning="borne atoms that are no long copied runs and stand in the prompt",
        ),
        Column(
            ("runs_visible", "borne_runs"),
            "copied runs visible",
            OF_ATOMS,
            meaning="long copied runs of text that stand in the prompt whole",
        ),
        Column(("visible", "borne"), "visible", OF_ATOMS, meaning="borne atoms that stand in the prompt"),
        Column(
            ("reachable", "borne"),
            "reachable",
            OF_ATOMS,
            meaning="not visible; a tool that this agent has can show them, or a reference by a path that it has seen "
            "can stand for them",
        ),
        Column(
            ("reachable_unknown", "borne"),
            "reachable, tool unknown",
            OF_ATOMS,
            meaning="reachable only if a tool that the tool table does not know reads files",
        ),
        Column(
            ("held", "borne"),
            "held",
            OF_ATOMS,
            meaning="not visible; a handle holds the value, but nothing is known to show this part of it",
        ),
        Column(
            ("held_guessed", "borne"),
            "held, by a guess",
            OF_ATOMS,
            meaning="of those held, a reference could stand for them by a path that the model has not seen",
        ),
        Column(
            ("lost", "borne"),
            "lost",
            OF_ATOMS,
            meaning="nothing holds them any more, or not where this agent can reach it",
        ),
    ),
)
MONEY = Group(
    "money",
    "Money, in USD",
    "measured",
    (
        Column("cost_no_cache", "no cache", USD, meaning="price without any cache"),
        Column("_no_cache_ratio", "change, no cache", CHANGE, meaning="against identity"),
        Column("cost_warm", "all warm", USD, meaning="price if every cache entry still lived"),
        Column("cost_warm_ratio", "change, all warm", CHANGE, meaning="against identity"),
        Column(
            ("cost_warm_low", "cost_warm_high"),
            "95 % interval",
            between(CHANGE),
            meaning="of the change, all warm; percentile bootstrap over clusters",
            instead="_cost_exact",
        ),
        Column(
            "cost_recorded",
            "as recorded",
            USD,
            meaning="price with the recording's own reads and writes of the cache; where usage is silent, times decide",
        ),
        Column("cost_recorded_ratio", "change, as recorded", CHANGE, meaning="against identity"),
        Column(
            ("bill_ratio_constant", "bill_ratio_stretched"),
            "of the bill",
            READINGS,
            meaning="the saving as recorded over what was billed, on the requests whose usage is complete; two "
            "readings, as of billed input",
        ),
    ),
)
ADDED = Group(
    "added",
    "Calls it would add",
    "estimated",
    (
        Column(
            ("estimated_low", "estimated_high"),
            "calls, bounds",
            span(COUNT),
            meaning="low: minus the recorded calls that only recover what had been cut and that this policy makes "
            "needless; high: every elided result that a later action mentions, read in full by windows of one size",
        ),
        Column(
            "estimated_evidence",
            "between",
            COUNT,
            meaning="what lies between the bounds, once the estimate is calibrated",
            absent=NOT_IDENTIFIED,
        ),
        Column(
            ("estimated_tokens_low", "estimated_tokens_high"),
            "input tokens with the calls",
            span(TOKENS),
            meaning="what is unrecoverable costs nothing at the low end, and at the high end its whole value, read "
            "once on arrival; policies whose ranges cross are not ranked",
        ),
        Column(
            ("unrecoverable", "pairs"),
            "unrecoverable",
            AT_RISK,
            meaning="pairs of a request and a result that it depends on, which no reference, no read and no re-run "
            "brings back",
        ),
        Column(
            "unrecoverable_unknown",
            "tool unknown",
            COUNT,
            meaning="more pairs, unless a tool that the tool table does not know reads files",
        ),
        Column("estimated_cost_high", "USD, high", USD, meaning="price of the calls at the high end, cache warm"),
        Column(
            "_break_even_page",
            "break-even, window",
            BREAK_EVEN,
            meaning="share of the elided results that could be fetched again, a window each, before no input "
            "tokens are saved",
        ),
        Column("_break_even_whole", "break-even, whole", BREAK_EVEN, meaning="the same, each fetched in full"),
    ),
)
BRIEF = (
    replace(TOKENS_GROUP.columns[1], heading="input tokens"),
    Column("typical_ratio", "typical", CHANGE),
    replace(EVIDENCE.columns[0], heading="see all"),
    Column("typical", "typical", SHARE),
    Column("unrecoverable", "gone (est.)", COUNT),
    Column("cost_warm_ratio", "price, warm", CHANGE),
)
"""What stands on a terminal."""


def groups(summary: Summary) -> list[Group]:
    """The tables that this run has figures for."""
    known = ((TOKENS_GROUP, True), (EVIDENCE, summary.has_evidence), (HIDDEN, True), (MONEY, summary.has_money))
    return [group for group, there in (*known, (ADDED, summary.has_added)) if there]


def brief(summary: Summary) -> tuple[Column, ...]:
    """Those of the terminal's columns that this run has figures for."""
    tokens, evidence, money = BRIEF[:2], BRIEF[2:4], BRIEF[5:]
    lost = BRIEF[4:5] if summary.has_added else ()
    return (*tokens, *(evidence if summary.has_evidence else ()), *lost, *(money if summary.has_money else ()))
