"""What a comparison takes: the drawn runs, the test that judges them, the search, the report."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import multivariate_normal, norm

from harness.cli import cli
from harness.errors import HarnessError
from harness.plan.assumptions import Assumptions, assumptions, of_arms
from harness.plan.kind import PLAN
from harness.plan.search import search
from harness.plan.settings import PlanSettings
from harness.plan.simulate import changes, judged, power
from harness.runs import life
from harness.runs.run import Run
from tests.arms.made import made
from tests.benchmarks.plan_power import arms_of_runs, drawn_runs


def assumed(passed: float = 0.4, effect: float = 0.15, alike: float = 0.5) -> Assumptions:
    return Assumptions(passed, effect, alike, None, None, {})


def test_drawn_runs_pass_and_go_together_as_assumed() -> None:
    """Against the bivariate normal: E(b - a) is the effect, and its variance follows from who passes together."""
    found = changes(assumed(), 2000, 1, 400)
    together = multivariate_normal.cdf(norm.ppf([0.4, 0.55]), cov=[[1, 0.5], [0.5, 1]])
    variance = 0.4 + 0.55 - 2 * together - 0.15**2
    assert found.mean() == pytest.approx(0.15, abs=0.003)
    assert found.var() == pytest.approx(variance, rel=0.01)
    assert (changes(assumed(), 50, 1, 10) == changes(assumed(), 50, 1, 10)).all(), "seeded"


def test_repetitions_lessen_what_is_not_the_tasks() -> None:
    one, many = (changes(assumed(effect=0.0), 2000, r, 100).var() for r in (1, 50))
    assert many == pytest.approx(one / 50, rel=0.1), "both arms have the same task, so all of it is chance"


@pytest.mark.parametrize("want", ["difference", "not-worse", "precision"])
def test_a_drawn_comparison_is_judged_as_harness_arms_judges_it(want: Any) -> None:
    settings = PlanSettings(want=want, effect=0.15 if want == "difference" else None, margin=0.12)
    verdicts, rows = [], []
    for seed in range(24):
        first, second = drawn_runs(seed, 60, 2, 0.4, 0.15 if want == "difference" else 0.0, 0.5)
        arms = arms_of_runs(first, second, margin=0.12)
        (row,) = arms.outcomes
        width = (row["high"] - row["low"]) / 2
        said = {
            "difference": row["verdict"] == "higher",
            "not-worse": arms.not_worse(row) == "met",
            "precision": width <= 0.12 + 1e-9,
        }
        verdicts.append(said[want])
        rows.append((second.sum(axis=1) - first.sum(axis=1)) / 2)
    assert judged(settings, settings.wanted_effect, np.array(rows)).tolist() == verdicts
    assert 0 < sum(verdicts) < 24


def test_several_arms_share_the_error() -> None:
    drawn = changes(assumed(), 80, 1, 200)
    one, four = (judged(PlanSettings(effect=0.15, arms=n), 0.15, drawn).mean() for n in (1, 4))
    assert four < one


def test_comparisons_in_which_nothing_differs_are_exact() -> None:
    nothing = np.zeros((1, 40))
    assert judged(PlanSettings(want="precision"), 0, nothing).tolist() == [True]
    assert judged(PlanSettings(want="not-worse"), 0, nothing).tolist() == [True]
    assert judged(PlanSettings(), 0.05, nothing).tolist() == [False]


def test_the_search_ends_at_the_fewest_tasks_that_have_the_power() -> None:
    settings = PlanSettings(effect=0.2, draws=300)
    sizes = list(search(settings, assumed(effect=0.2), 1))
    *others, last = sizes
    assert last["power"] >= 0.8
    assert all(row["power"] < 0.8 for row in others if row["tasks"] < last["tasks"])
    assert max(row["tasks"] for row in others if row["tasks"] < last["tasks"]) >= last["tasks"] * 0.97 - 1
    spread = changes(assumed(effect=0.2), 2000, 1, 50).std()
    normal = (spread * (norm.ppf(0.975) + norm.ppf(0.8)) / 0.2) ** 2
    assert last["tasks"] == pytest.approx(normal, rel=0.2)


def test_where_no_size_has_the_power_it_says_so(tmp_path: Path) -> None:
    settings = PlanSettings(effect=0.01, most=60, repetitions=(1,), draws=100)
    run = Run(life.run(PLAN, settings, tmp_path))
    assert not run.table("plans")["chosen"].any()
    assert "takes more than 60 tasks (--most)" in PLAN.report(run).screen().headline


def test_a_pilot_says_what_runs_pass_cost_and_have_in_common() -> None:
    rng = np.random.default_rng(1)
    hard = rng.standard_normal(2000)
    rows: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
    for task, z in enumerate(hard):
        for arm in rows:
            ok = bool(math.sqrt(0.6) * z + math.sqrt(0.4) * rng.standard_normal() > 0.5)
            rows[arm].append(
                {"task": f"t{task}", "passed": ok, "input_tokens": 90.0, "output_tokens": 10.0, "usd": 2.0}
            )
    found = of_arms(made(rows))
    assert found["alike"] == pytest.approx(0.6, abs=0.06)
    assert found["passed"] == pytest.approx(norm.cdf(-0.5), abs=0.03)
    assert (found["tokens"], found["usd"]) == (100.0, 2.0)
    again = {"a": [row | {"repetition": "1"} for row in rows["a"]] + [row | {"repetition": "2"} for row in rows["b"]]}
    assert of_arms(made(again))["alike"] == pytest.approx(0.6, abs=0.06), "within an arm"
    assert "alike" not in of_arms(made({name: own[:10] for name, own in rows.items()}))


def test_the_effect_is_never_the_pilots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{arm},t{n},{int((n * 7 + k) % 5 < 2 + k)},3" for k, arm in enumerate("ab") for n in range(60)]
    Path("runs.csv").write_text("arm,task,passed,usd\n" + "\n".join(lines), encoding="utf-8")
    assert CliRunner().invoke(cli, ["arms", "runs.csv"]).exit_code == 0
    (pilot,) = Path("results").iterdir()
    found = assumptions(PlanSettings((str(pilot),), alike=0.2))
    assert (found.passed, found.effect, found.alike, found.usd) == (pytest.approx(0.4), 0.05, 0.2, 3.0)
    assert found.sources == {
        "passed": "from the pilot", "effect": "default", "alike": "stated", "usd": "from the pilot", "tokens": "default"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"effect": 0.0}, "a difference of nothing is never shown"),
        ({"want": "not-worse", "effect": -0.05}, "it cannot be met"),
        ({"power": 1.0}, "--power is 1: give a share below 1"),
        ({"alike": 1.0}, "give at most 0.99"),
        ({"paths": ("a", "b")}, "2 pilots"),
        ({"passed": 0.97, "effect": 0.05}, r"a pass rate of 0.97 and an effect of \+0.05 make 1.02"),
    ],
)
def test_what_cannot_be_planned_is_refused(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(HarnessError, match=why):
        assumptions(PlanSettings(**settings))


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = PlanSettings(effect=0.25, usd=0.5, repetitions=(1, 3), draws=200, arms=2)
    return Run(life.run(PLAN, settings, tmp_path_factory.mktemp("results")))


def test_the_report_says_what_it_takes_and_costs(planned: Run) -> None:
    part = PLAN.report(planned)
    chosen = planned.table("plans").query("chosen")
    assert chosen["repetitions"].tolist() == [1, 3]
    assert (chosen["runs"] == chosen["tasks"] * chosen["repetitions"] * 3).all()
    assert (chosen["usd"] == chosen["runs"] * 0.5).all()
    assert chosen["tokens"].isna().all()
    said = part.text()
    assert f"{chosen['tasks'].iloc[0]} tasks with 1 run of each" in part.screen().headline
    assert "2 arms share the 5 %" in " ".join(said.split())
    assert "not reported" in said
    assert max(map(len, said.splitlines())) <= 80


def test_power_of_a_size_equals_that_of_the_table(planned: Run) -> None:
    row = planned.table("plans").query("chosen").iloc[0]
    settings = planned.settings()
    assert isinstance(settings, PlanSettings)
    assert power(settings, assumptions(settings), int(row["tasks"]), int(row["repetitions"]), 200) == row["power"]
