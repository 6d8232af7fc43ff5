"""The figures of a report against what the recordings are known to hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.replay.sections.chance import BeyondChance, words
from harness.replay.sections.first_screen import answers, corpus_facts, headline, picks
from harness.replay.sections.headline import Floor, decide, shortfalls
from harness.replay.sections.part import Replay
from harness.replay.sections.recovery import handle_fact
from harness.replay.sections.summary import ALL, summarize
from harness.statistics.clusters import clusters_of
from harness.statistics.estimate import Estimate
from tests.report.recordings import TASKS
from tests.report.synthetic import make_run


def test_the_corpus_is_counted(report: Replay) -> None:
    whole = report.summary.whole
    assert (whole.transcripts, whole.clusters) == (TASKS + 1, TASKS)
    assert (whole.requests, whole.tool_calls, whole.results) == (4 * TASKS + 2, 3 * TASKS + 1, 3 * TASKS + 1)
    assert whole.result_bytes == 3000 + sum(100 + 1000 + 5 * (2000 + 100 * n) for n in range(TASKS))
    assert (report.summary.skipped, report.summary.quarantined) == (1, 1)
    assert whole.recorded_input is None


def test_elided_bytes_of_a_head_are_what_stands_behind_it(report: Replay) -> None:
    row = report.summary.row(ALL, "head:bytes=500")
    assert row.elided_bytes == 2500 + sum(500 + 5 * (2000 + 100 * n) - 500 for n in range(TASKS))
    assert row.unreachable_bytes == row.elided_bytes
    assert row.changed_results == 1 + 2 * TASKS


def test_what_a_head_cuts_off_is_at_risk_where_it_is_used(report: Replay) -> None:
    assert report.summary.whole.bearing_requests == TASKS
    found = {r.policy: r.evidence for r in report.summary.part(ALL)}
    cut, kept = found["head:bytes=500"], found["middle:bytes=2000"]
    assert cut is not None
    assert kept is not None
    assert (cut.bearing_requests, cut.at_risk_requests, cut.all_visible) == (TASKS, TASKS, 0.0)
    assert (kept.bearing_requests, kept.at_risk_requests, kept.all_visible) == (TASKS, 0, 1.0)


def test_sums_are_those_of_the_transcripts_table(report: Replay) -> None:
    sums = report.run.transcripts.groupby("policy", observed=True)["input_tokens"].sum()
    assert {r.policy: r.input_tokens for r in report.summary.part(ALL)} == sums.to_dict()


def test_identity_is_compared_with_itself(report: Replay) -> None:
    row = report.summary.row(ALL, "identity")
    assert (row.paired.ratio, row.elided_bytes, row.changed_results) == (1.0, 0, 0)
    assert row.evidence is not None
    assert row.evidence.at_risk_requests == 0


def test_the_headline_names_the_cheapest_that_meets_the_floor_and_says_what_it_hides() -> None:
    summary = summarize(make_run(40, evidence=True))
    saving = [r for r in summary.part(ALL) if r.policy != "identity" and (r.paired.ratio or 1) < 1]
    for floor in (Floor(0.0, 1.0), Floor(0.5, 1.0), Floor(0.95, 0.01)):
        able = [r for r in saving if not list(shortfalls(r, floor)) and r.evidence and r.evidence.all_visible]
        named = decide(summary, floor).named
        assert (named and named.policy) == min(((r.input_tokens, r.policy) for r in able), default=(0, None))[1]
    assert "requests that use tool results see all they use" in headline(summary)


def test_without_a_floor_no_policy_is_named() -> None:
    summary = summarize(make_run(40, evidence=True))
    found = decide(summary, None)
    assert (found.named, found.rival, found.nearest) == (None, None, None)
    assert found.frontier


def test_what_hides_everything_never_stands_in_the_sentence() -> None:
    run = make_run(20, evidence=True)
    frame = run.transcripts
    blind = frame["policy"] == "car"
    for name in ("input_tokens", "visible"):
        frame.loc[blind, name] = 0
    frame.loc[blind, "at_risk_requests"] = frame.loc[blind, "bearing_requests"]
    summary = summarize(run)
    assert summary.row(ALL, "car").paired.ratio == 0
    for floor in (Floor(0.0, 1.0), Floor()):
        found = decide(summary, floor)
        assert "car" not in {row.policy for row in (found.named, found.nearest, found.rival) if row}


def test_a_run_of_identity_alone_says_so() -> None:
    run = make_run(3)
    run.manifest["policies"] = run.manifest["policies"][:1]
    for name in ("requests", "results", "transcripts"):
        frame = getattr(run, name)
        run.__dict__[name] = frame[frame["policy"] == "identity"]
    summary = summarize(run)
    assert picks(summary) == []
    assert "No policy" in headline(summary)
    assert "No policy" in Replay(run).text()


def test_every_fact_carries_its_kind(report: Replay) -> None:
    facts = {f.question: f for f in corpus_facts(report.summary)}
    assert facts["Corpus"].kind == "recorded"
    assert facts["Corpus"].value == "10 transcripts"
    assert "1 file skipped, 1 quarantined" in facts["Corpus"].note
    assert facts["Bill"].value == "not reported;"
    assert {a.kind for a in answers(report.summary) if "added calls" in a.question} == {"estimated"}


def test_every_answer_has_a_value_for_every_picked_policy() -> None:
    summary = summarize(make_run(40, evidence=True, prices=True))
    named = picks(summary)
    assert len({p.row.policy for p in named}) == len(named)
    assert {len(a.values) for a in answers(summary)} == {len(named)}


def test_evidence_has_two_weightings_of_the_transcripts_that_bear_any() -> None:
    run = make_run(150, evidence=True)
    row = summarize(run).row(ALL, "car")
    frame = run.transcripts[run.transcripts["policy"] == "car"]
    bearing = frame[frame["bearing_requests"] > 0]
    assert row.evidence is not None
    assert row.evidence.transcripts == len(bearing)
    shares = 1 - bearing["at_risk_requests"] / bearing["bearing_requests"]
    typical = shares.groupby(clusters_of(bearing)).mean().mean()
    assert row.evidence.typical == pytest.approx(typical)
    expected = 1 - bearing["at_risk_requests"].sum() / bearing["bearing_requests"].sum()
    assert row.evidence.all_visible == pytest.approx(expected)
    assert row.evidence.interval is not None
    assert row.evidence.interval[0] < expected < row.evidence.interval[1]
    assert row.evidence.share("visible", "reachable", "held", "lost") == pytest.approx(1.0)


def test_what_a_run_did_not_record_is_not_shown() -> None:
    summary = summarize(make_run(12))
    assert (summary.has_evidence, summary.has_money, summary.has_added) == (False, False, False)
    text = Replay(make_run(12)).text()
    assert "at risk" not in text
    assert "price" not in text


def test_money_without_times_is_not_identified() -> None:
    row = summarize(make_run(12, prices=True)).row(ALL, "car")
    assert row.money is not None
    assert (row.money.recorded, row.money.timed, row.money.priced) == (None, 0, 12)
    assert row.money.no_cache_ratio is not None
    assert row.money.no_cache_ratio < 1


def test_history_policies_are_told_apart_and_stand_last_on_the_terminal() -> None:
    lines = Replay(make_run(12)).text().splitlines()
    found = [line.split()[1] for line in lines if line.startswith(("head:", "middle:", "tail:", "car", "clear:"))]
    assert found == ["admission"] * 4 + ["history"]


@pytest.mark.parametrize("more", [0, 3, 8, 14])
def test_the_terminal_summary_is_a_screen_and_names_as_many_policies_as_fit(more: int) -> None:
    part = Replay(make_run(40, extra_policies=more, evidence=True, prices=True))
    lines = part.text().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 37
    named = [p for p in part.run.policies[1:] if any(line.startswith(p) for line in lines)]
    assert len(named) == min(11, len(part.run.policies) - 1)
    for pick in picks(part.summary):
        assert pick.row.policy in named


def test_a_few_policies_stand_side_by_side(report: Replay) -> None:
    lines = report.text().splitlines()
    assert max(map(len, lines)) <= 80
    heads = " ".join(lines[: lines.index("")] + lines)
    for policy in report.run.policies[1:]:
        assert policy.partition(":")[0] in heads


def test_chance_is_told_in_words() -> None:
    def found(value: float, low: float, high: float) -> BeyondChance:
        return BeyondChance(value, Estimate("typical", value, 20, 20.0, (low, high)))

    assert found(0.04, 0.01, 0.07).text == "more: +4.0 points [1.0, 7.0]"
    assert found(-0.04, -0.07, -0.01).word == "less"
    assert found(0.0, -0.015, 0.02).word == "no more"
    assert found(0.0, -0.015, 0.03).word == "not shown"
    value, said = words([("a", found(0.04, 0.01, 0.07)), ("b", found(0.0, -0.015, 0.03))])
    assert (value, "more: a; not shown: b" in said) == ("1 of 2", True)
    _, neither = words([("b", found(0.0, -0.015, 0.03))])
    assert neither.endswith("it is not shown here that it matters where a policy cuts")


def test_a_handle_is_told_with_what_it_cannot_do() -> None:
    run = make_run(40, evidence=True)
    summary = replace(summarize(run), reaches={"car": ("handle-arg",), "head:bytes=2000": ("rerun",)})
    fact = handle_fact(summary)
    assert fact is not None
    e = summary.row(ALL, "car").evidence
    assert e is not None
    assert fact.question == "The handle of car"
    assert f"{e.held} held unseen" in fact.note.replace(",", "")
    assert handle_fact(replace(summary, reaches={"head:bytes=2000": ("rerun",)})) is None
