"""What a reader needs first: which policy, how much it saves, how sure, what it hides and costs; on what corpus, how
clipped that was, and how much of the bill the recording does not explain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.replay.sections import recovery
from harness.replay.sections import wording as say
from harness.replay.sections.audit import audit_line, audit_names
from harness.replay.sections.bill import bill_words, cliff_words
from harness.replay.sections.chance import words as chance_words
from harness.replay.sections.headline import Floor, decide, sentence
from harness.replay.sections.readings import reading_text
from harness.replay.sections.summary import ALL, Corpus, PolicyRow, Summary
from harness.report.screen import Fact
from harness.report.units import CHANGE, NOT_IDENTIFIED
from harness.text import count, number, share, size


@dataclass(frozen=True)
class Pick:
    """A policy that stands out, in what, over the whole corpus."""

    what: str
    row: PolicyRow


@dataclass(frozen=True)
class Answer:
    """One question with the answer for each picked policy. `main` answers are set larger, details are left out where
    there is little room."""

    question: str
    values: list[str]
    main: bool = False
    kind: str = "measured"
    detail: bool = False


FEW = 4
"""Up to so many policies all stand side by side."""
MOST_PICKS = 3
"""Of more, so many."""


def is_few(summary: Summary) -> bool:
    """Whether all policies stand side by side."""
    return len(summary.part(ALL)) - 1 <= FEW


def picks(summary: Summary) -> list[Pick]:
    """All policies where they are few; else the one that the headline names, or that comes nearest, its rival at equal
    cost, and the ends of the frontier."""
    found = decide(summary, Floor.parse(summary.floor))
    said = {
        "saves most within the floor": found.named,
        "nearest to the floor": found.nearest,
        "its rival at equal cost": found.rival,
    }
    if is_few(summary):
        what = {row.policy: word for word, row in said.items() if row}
        return [Pick(what.get(r.policy, ""), r) for r in summary.part(ALL) if r.policy != "identity"]
    picked = [Pick(word, row) for word, row in said.items() if row]
    if found.frontier:
        picked += [
            Pick("shows most of those that save", found.frontier[-1]),
            Pick("saves most of those that show anything", found.frontier[0]),
        ]
    return _named_once(picked)[:MOST_PICKS]


def _named_once(found: list[Pick]) -> list[Pick]:
    by_policy: dict[str, Pick] = {}
    for pick in found:
        before = by_policy.get(pick.row.policy)
        by_policy[pick.row.policy] = Pick(f"{before.what}; {pick.what}", pick.row) if before else pick
    return list(by_policy.values())


def headline(summary: Summary) -> str:
    """One sentence, plain text: saving, evidence and what is unrecoverable together, and the floor that it rests on."""
    return sentence(decide(summary, Floor.parse(summary.floor)), summary)


def answers(summary: Summary) -> list[Answer]:
    """What is known of the picked policies, one question a line."""
    rows = [p.row for p in picks(summary)]
    whole = summary.whole
    found = [
        Answer("input tokens, bill", [say.change(r.paired.ratio) for r in rows], main=True),
        _interval([say.sureness(r.paired) for r in rows], any(r.paired.interval for r in rows)),
        *_held_fixed(rows),
        Answer("typical", [say.change(r.paired.typical) for r in rows]),
        Answer("95 % interval", [say.changes(r.paired.typical_interval) for r in rows], detail=True),
    ]
    if whole.recorded_input is not None:
        found += billed_answers(rows)
    if any(r.p_corrected is not None for r in rows):
        found.append(Answer("p, corrected", [say.probability(r.p_corrected) for r in rows], detail=True))
        least = [say.percent(r.paired.detectable) for r in rows]
        found.append(Answer("least detectable saving", least, detail=True))
    if summary.has_evidence:
        found += list(_evidence(summary, rows))
    found += list(_left_out(summary, rows))
    if summary.has_money:
        paid = [r.money for r in rows if r.money]
        found += [
            Answer("price, cache warm", [say.change(m.paired.ratio) for m in paid], main=True),
            Answer("95 % interval", [say.sureness(m.paired) for m in paid], detail=True),
            Answer("price, no cache", [say.change(m.no_cache_ratio) for m in paid], detail=True),
        ]
    if summary.has_added:
        guessed = [r.added for r in rows if r.added]
        span = [f"{count(a.low)} … {count(a.high)}" for a in guessed]
        tokens = [f"{say.short_count(a.tokens_low)} … {say.short_count(a.tokens_high)}" for a in guessed]
        gone = [f"{say.pairs(r.unrecoverable)} of {count(r.unrecoverable.of)}" for r in rows if r.unrecoverable]
        found += [
            Answer("added calls, bounds", span, kind="estimated", detail=True),
            Answer("between the bounds", [NOT_IDENTIFIED] * len(guessed), kind="estimated", detail=True),
            Answer("input tokens with calls", tokens, kind="estimated", detail=True),
            Answer("unrecoverable pairs", gone, kind="estimated"),
        ]
    return found


def _interval(values: list[str], known: bool) -> Answer:
    """A line of its own is only worth it where there is an interval."""
    return Answer("95 % interval", values, detail=not known)


def _evidence(summary: Summary, rows: list[PolicyRow]) -> Iterator[Answer]:
    shown = [r.evidence for r in rows if r.evidence]
    yield Answer("requests that see all", [say.percent(e.all_visible) for e in shown], main=True)
    yield _interval([say.percents(e.interval) for e in shown], any(e.interval for e in shown))
    yield Answer("typical", [say.percent(e.typical) for e in shown])
    risk = [f"{count(e.at_risk_requests)} of {count(e.bearing_requests)}" for e in shown]
    yield Answer("requests at risk", risk, detail=True)
    reachable = [say.percent(e.share("visible", "reachable")) for e in shown]
    yield Answer("dependencies visible or reachable", reachable, detail=True)
    beyond = [b for r in rows if (b := summary.beyond.get(r.policy))]
    if beyond:
        yield Answer("against chance", [b.word for b in beyond])
        yield Answer("in points, typical", [b.text.partition(": ")[2] or "-" for b in beyond], detail=True)
    drawn = [b for r in rows if (b := summary.beyond_windows.get(r.policy))]
    if drawn:
        yield Answer("against random windows", [b.word for b in drawn], detail=True)
        yield Answer("in points, typical", [b.text.partition(": ")[2] or "-" for b in drawn], detail=True)


def _left_out(summary: Summary, rows: list[PolicyRow]) -> Iterator[Answer]:
    whole = size(summary.whole.result_bytes)
    yield Answer("taken out of the prompt", [f"{size(r.elided_bytes)} of {whole}" for r in rows], detail=True)
    yield Answer("of that, no call shows it again", [size(r.unreachable_bytes) for r in rows], detail=True)
    yield Answer("it comes back by", [recovery.short(summary.reaches.get(r.policy, ())) for r in rows], detail=True)


def _held_fixed(rows: list[PolicyRow]) -> list[Answer]:
    """Which clusters an interval of the bill takes as they are; it speaks of others like the rest."""
    if not any(r.paired.bill.fixed for r in rows):
        return []
    held = [number(len(r.paired.bill.fixed), "cluster") if r.paired.interval else "-" for r in rows]
    return [Answer("it takes as they are", held, detail=True)]


def billed_answers(rows: list[PolicyRow]) -> list[Answer]:
    """The saving of what was billed, and of which requests that is."""
    known = [r.reading for r in rows if r.reading]
    if not known:
        return []
    base = known[0].base
    found = [Answer(f"of the billed input ({base})", [reading_text(r.tokens) for r in known], detail=True)]
    if any(r.usd for r in known):
        usd = [reading_text(r.usd) for r in known]
        found.append(Answer("of the bill, the same requests", usd, detail=True))
    return found


def corpus_facts(summary: Summary) -> list[Fact]:
    """What everything rests on: how large the corpus is, how clipped, how much of the bill it explains; and what chance
    would show, and what brings back that which is left out."""
    whole = summary.whole
    found = [_corpus(summary), Fact("Rests on", "measured", *audit_line(summary.audit)), *_clipped(whole)]
    found += [*_unexplained(whole), *audit_names(summary.audit), *_undoubted(summary)]
    chance, follows = chance_words([(name, one) for name, one in summary.beyond.items() if name != "identity"])
    if chance:
        found.append(Fact("Beyond chance", "measured", chance, follows))
    windows = [(name, one) for name, one in summary.beyond_windows.items() if name != "identity"]
    drawn, so = chance_words(windows, "as many windows kept at random places")
    if drawn:
        found.append(Fact("Beyond random windows", "measured", drawn, so, detail=True))
    if handle := recovery.handle_fact(summary):
        found.append(handle)
    if whole.bill is not None and whole.recorded_input is not None:
        found.append(Fact("Bill", "measured", *bill_words(whole.bill), detail=True))
        found.append(Fact("Read from the cache", "recorded", *cliff_words(whole.bill), detail=True))
    if summary.prices:
        found.append(Fact("Prices", "recorded", "in USD:", summary.prices, detail=True))
    if whole.bearing_requests is not None:
        note = "of the requests use something that only a tool result had shown; the rest leaves no trace to look for"
        if whole.left_out is not None:
            o = whole.left_out
            note += (
                f"; left out: {count(o.unsourced)} atoms that stand nowhere before, {count(o.dropped)} whose results "
                f"the recorder had dropped, {count(o.spanless_requests)} requests with uses that leave no span to find"
            )
        found.append(
            Fact("Leave evidence", "measured", share(whole.bearing_requests, whole.requests), note, detail=True)
        )
    return found


def _undoubted(summary: Summary) -> Iterator[Fact]:
    """What the policies that stand out save without the transcripts whose reading is doubtful, and with them."""
    rows = list({pick.row.policy: pick.row for pick in picks(summary)}.values()) if summary.undoubted else []
    said = [
        f"{r.policy} {CHANGE.text(summary.undoubted[r.policy])} ({CHANGE.text(r.paired.ratio)} with them)"
        for r in rows
        if r.paired.ratio is not None
    ]
    if said:
        yield Fact("Without doubtful readings", "measured", "input tokens:", ", ".join(said))


def _corpus(summary: Summary) -> Fact:
    c = summary.whole
    note = (
        f"in {number(c.clusters, 'cluster')}, {number(c.requests, 'request')}, "
        f"{number(c.tool_calls, 'tool call')}, results of {size(c.result_bytes)}"
    )
    if summary.formats:
        note += f"; {number(len(summary.formats), 'format')}"
    if summary.skipped or summary.quarantined:
        note += f"; {number(summary.skipped, 'file')} skipped, {count(summary.quarantined)} quarantined"
    if c.images or c.encrypted:
        kinds = ((c.images, "image"), (c.encrypted, "encrypted part"))
        note += f"; not counted: {', '.join(number(n, what) for n, what in kinds if n)}"
    return Fact("Corpus", "recorded", number(c.transcripts, "transcript"), note)


def _clipped(corpus: Corpus) -> Iterator[Fact]:
    clipped = share(corpus.clipped_bytes, corpus.result_bytes)
    if not corpus.clipped_results:
        yield Fact("Already clipped", "recorded", clipped, "as no result bears a known truncation marker")
        return
    results = share(corpus.clipped_results, corpus.results)
    yield Fact("Already clipped", "recorded", f"{clipped} of bytes,", f"{results} of results; savings are minima")
    note = "a looser policy than the recorder's is not identified on clipped results; savings are at least so"
    yield Fact("Where clipped", "measured", "lower bounds:", note, detail=True)


def _unexplained(corpus: Corpus) -> Iterator[Fact]:
    if corpus.recorded_input is None or corpus.unrecorded is None:
        yield Fact("Bill", "recorded", f"{say.NOT_REPORTED};", "changes are of visible content")
        return
    base = f"of {say.short_count(corpus.recorded_input)} billed tokens"
    note = f"{base} ({share(corpus.recorded_requests, corpus.requests)} of requests)"
    yield Fact("Bill not explained", "measured", share(corpus.unrecorded, corpus.recorded_input), note)
    g = corpus.growth
    if g.ratio is not None and g.low is not None and g.high is not None:
        note = f"tokens of ours for each billed one by which a prompt grew ({g.low:.2f} … {g.high:.2f})"
        yield Fact("Growth", "measured", f"{g.ratio:.2f}", note, detail=True)
