"""What a reader needs first: which policy, how much it saves, how sure, on what corpus, how clipped that was, how much
of the bill the recording does not explain, and what the policy hides."""

from __future__ import annotations

from dataclasses import dataclass

from harness.reports import wording as say
from harness.reports.summary import ALL, Corpus, PolicyRow, Summary
from harness.views.text import count, share, size

EVIDENCE_FLOOR = 0.95


@dataclass(frozen=True)
class Pick:
    """A policy that stands out: in what, and its row over the whole corpus; no row where none qualifies."""

    what: str
    row: PolicyRow | None

    @property
    def figure(self) -> str:
        return "none" if self.row is None else say.change(self.row.paired.ratio)


@dataclass(frozen=True)
class Fact:
    """question: what it answers. kind: of the figure. value: in a few characters. note: a sentence or two."""

    question: str
    kind: str
    value: str
    note: str


def leader(summary: Summary) -> PolicyRow | None:
    """The policy with the fewest input tokens, if any has fewer than identity."""
    rows = [r for r in summary.part(ALL) if r.paired.ratio is not None and r.paired.ratio < 1]
    return min(rows, key=lambda r: r.input_tokens, default=None)


def picks(summary: Summary) -> list[Pick]:
    """The leader; beside it, where it is known, the one that saves most with little hidden, and the cheapest."""
    first = leader(summary)
    found = [Pick("fewest input tokens", first)]
    if first is None:
        return found
    rows = [r for r in summary.part(ALL) if r.policy != "identity"]
    if summary.has_evidence:
        careful = [r for r in rows if _ratio(r) < 1 and r.evidence and (r.evidence.all_visible or 0) >= EVIDENCE_FLOOR]
        what = f"fewest with all evidence visible in at least {EVIDENCE_FLOOR:.0%} of the requests that bear any"
        found.append(Pick(what.replace("%", " %"), min(careful, key=lambda r: r.input_tokens, default=None)))
    return found


def _ratio(row: PolicyRow) -> float:
    return 1.0 if row.paired.ratio is None else row.paired.ratio


def headline(summary: Summary) -> str:
    """One sentence, plain text."""
    first = leader(summary)
    if first is None:
        return "No policy sends fewer input tokens than identity."
    return (
        f"Under {first.policy} the same runs would have sent {say.change(first.paired.ratio)} input tokens "
        f"({say.sureness(first.paired)}, measured)."
    )


def facts(summary: Summary) -> list[Fact]:
    """The answers, the leading policy's first, then the corpus's."""
    first = leader(summary)
    own = [] if first is None else [_saves(summary, first), _sure(first), _hides(summary, first)]
    if first is not None and first.money is not None:
        own.append(_costs(first))
    return [*own, _corpus(summary), _clipped(summary.whole), _unexplained(summary.whole)]


def _saves(summary: Summary, row: PolicyRow) -> Fact:
    base = summary.row(ALL, "identity").input_tokens
    note = f"{count(row.input_tokens)} input tokens instead of {count(base)}, a share of visible content"
    if row.recorded_ratio is not None:
        note += f"; {say.change(row.recorded_ratio)} over the billed input, where usage was recorded"
    return Fact("How much it saves", "measured", say.change(row.paired.ratio), note)


def _sure(row: PolicyRow) -> Fact:
    p = row.paired
    sample = f"{count(p.n)} transcripts in {count(p.clusters)} clusters"
    typical = f"a typical transcript changes by {say.change(p.typical)}"
    if p.typical_interval is not None and not p.exact:
        typical += f" ({say.changes(p.typical_interval)})"
    if p.exact:
        return Fact("How sure", "measured", "exact", f"the same ratio in every one of {sample}")
    if p.interval is None:
        return Fact("How sure", "measured", "no interval", f"{p.why}; {typical}")
    note = f"95 % interval over {sample}; {typical}; p {say.probability(row.p_corrected)}, corrected"
    if p.detectable is not None:
        note += f"; changes from {say.percent(p.detectable)} on can be found"
    return Fact("How sure", "measured", say.changes(p.interval), note)


def _hides(summary: Summary, row: PolicyRow) -> Fact:
    gone = (
        f"{size(row.elided_bytes)} of {size(summary.whole.result_bytes)} of results leave the prompt, "
        f"{size(row.unreachable_bytes)} of them out of reach"
    )
    e = row.evidence
    if e is None or e.all_visible is None:
        return Fact("What it hides", "measured", share(row.elided_bytes, summary.whole.result_bytes), gone)
    note = (
        f"of the requests that use something only a result had shown still see all of it "
        f"({say.percents(e.interval)}); {count(e.at_risk_requests)} of {count(e.bearing_requests)} are at risk, "
        f"{share(e.bearing_requests, summary.whole.requests)} of all requests bear any; {gone}"
    )
    return Fact("What stays visible", "measured", say.percent(e.all_visible), note)


def _costs(row: PolicyRow) -> Fact:
    m = row.money
    assert m is not None
    note = (
        f"{say.usd(m.warm)} USD with every cache entry alive ({say.sureness(m.paired)}); without a cache "
        f"{say.change(m.no_cache_ratio)}, {say.usd(m.no_cache)} USD"
    )
    if m.recorded_ratio is not None:
        note += f"; as recorded {say.change(m.recorded_ratio)} over {count(m.timed)} transcripts with times"
    return Fact("What it costs", "measured", say.change(m.paired.ratio), note)


def _corpus(summary: Summary) -> Fact:
    c = summary.whole
    note = (
        f"{count(c.clusters)} clusters (tasks or repositories), {count(c.requests)} requests, "
        f"{count(c.tool_calls)} tool calls, {count(c.results)} results of {size(c.result_bytes)}"
    )
    if summary.formats:
        note += "; " + ", ".join(f.name for f in summary.formats)
    if summary.skipped or summary.quarantined:
        note += f"; not read: {count(summary.skipped)} files skipped, {count(summary.quarantined)} in quarantine"
    if c.images or c.encrypted:
        note += f"; {count(c.images)} images and {count(c.encrypted)} encrypted parts are not counted"
    return Fact("On what corpus", "recorded", f"{count(c.transcripts)} transcripts", note)


def _clipped(corpus: Corpus) -> Fact:
    if not corpus.clipped_results:
        note = "no result bears a known truncation marker"
    else:
        note = (
            f"of the bytes, {share(corpus.clipped_results, corpus.results)} of the results: there, looser policies are "
            "not identified, and savings are lower bounds"
        )
    return Fact("Already clipped when recorded", "recorded", share(corpus.clipped_bytes, corpus.result_bytes), note)


def _unexplained(corpus: Corpus) -> Fact:
    question = "Of the bill not explained"
    if corpus.recorded_input is None or corpus.unrecorded is None:
        return Fact(question, "recorded", say.NOT_REPORTED, "no usage was recorded: percentages are of visible content")
    note = (
        f"of {say.short_count(corpus.recorded_input)} billed input tokens, on "
        f"{share(corpus.recorded_requests, corpus.requests)} of the requests (system prompt, tool "
        "definitions, another tokenizer)"
    )
    g = corpus.growth
    if g.ratio is not None and g.low is not None and g.high is not None:
        note += f"; per token that the bill grows, our count grows by {g.ratio:.2f} ({g.low:.2f} … {g.high:.2f})"
    return Fact(question, "measured", share(corpus.unrecorded, corpus.recorded_input), note)
