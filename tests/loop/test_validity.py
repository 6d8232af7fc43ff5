"""The estimate against what happened, on figures that can be worked out by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from harness.loop.tables import by_policy, reading_buys, stops, tables, uptake
from harness.loop.validity import (
    REASONS,
    failures,
    identified,
    losses,
    outcomes,
    rank_correlation,
    validity,
    worst_family,
)
from harness.loop.words import weak_lines, worst_line
from tests.loop.frames import frame, many, row


def test_coverage_width_and_errors() -> None:
    found = validity(
        frame(
            row("identity"),
            row("car", added=2, low=-1, evidence=1, high=3),
            row("head:bytes=600", added=5, low=0, evidence=2, high=4),
        ),
        ["family"],
    )
    (one,) = found.to_dict("records")
    assert (one["runs"], one["covered"], one["width"]) == (2, 0.5, 4)
    assert (one["added"], one["evidence"]) == (3.5, 1.5)
    assert (one["error_evidence"], one["error_low"], one["error_high"]) == (2, 4, 1)


def test_a_run_that_gave_up_counts_apart() -> None:
    gave_up = row("tail:bytes=9", added=-1, passed=False, losses=1)
    found = validity(frame(row("identity"), row("car"), gave_up), ["family"]).iloc[0]
    assert (found.covered, found.covered_passed) == (0.5, 1.0)
    assert validity(frame(row("identity"), gave_up), ["family"]).iloc[0].covered_passed is None


def test_losses_are_held_against_failures() -> None:
    runs = frame(
        row("identity"),
        row("car", losses=1, passed=False),
        row("car", losses=2),
        row("car", passed=False),
        row("car"),
        row("car", losses=1, passed=False, identity_passed=False),
    )
    (one,) = losses(runs, ["policy"]).to_dict("records")
    assert one == {"policy": "car", "runs": 4, "failed": 2, "foreseen": 2, "failed_foreseen": 1, "failed_else": 1}


def test_few_templates_or_misses_have_no_interval() -> None:
    def with_misses(templates: int, misses: int) -> pd.Series[float]:
        runs = many(templates, car={"added": 1, "high": 1})
        runs.loc[runs[runs.policy == "car"].index[:misses], "added"] = 9
        return validity(runs, ["family"]).iloc[0]

    few, enough = with_misses(7, 1), with_misses(24, 8)
    assert few.covered == pytest.approx(6 / 7)
    assert few.covered_low is None
    assert with_misses(24, 1).covered_low is None, "one miss says nothing about how often there is one"
    assert 0 < enough.covered_low < enough.covered < enough.covered_high < 1


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"added": 1, "high": 1}, ""),
        ({"added": -2, "low": -1}, "fewer"),
        ({"added": -1, "passed": False}, "gave up"),
        ({"added": -1, "passed": False, "losses": 1}, "lost"),
        ({"added": 4, "need": "aggregate", "losses": 1}, "counted"),
        ({"added": 4, "need": "whole", "high": 3}, "paged"),
        ({"added": 1, "losses": 1}, "held"),
        ({"added": 6, "evidence": 1, "high": 5}, "cut again"),
    ],
)
def test_every_miss_has_its_reason(given: dict[str, object], reason: str) -> None:
    assert outcomes(frame(row("identity"), row("car", **given))).reason.tolist() == [reason]


def test_the_worst_family_is_named_with_the_reason_of_most_misses() -> None:
    runs = frame(
        row("identity"),
        row("car", added=0),
        row("car", family="sql", added=3, need="aggregate"),
        row("head:bytes=9", family="sql", added=3, need="aggregate"),
        row("tail:bytes=9", family="sql", added=1, losses=1),
    )
    worst = worst_family(runs)
    assert worst is not None
    assert (worst["family"], worst["covered"], worst["reason"]) == ("sql", 0, REASONS["counted"])
    assert worst["share_of_misses"] == pytest.approx(2 / 3)
    assert failures(runs, ["family"]).runs.tolist() == [2, 1]
    assert worst_family(frame(row("identity"))) is None


def test_rank_correlation_is_over_policies() -> None:
    def runs(*estimates: int) -> pd.DataFrame:
        return frame(*(row(f"p{n}", added=n, evidence=e) for n, e in enumerate(estimates)))

    assert rank_correlation(runs(1, 5, 9)) == pytest.approx(1)
    assert rank_correlation(runs(9, 5, 1)) == pytest.approx(-1)
    assert rank_correlation(runs(1, 2)) is None
    assert rank_correlation(runs(3, 3, 3)) is None


def test_a_driver_that_fails_under_identity_identifies_nothing() -> None:
    runs = frame(*(row("identity", driver=d, passed=p) for d, p in [("a", True), ("a", False), ("b", False)]))
    table = identified(runs).set_index("driver")
    assert table.identifies.to_dict() == {"a": True, "b": False}
    assert table.tasks.to_dict() == {"a": 2, "b": 1}
    assert table.passed.to_dict() == {"a": 1, "b": 0}


def test_a_weak_driver_is_left_out_where_the_estimate_is_judged_and_it_is_said() -> None:
    runs = frame(*(row(p, driver=d, passed=d == "able") for d in ("able", "weak") for p in ("identity", "car")))
    found = tables(runs)
    assert set(found["policies"].driver) == set(found["stops"].driver) == {"able", "weak"}
    assert set(found["validity"].driver) == set(found["validity_by_policy"].driver) == {"able"}
    (line,) = weak_lines(runs)
    assert line.startswith(
        "weak passes 0 of 1 tasks under identity: a model that passes under half of the tasks under identity "
        "identifies nothing about policies"
    )
    only = runs[runs.driver == "weak"]
    assert "validity" not in tables(only)
    assert worst_line(only) is None


def test_how_runs_ended_is_counted() -> None:
    ends = [("answered", "identity"), ("answered", "car"), ("error: truncated", "car"), ("error: truncated", "car")]
    table = stops(frame(*(row(policy, stopped=why) for why, policy in ends))).set_index("policy")
    assert table.loc["car", ["answered", "error: truncated"]].tolist() == [1, 2]
    assert table.loc["identity", "error: truncated"] == 0


def test_outcomes_are_paired_with_identity() -> None:
    runs = many(24, car={"input_tokens": 500, "passed": False, "requests": 4, "tool_calls": 3})
    runs.loc[runs[runs.policy == "car"].index[:12], ["passed", "input_tokens"]] = [True, 700]
    table = by_policy(runs).set_index("policy")
    car = table.loc["car"]
    assert (car.runs, car.passed, car.difference, car.requests, car.tool_calls) == (24, 0.5, -0.5, 4, 3)
    assert car.ratio == pytest.approx(0.6)
    assert car.ratio_low < 0.6 < car.ratio_high
    assert car.difference_low < -0.5 < car.difference_high
    assert car.p < 0.05
    assert table.loc["identity"].ratio == 1


def test_uptake_lists_only_where_there_are_handles() -> None:
    runs = frame(
        row("identity"), row("car", handles_offered=3, handles_used=1), row("head:bytes=9", handles_invented=2)
    )
    assert uptake(runs).set_index("policy").handles_used.to_dict() == {"car": 1, "head:bytes=9": 0}


def test_reading_is_set_beside_the_best_truncation_at_about_equal_tokens() -> None:
    runs = frame(
        row("identity"),
        row("car", replayed_tokens=1000, passed=False),
        row("car_read", replayed_tokens=1050),
        row("head:bytes=600", replayed_tokens=1100, passed=False),
        row("tail:bytes=600", replayed_tokens=950),
        row("middle:bytes=4000", replayed_tokens=4000),
    )
    assert reading_buys(runs).policy.tolist() == ["car", "car_read", "tail:bytes=600"]
    without = runs[~runs.policy.isin(["head:bytes=600", "tail:bytes=600"])]
    assert reading_buys(without).policy.tolist()[-1] == "middle:bytes=4000"
    assert reading_buys(runs[runs.policy != "car_read"]).empty


def test_a_run_of_identity_alone_has_no_validity() -> None:
    found = tables(frame(row("identity")))
    assert "validity" not in found
    assert len(found["policies"]) == 1
