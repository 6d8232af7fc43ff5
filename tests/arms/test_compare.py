"""Paired comparisons, missing runs, verdicts, pass^k, what else differs, doses."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.arms.compare import Arms, Plan
from harness.arms.differs import attributable, differs
from harness.arms.dose import doses, slopes
from harness.arms.noise import noise
from harness.arms.reliability import pass_at, pass_hat, reliability
from tests.arms.made import coins, made


def passed(arms: Arms) -> Any:
    return arms.row(arms.outcomes, arms.others[0], "passed")


def runs(count: int, passes: int, **more: Any) -> list[dict[str, Any]]:
    return [{"task": f"t{n:03}", "passed": n < passes, **more} for n in range(count)]


def test_runs_are_averaged_within_a_task_so_that_each_task_weighs_one() -> None:
    many = [{"task": "hard", "passed": False}] * 9 + [{"task": "easy", "passed": True}]
    arms = made({"a": [{"task": "hard", "passed": False}, {"task": "easy", "passed": True}], "b": many})
    assert arms.rate("a") == arms.rate("b") == 0.5
    assert passed(arms)["difference"] == 0


def test_only_what_both_arms_have_is_compared_where_nothing_was_planned() -> None:
    arms = made({"a": runs(40, 20), "b": runs(30, 20)})
    assert passed(arms)["tasks"] == 30
    assert passed(arms)["difference"] == 0
    assert passed(arms)["worst"] is None


def test_a_planned_run_that_is_missing_counts_as_failed_with_bounds_and_costs_nothing() -> None:
    arms = made({"a": runs(40, 40, usd=1.0), "b": runs(30, 30, usd=1.0)}, Plan(50))
    row = passed(arms)
    assert arms.missing("a") == 10
    assert arms.missing("b") == 20
    assert row["tasks"] == 50
    assert row["difference"] == pytest.approx(-0.2)
    assert row["worst"] == pytest.approx(-0.4)
    assert row["best"] == pytest.approx(0.2)
    assert arms.rate("b") == pytest.approx(0.6)
    assert arms.row(arms.costs, "b", "usd")["tasks"] == 30
    assert arms.row(arms.costs, "b", "usd")["ratio"] == 1


def test_a_run_whose_outcome_nobody_recorded_is_neither_passed_nor_failed() -> None:
    arms = made({"a": runs(30, 15), "b": [*runs(30, 15)[:-1], {"task": "t029", "passed": None}]}, Plan(30))
    assert passed(arms)["tasks"] == 29


def test_mcnemar_only_where_each_task_has_one_pair() -> None:
    arms = coins(1, 60, 0.4, 0.6)
    row = passed(arms)
    assert row["gained"] - row["lost"] == round(60 * row["difference"])
    assert row["mcnemar_p"] == pytest.approx(binomtest(row["gained"], row["gained"] + row["lost"]).pvalue)
    twice = made({"a": runs(30, 15) * 2, "b": runs(30, 20) * 2})
    assert passed(twice)["mcnemar_p"] is None


def test_the_interval_is_the_percentile_bootstrap_of_the_paired_differences() -> None:
    row = passed(coins(2, 200, 0.5, 0.6))
    changes = np.repeat([1.0, -1.0, 0.0], [row["gained"], row["lost"], 200 - row["gained"] - row["lost"]])
    means = np.random.default_rng(0).choice(changes, (20_000, 200)).mean(axis=1)
    assert (row["low"], row["high"]) == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.008)
    assert row["effective"] == pytest.approx(12, abs=0.2)
    assert row["clustered_low"] < row["difference"] < row["clustered_high"]


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (100, 300, "higher"),
        (300, 100, "lower"),
        (200, 201, "equal within the margin"),
        (10, 10, "equal within the margin"),
    ],
)
def test_verdicts(first: int, second: int, verdict: str) -> None:
    row = passed(made({"a": runs(400, first), "b": runs(400, second)}))
    assert row["verdict"] == verdict


def test_few_tasks_show_nothing_and_say_what_would() -> None:
    arms = made({"a": runs(9, 3), "b": runs(9, 6)})
    assert passed(arms)["low"] is None
    assert passed(arms)["verdict"] == "not shown"
    assert passed(arms)["needed"] > 100
    assert arms.not_worse(passed(arms)) == "not shown"


def test_a_direction_needs_the_test_corrected_over_the_arms() -> None:
    base, near = runs(200, 100), runs(200, 106)
    alone = made({"a": base, "b": near})
    among = made({"a": base, "b": near} | {f"c{n}": runs(200, 100 + n % 2) for n in range(12)})
    assert passed(alone)["verdict"] == "higher"
    assert passed(among)["p_holm"] > passed(alone)["p_holm"]
    assert passed(among)["verdict"] != "higher"


def test_a_typical_task_and_all_of_them_are_two_ratios() -> None:
    a = [{"task": f"t{n}", "usd": 1.0} for n in range(20)]
    b = [{"task": f"t{n}", "usd": 30.0 if n == 0 else 1.0} for n in range(20)]
    row = made({"a": a, "b": b}).costs[0]
    assert row["ratio"] == pytest.approx(49 / 20)
    assert row["typical"] == pytest.approx(30 ** (1 / 20))
    assert row["typical_low"] <= row["typical"] <= row["typical_high"]


def test_an_arm_against_itself_changes_nothing_exactly() -> None:
    arms = made({"a": runs(30, 15, usd=2.0), "b": runs(30, 15, usd=2.0)})
    assert (passed(arms)["low"], passed(arms)["high"], passed(arms)["p"]) == (0, 0, 1)
    assert arms.costs[0]["typical"] == 1
    assert (arms.costs[0]["typical_low"], arms.costs[0]["typical_high"]) == (1, 1)


@pytest.mark.parametrize(("n", "c"), [(1, 0), (1, 1), (4, 0), (4, 1), (4, 3), (4, 4), (7, 5)])
def test_pass_hat_and_pass_at_are_the_shares_of_all_choices(n: int, c: int) -> None:
    outcomes = [True] * c + [False] * (n - c)
    for k in range(1, n + 1):
        chosen = list(itertools.combinations(outcomes, k))
        assert pass_hat(n, c, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))
        assert pass_at(n, c, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))


def test_reliability_goes_to_the_smallest_number_of_runs_over_shared_tasks() -> None:
    a = [{"task": f"t{n}", "passed": n % 4 != 0} for n in range(20) for _ in range(3)]
    b = [{"task": f"t{n}", "passed": r != 0} for n in range(18) for r in range(4)]
    rows = reliability(made({"a": a, "b": b}))
    assert {(row["arm"], row["k"]) for row in rows} == {(arm, k) for arm in "ab" for k in (1, 2, 3)}
    assert all(row["tasks"] == 18 for row in rows)
    by_k = {row["k"]: row["all"] for row in rows if row["arm"] == "b"}
    assert by_k == {1: 0.75, 2: 0.5, 3: 0.25}
    assert reliability(made({"a": runs(20, 5), "b": runs(20, 6)})) == []


FACTS = {"model": "m", "agent": "x", "version": "1", "prompt": "p", "tools": "t", "limits": "none"}


def states(arms: Arms, *declared: str) -> dict[str, str]:
    return {row["item"]: row["state"] for row in differs(arms, declared)}


def test_no_effect_while_an_item_differs_or_is_unknown() -> None:
    same = {**FACTS, "date": 1e9}
    whole = made({"a": runs(20, 5, **same), "b": runs(20, 15, **same)})
    assert set(states(whole).values()) == {"same"}
    assert attributable(differs(whole, ()), "b")
    other = made({"a": runs(20, 5, **same), "b": runs(20, 15, **same | {"model": "n"})})
    assert states(other)["model"] == "differs"
    assert states(other, "model")["model"] == "differs"
    unknown = made({"a": runs(20, 5, **same), "b": runs(20, 15, **same | {"limits": None})})
    assert states(unknown)["limits"] == "unknown"
    assert not attributable(differs(unknown, ()), "b")
    assert states(unknown, "limits")["limits"] == "declared"
    assert attributable(differs(unknown, ("limits",)), "b")


def test_dates_differ_unless_interleaved_or_within_a_day_of_one_model() -> None:
    day = 86_400.0

    def dated(first: list[float], second: list[float], **more: str) -> str:
        a = [{"task": f"t{n}", "date": d, "model": "m"} for n, d in enumerate(first)]
        b = [{"task": f"t{n}", "date": d, "model": "m", **more} for n, d in enumerate(second)]
        return states(made({"a": a, "b": b}))["date"]

    assert dated([0, 2 * day, 4 * day], [day, 3 * day, 5 * day]) == "same"
    assert dated([0, 100, 200], [500, 600, 700]) == "same"
    assert dated([0, 100, 200], [500, 600, 700], model="n") == "differs"
    assert dated([0, day, 2 * day], [5 * day, 6 * day, 7 * day]) == "differs"
    assert dated([0, 1, 2], [0, 1, math.nan]) == "unknown"


def test_dose_and_response() -> None:
    rng = np.random.default_rng(3)
    luck = rng.random(120)
    names = {"none": math.inf, "d10": 10.0, "d20": 20.0, "d40": 40.0, "d80": 80.0}
    chance = {"none": 0.7, "d10": 0.2, "d20": 0.35, "d40": 0.5, "d80": 0.65}
    arms = made(
        {
            name: [
                {"task": f"t{n}", "passed": bool(luck[n] < chance[name]), "usd": 2.0 / chance[name]} for n in range(120)
            ]
            for name in names
        }
    )
    rows = doses(arms, names)
    assert [row["arm"] for row in rows] == ["d10", "d20", "d40", "d80", "none"]
    assert rows[0]["verdict"] == "lower"
    by_metric = {row["metric"]: row for row in slopes(arms, names)}
    assert by_metric["passed"]["slope"] == pytest.approx(0.15, abs=0.05)
    assert by_metric["passed"]["low"] > 0
    assert by_metric["usd"]["slope"] < 1
    assert slopes(arms, {"d10": 10.0, "d20": 20.0}) == []


def test_runs_of_one_task_say_what_repetitions_could_show() -> None:
    a = [{"task": "t", "requests": x} for x in (180.0, 159.0, 179.0, 191.0, 163.0)]
    b = [{"task": "t", "requests": x} for x in (201.0, 163.0, 188.0)]
    arms = made({"a": a, "b": b})
    (row,) = noise(arms)
    assert row["spread"] == pytest.approx(0.089, abs=0.01)
    assert 0.15 < row["detectable"] < 0.35
    assert arms.costs[0]["typical_low"] is None
    assert arms.outcomes == []
