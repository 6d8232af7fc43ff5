"""The tables of policies: what stands in each column, of which kind it is and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.report import wording as say
from harness.report.added import Added
from harness.report.evidence import Evidence
from harness.report.money import Money
from harness.report.readings import reading_text
from harness.report.summary import PolicyRow, Summary
from harness.text import count, share, size


@dataclass(frozen=True)
class Column:
    """text: as a reader sees it. value: to sort by, `None` where there is nothing."""

    heading: str
    meaning: str
    text: Callable[[PolicyRow], str]
    value: Callable[[PolicyRow], Any]


@dataclass(frozen=True)
class Group:
    """A table: policies down, these columns across; `kind` belongs to all of them."""

    name: str
    title: str
    kind: str
    columns: tuple[Column, ...]


TOKENS = Group(
    "tokens",
    "Input tokens",
    "measured",
    (
        Column(
            "input tokens",
            "framed prompt tokens of all requests",
            lambda r: count(r.input_tokens),
            lambda r: r.input_tokens,
        ),
        Column(
            "change",
            "ratio of totals to identity, as a share of visible content",
            lambda r: say.change(r.paired.ratio),
            lambda r: r.paired.ratio,
        ),
        Column(
            "95 % interval",
            "percentile bootstrap over clusters; under 8 clusters there is none",
            lambda r: say.sureness(r.paired),
            lambda r: r.paired.interval and r.paired.interval[0],
        ),
        Column(
            "typical transcript",
            "mean of the log ratios per transcript",
            lambda r: say.change(r.paired.typical),
            lambda r: r.paired.typical,
        ),
        Column(
            "of billed input",
            "the saving over the billed input of the requests with usage; two readings: what the recording does not "
            "explain is constant, and it grows with the prompt as it did (another tokenizer)",
            lambda r: reading_text(r.reading.tokens) if r.reading and r.reading.requests else say.NOT_REPORTED,
            lambda r: r.reading.tokens[0] if r.reading and r.reading.tokens else None,
        ),
        Column(
            "p",
            "sign flips over clusters, corrected over the policies (Benjamini-Hochberg)",
            lambda r: say.probability(r.p_corrected),
            lambda r: r.p_corrected,
        ),
        Column(
            "detectable",
            "the smallest saving in a typical transcript that this sample finds with 80 % power",
            lambda r: "-" if r.paired.detectable is None else say.percent(r.paired.detectable),
            lambda r: r.paired.detectable,
        ),
        Column(
            "cached, warm",
            "share of the input that a prefix cache had seen if every entry still lived",
            lambda r: share(r.cached_warm, r.input_tokens),
            lambda r: r.cached_warm / r.input_tokens if r.input_tokens else None,
        ),
        Column("peak prompt", "tokens of the largest prompt", lambda r: count(r.peak_prompt), lambda r: r.peak_prompt),
        Column(
            "overflow",
            "requests over the window",
            lambda r: count(r.overflow_requests),
            lambda r: r.overflow_requests,
        ),
    ),
)

HIDDEN = Group(
    "hidden",
    "What it takes out of the prompt",
    "measured",
    (
        Column(
            "changed", "results not shown as recorded", lambda r: count(r.changed_results), lambda r: r.changed_results
        ),
        Column(
            "elided",
            "bytes of results that do not stand in the prompt",
            lambda r: size(r.elided_bytes),
            lambda r: r.elided_bytes,
        ),
        Column(
            "unreachable",
            "elided bytes that no handle and no file names",
            lambda r: size(r.unreachable_bytes),
            lambda r: r.unreachable_bytes,
        ),
        Column(
            "grown",
            "results shown with more tokens than recorded",
            lambda r: count(r.grown_results),
            lambda r: r.grown_results,
        ),
        Column(
            "not identified",
            "results that were already clipped and that this policy would have left longer",
            lambda r: count(r.not_identified_results),
            lambda r: r.not_identified_results,
        ),
    ),
)


def _evidence(
    heading: str, meaning: str, text: Callable[[Evidence], str], value: Callable[[Evidence], float | None]
) -> Column:
    return Column(
        heading,
        meaning,
        lambda r: say.NOT_IDENTIFIED if r.evidence is None else text(r.evidence),
        lambda r: None if r.evidence is None else value(r.evidence),
    )


def _state(state: str, meaning: str) -> Column:
    return _evidence(state, meaning, lambda e: say.percent(e.share(state)), lambda e: e.share(state))


EVIDENCE = Group(
    "evidence",
    "What later actions could still see",
    "measured",
    (
        _evidence(
            "all visible",
            "requests whose borne atoms are all visible, of the requests that bear any; mean over transcripts",
            lambda e: say.percent(e.all_visible),
            lambda e: e.all_visible,
        ),
        _evidence(
            "95 % interval",
            "percentile bootstrap over clusters",
            lambda e: say.percents(e.interval),
            lambda e: e.interval and e.interval[0],
        ),
        _evidence(
            "at risk",
            "requests with a borne atom that is not visible",
            lambda e: f"{count(e.at_risk_requests)} of {count(e.bearing_requests)}",
            lambda e: e.at_risk_requests,
        ),
        _evidence("borne atoms", "found in a result and nowhere else", lambda e: count(e.borne), lambda e: e.borne),
        _evidence(
            "short atoms visible",
            "borne atoms that are no long copied runs and stand in the prompt",
            lambda e: say.percent(e.short_visible),
            lambda e: e.short_visible,
        ),
        _evidence(
            "copied runs visible",
            "long copied runs of text that stand in the prompt whole",
            lambda e: say.percent(e.copied_visible),
            lambda e: e.copied_visible,
        ),
        _state("visible", "borne atoms that stand in the prompt"),
        _state("reachable", "not visible; a file or a readable handle has them, or a reference can stand for them"),
        _state("held", "not visible; a handle holds the value, but nothing is known to show this part of it"),
        _state("lost", "nothing holds them any more"),
    ),
)


def _money(heading: str, meaning: str, text: Callable[[Money], str], value: Callable[[Money], float | None]) -> Column:
    return Column(
        heading,
        meaning,
        lambda r: say.NOT_IDENTIFIED if r.money is None else text(r.money),
        lambda r: None if r.money is None else value(r.money),
    )


MONEY = Group(
    "money",
    "Money, in USD",
    "measured",
    (
        _money("no cache", "price without any cache", lambda m: say.usd(m.no_cache), lambda m: m.no_cache),
        _money(
            "change, no cache",
            "against identity",
            lambda m: say.change(m.no_cache_ratio),
            lambda m: m.no_cache_ratio,
        ),
        _money("all warm", "price if every cache entry still lived", lambda m: say.usd(m.warm), lambda m: m.warm),
        _money("change, all warm", "against identity", lambda m: say.change(m.paired.ratio), lambda m: m.paired.ratio),
        _money(
            "95 % interval",
            "of the change, all warm; percentile bootstrap over clusters",
            lambda m: say.sureness(m.paired),
            lambda m: m.paired.interval and m.paired.interval[0],
        ),
        _money(
            "as recorded",
            "price with the recording's own reads and writes of the cache; where usage is silent, times decide",
            lambda m: say.usd(m.recorded),
            lambda m: m.recorded,
        ),
        _money(
            "change, as recorded",
            "against identity",
            lambda m: say.change(m.recorded_ratio),
            lambda m: m.recorded_ratio,
        ),
        Column(
            "of the bill",
            "the saving as recorded over what was billed, on the requests whose usage is complete; two readings, as of "
            "billed input",
            lambda r: reading_text(r.reading.usd) if r.reading and r.reading.usd else say.NOT_IDENTIFIED,
            lambda r: r.reading.usd[0] if r.reading and r.reading.usd else None,
        ),
    ),
)


def _added(heading: str, meaning: str, text: Callable[[Added], str], value: Callable[[Added], float | None]) -> Column:
    return Column(
        heading,
        meaning,
        lambda r: say.NOT_IDENTIFIED if r.added is None else text(r.added),
        lambda r: None if r.added is None else value(r.added),
    )


ADDED = Group(
    "added",
    "Calls it would add",
    "estimated",
    (
        _added(
            "calls, low",
            "minus the recorded calls that only recover what had been cut and that this policy makes needless",
            lambda a: count(a.low),
            lambda a: a.low,
        ),
        _added(
            "evidence",
            "one recovery for each window of a result that bears something which is not visible",
            lambda a: count(a.evidence),
            lambda a: a.evidence,
        ),
        _added(
            "high",
            "every elided result that a later action mentions, read in full by pages",
            lambda a: count(a.high),
            lambda a: a.high,
        ),
        _added(
            "losses",
            "windows that are needed and that nothing brings back; no calls",
            lambda a: count(a.losses),
            lambda a: a.losses,
        ),
        _added(
            "tokens, evidence",
            "input tokens of those calls, carried on",
            lambda a: count(a.tokens_evidence),
            lambda a: a.tokens_evidence,
        ),
        _added("tokens, high", "the same", lambda a: count(a.tokens_high), lambda a: a.tokens_high),
        _added("USD, evidence", "price, cache warm", lambda a: say.usd(a.cost_evidence), lambda a: a.cost_evidence),
        _added("USD, high", "price, cache warm", lambda a: say.usd(a.cost_high), lambda a: a.cost_high),
        _added(
            "break-even, page",
            "share of the elided results that could be fetched again, a page each, before no input tokens are saved",
            lambda a: _share_or_more(a.break_even_page),
            lambda a: a.break_even_page,
        ),
        _added(
            "break-even, whole",
            "the same, each fetched in full",
            lambda a: _share_or_more(a.break_even_whole),
            lambda a: a.break_even_whole,
        ),
    ),
)


def _share_or_more(value: float | None) -> str:
    if value is None:
        return "-"
    return "never" if value < 0 else "always saves" if value > 1 else say.percent(value)


def groups(summary: Summary) -> list[Group]:
    """The tables that this run has figures for."""
    known = ((TOKENS, True), (EVIDENCE, summary.has_evidence), (HIDDEN, True), (MONEY, summary.has_money))
    return [group for group, there in (*known, (ADDED, summary.has_added)) if there]


def stages(rows: list[PolicyRow]) -> list[tuple[str, list[PolicyRow]]]:
    """The rows of a part by stage, since history policies pay in the cache for what they save: listed apart."""
    names = dict.fromkeys(r.stage for r in rows)
    return [(name, [r for r in rows if r.stage == name]) for name in names]
