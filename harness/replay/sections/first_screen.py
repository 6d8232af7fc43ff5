"""What a reader needs first: which policy, how much it saves, how sure, what it hides and costs; on what corpus, how
clipped that was, and how much of the bill the recording does not explain."""

from __future__ import annotations

from dataclasses import dataclass

from harness.replay.sections import wording as say
from harness.replay.sections.audit import audit_lines
from harness.replay.sections.bill import bill_words, cliff_words
from harness.replay.sections.headline import Floor, decide, sentence
from harness.replay.sections.readings import reading_text
from harness.replay.sections.summary import ALL, Corpus, PolicyRow, Summary
from harness.report.screen import Fact
from harness.report.units import NOT_IDENTIFIED
from harness.text import count, number, share, size


@dataclass(frozen=True)
class Pick:
    """A policy that stands out, in what, over the whole corpus; no row where none qualifies."""

    what: str
    row: PolicyRow | None


@dataclass(frozen=True)
class Answer:
    """One question with the answer for each picked policy that exists. `main` answers are set larger."""

    question: str
    values: list[str]
    main: bool = False
    kind: str = "measured"

    @property
    def asked(self) -> str:
        """The question, with its kind if that is not the one in the heading."""
        return self.question if self.kind == "measured" else f"{self.question} ({self.kind})"


MOST_PICKS = 3
"""Policies that fit side by side; all are shown where there are no more of them."""


def picks(summary: Summary) -> list[Pick]:
    """All policies where they are few; else the one that the headline names, or that comes nearest, its rival at equal
    cost, and the ends of the frontier."""
    rows = [r for r in summary.part(ALL) if r.policy != "identity"]
    found = decide(summary, Floor.parse(summary.floor))
    said = {
        "saves most within the floor": found.named,
        "nearest to the floor": found.nearest,
        "its rival at equal cost": found.rival,
    }
    if len(rows) <= MOST_PICKS:
        what = {row.policy: word for word, row in said.items() if row}
        return [Pick(what.get(row.policy, ""), row) for row in rows]
    picked = [Pick(word, row) for word, row in said.items() if row]
    if found.frontier:
        picked += [
            Pick("shows most of those that save", found.frontier[-1]),
            Pick("saves most of those that show anything", found.frontier[0]),
        ]
    return _named_once(picked)[:MOST_PICKS]


def _named_once(found: list[Pick]) -> list[Pick]:
    by_policy: dict[str, Pick] = {}
    for n, pick in enumerate(found):
        key = pick.row.policy if pick.row else f"none {n}"
        before = by_policy.get(key)
        by_policy[key] = Pick(f"{before.what}; {pick.what}", pick.row) if before else pick
    return list(by_policy.values())


def headline(summary: Summary) -> str:
    """One sentence, plain text: saving, evidence and what is unrecoverable together, and the floor that it rests on."""
    return sentence(decide(summary, Floor.parse(summary.floor)), summary)


def answers(summary: Summary) -> list[Answer]:
    """What is known of the picked policies, one question a line."""
    rows = [p.row for p in picks(summary) if p.row]
    whole = summary.whole
    found = [
        Answer("change of input tokens, the bill", [say.change(r.paired.ratio) for r in rows], main=True),
        Answer("95 % interval", [say.sureness(r.paired) for r in rows]),
        *_held_fixed(rows),
        Answer("in a typical cluster", [say.change(r.paired.typical) for r in rows]),
        Answer("95 % interval", [say.changes(r.paired.typical_interval) for r in rows]),
    ]
    if whole.recorded_input is not None:
        found += billed_answers(rows)
    if any(r.p_corrected is not None for r in rows):
        found.append(Answer("p, corrected", [say.probability(r.p_corrected) for r in rows]))
        found.append(Answer("least detectable saving", [say.percent(r.paired.detectable) for r in rows]))
    if summary.has_evidence:
        shown = [r.evidence for r in rows if r.evidence]
        found += [
            Answer("requests with all visible, the bill", [say.percent(e.all_visible) for e in shown], main=True),
            Answer("95 % interval", [say.percents(e.interval) for e in shown]),
            Answer("in a typical cluster", [say.percent(e.typical) for e in shown]),
            Answer("atoms visible or reachable", [say.percent(e.share("visible", "reachable")) for e in shown]),
            Answer("requests at risk", [f"{count(e.at_risk_requests)} of {count(e.bearing_requests)}" for e in shown]),
        ]
    found.append(
        Answer("taken out of the prompt", [f"{size(r.elided_bytes)} of {size(whole.result_bytes)}" for r in rows])
    )
    found.append(Answer("of that, nothing shows again", [size(r.unreachable_bytes) for r in rows]))
    if summary.has_money:
        paid = [r.money for r in rows if r.money]
        found += [
            Answer("price, cache warm", [say.change(m.paired.ratio) for m in paid], main=True),
            Answer("95 % interval", [say.sureness(m.paired) for m in paid]),
            Answer("price, no cache", [say.change(m.no_cache_ratio) for m in paid]),
        ]
    if summary.has_added:
        guessed = [r.added for r in rows if r.added]
        span = [f"{count(a.low)} … {count(a.high)}" for a in guessed]
        tokens = [f"{say.short_count(a.tokens_low)} … {say.short_count(a.tokens_high)}" for a in guessed]
        gone = [f"{say.pairs(r.unrecoverable)} of {count(r.unrecoverable.of)}" for r in rows if r.unrecoverable]
        found += [
            Answer("added calls, bounds", span, kind="estimated"),
            Answer("between them", [NOT_IDENTIFIED] * len(guessed), kind="estimated"),
            Answer("input tokens with the calls", tokens, kind="estimated"),
            Answer("request and result, unrecoverable", gone, kind="estimated"),
        ]
    return found


