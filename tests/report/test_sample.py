"""The sample behind the view by request: bounded, the same every time, and true to the tables."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from harness.replay.sections.inventory import heat, movers
from harness.replay.sections.movers import result_movers, transcript_movers
from harness.replay.sections.part import Replay
from harness.replay.sections.sample import draw_sample
from harness.report.html import embedded, page
from harness.report.report import report_of
from harness.runs.run import Run
from tests.report.synthetic import make_run


def prompt_tokens(data: dict[str, Any], transcript: int, policy: int) -> list[int]:
    """As the script of the page puts them together."""
    requests = data["transcripts"][transcript]["requests"]
    saved = requests["saved"][policy] or [0] * len(requests["prompt_tokens"])
    return [n - s for n, s in zip(requests["prompt_tokens"], saved, strict=True)]


def test_the_data_give_back_the_tables(report: Replay) -> None:
    sample = draw_sample(report.run, [])
    assert len(sample.transcripts) == sample.of
    for policy, label in enumerate(report.run.policies):
        for place, transcript in enumerate(sample.transcripts):
            frame = report.run.requests
            own = frame[(frame["transcript"] == transcript) & (frame["policy"] == label)]
            assert prompt_tokens(sample.data, place, policy) == own["prompt_tokens"].tolist()


def test_changed_results_are_those_of_the_table(report: Replay) -> None:
    sample = draw_sample(report.run, [])
    policy = report.run.policies.index("head:bytes=500")
    results = report.run.results[report.run.results["policy"] == "head:bytes=500"]
    for place, transcript in enumerate(sample.transcripts):
        own = results[results["transcript"] == transcript].reset_index(drop=True)
        changed = sample.data["transcripts"][place]["results"]["changed"][policy]
        known = own[own["elided_bytes"] > 0]
        assert [(n, t, e) for n, t, e, _ in changed] == list(
            known[["rendered_tokens", "elided_bytes"]].itertuples(name=None)
        )


def test_the_budget_bounds_the_sample_and_the_wanted_come_first() -> None:
    run = make_run(200)
    last = str(run.transcripts["transcript"].iloc[-1])
    sample = draw_sample(run, [last], budget=30_000)
    assert sample.transcripts[0] == last
    assert 1 < len(sample.transcripts) < sample.of == 200
    assert len(orjson.dumps(sample.data["transcripts"])) < 31_000
    assert draw_sample(run, [last], budget=30_000).transcripts == sample.transcripts


def test_embedded_json_is_the_same_json() -> None:
    data = {"a": "</script>\u2028&<!--", "b": [1, None]}
    text = embedded(data)
    assert orjson.loads(text) == data
    assert not set("<>&\u2028\u2029") & set(text)


def test_transcript_movers_are_the_largest_differences(report: Replay) -> None:
    found = transcript_movers(report.run, "head:bytes=500", 3)
    assert found["saved"].tolist() == sorted(found["saved"], reverse=True)
    assert found["transcript"].astype(str).tolist() == ["run-8.json", "run-7.json", "run-6.json"]
    assert 0 < found["share"].sum() < 1


def test_a_result_weighs_what_it_saves_times_the_requests_after_it(report: Replay) -> None:
    top = result_movers(report.run, "head:bytes=500", 100)
    second = top[(top["transcript"].astype(str) == "run-3.json") & (top["value_bytes"] == 1000)].iloc[0]
    last = top[(top["transcript"].astype(str) == "run-3.json") & (top["value_bytes"] == 11500)].iloc[0]
    assert (second["requests"], last["requests"]) == (2, 1)
    assert second["saved"] == (second["tokens"] - second["rendered"]) * 2


def test_the_savings_of_results_add_up_to_those_of_transcripts(report: Replay) -> None:
    results = result_movers(report.run, "head:bytes=500", 1000)["saved"].sum()
    assert results == transcript_movers(report.run, "head:bytes=500", 1000)["saved"].sum()


def test_a_policy_that_changes_nothing_moves_nothing(report: Replay) -> None:
    assert transcript_movers(report.run, "identity", 5).empty
    assert {block.policy for block in movers(report.run, report.summary)} == {
        "head:bytes=500",
        "middle:bytes=2000",
        "car",
    }


def test_many_tools_end_in_one_row(report: Replay) -> None:
    run = make_run(30)
    run.results["tool"] = run.results["tool"].cat.rename_categories(lambda t: t)
    names = [f"tool-{n % 60}" for n in range(len(run.results))]
    run.results["tool"] = names
    run.results["tool"] = run.results["tool"].astype("category")
    found = heat(run, "tool", "Tool")
    assert len(found.rows) == 26
    assert found.rows[-1].name == "35 others"
    identity = run.results[run.results["policy"] == "identity"]
    assert sum(r.value_bytes for r in found.rows) == identity["value_bytes"].sum()


@pytest.mark.slow
def test_a_page_over_10000_transcripts_stays_under_3_mb() -> None:
    run: Run = make_run(10_000, evidence=True, prices=True)
    text = page(report_of(run))
    assert len(text.encode("utf-8")) < 3_000_000
    assert "of 10,000 transcripts" in text