def _held_fixed(rows: list[PolicyRow]) -> list[Answer]:
    """Which clusters an interval of the bill takes as they are; it speaks of others like the rest."""
    if not any(r.paired.bill.fixed for r in rows):
        return []
    held = [number(len(r.paired.bill.fixed), "cluster") if r.paired.interval else "-" for r in rows]
    return [Answer("it takes as they are", held)]


def billed_answers(rows: list[PolicyRow]) -> list[Answer]:
    """The saving of what was billed, and of which requests that is."""
    known = [r.reading for r in rows if r.reading]
    if not known:
        return []
    base = known[0].base
    found = [Answer(f"of the billed input ({base})", [reading_text(r.tokens) for r in known])]
    if any(r.usd for r in known):
        found.append(Answer("of the bill, the same requests", [reading_text(r.usd) for r in known]))
    return found


def corpus_facts(summary: Summary) -> list[Fact]:
    """What everything rests on: how large the corpus is, how clipped, how much of the bill it explains."""
    whole = summary.whole
    concentration, seen = audit_lines(summary.audit)
    audited = Fact("Rests on", "measured", concentration, seen)
    found = [_corpus(summary), audited, _clipped(whole), _unexplained(whole)]
    if whole.bill is not None and whole.recorded_input is not None:
        found.append(Fact("Bill", "measured", *bill_words(whole.bill)))
        found.append(Fact("Read from the cache", "recorded", *cliff_words(whole.bill)))
    if summary.prices:
        found.append(Fact("Prices", "recorded", "in USD:", summary.prices))
    if whole.bearing_requests is not None:
        note = "of the requests use something that only a tool result had shown; the rest leaves no trace to look for"
        if whole.left_out is not None:
            o = whole.left_out
            note += (
                f"; left out: {count(o.unsourced)} atoms that stand nowhere before, {count(o.dropped)} whose results "
                f"the recorder had dropped, {count(o.spanless_requests)} requests with uses that leave no span to find"
            )
        found.append(Fact("Leave evidence", "measured", share(whole.bearing_requests, whole.requests), note))
    return found


def _corpus(summary: Summary) -> Fact:
    c = summary.whole
    note = (
        f"in {number(c.clusters, 'cluster')} (tasks or repositories), {number(c.requests, 'request')}, "
        f"{number(c.tool_calls, 'tool call')}, {number(c.results, 'result')} of {size(c.result_bytes)}"
    )
    if summary.formats:
        note += "; " + ", ".join(f"{f.name} {f.transcripts}" for f in summary.formats)
    if summary.skipped or summary.quarantined:
        note += f"; not read: {number(summary.skipped, 'file')} skipped, {count(summary.quarantined)} in quarantine"
    if c.images or c.encrypted:
        note += f"; not counted: {number(c.images, 'image')}, {number(c.encrypted, 'encrypted part')}"
    return Fact("Corpus", "recorded", number(c.transcripts, "transcript"), note)


def _clipped(corpus: Corpus) -> Fact:
    if not corpus.clipped_results:
        note = "as no result bears a known truncation marker"
    else:
        note = (
            f"of the bytes, {share(corpus.clipped_results, corpus.results)} of the results; there, looser policies are "
            "not identified and savings are lower bounds"
        )
    return Fact("Already clipped", "recorded", share(corpus.clipped_bytes, corpus.result_bytes), note)


def _unexplained(corpus: Corpus) -> Fact:
    question = "Bill not explained"
    if corpus.recorded_input is None or corpus.unrecorded is None:
        return Fact(question, "recorded", say.NOT_REPORTED, "as no usage was recorded; changes are of visible content")
    note = (
        f"of {say.short_count(corpus.recorded_input)} billed input tokens, on "
        f"{share(corpus.recorded_requests, corpus.requests)} of the requests (system prompt, tool definitions, another "
        "tokenizer)"
    )
    g = corpus.growth
    if g.ratio is not None and g.low is not None and g.high is not None:
        note += f"; a billed token of growth is {g.ratio:.2f} in our count ({g.low:.2f} … {g.high:.2f})"
    return Fact(question, "measured", share(corpus.unrecorded, corpus.recorded_input), note)
