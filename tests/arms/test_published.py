"""Published live comparisons, computed again: The Complexity Trap (arXiv:2508.21433), THOL, context-guru."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.arms.compare import Arms, Plan
from harness.arms.dose import doses, slopes
from harness.arms.read import KEYS, read_arms
from harness.arms.rows import COSTS
from harness.arms.settings import ArmsSettings

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "arms"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="../shared/arms is not beside the project")

TRAP = str(FOLDER / "complexity-trap-sweagent.csv")
HANDS = str(FOLDER / "complexity-trap-openhands.csv")
TURNS = {"(a) Gemini 2.5 Flash": 0.886, "(b) Gemini 2.5 Flash (Thinking)": 1.033, "(c) Qwen3-Coder 480B": 1.044}
TURNS |= {"(d) Qwen3-32B": 1.151, "(e) Qwen3-32B (Thinking)": 1.051}
TOKENS = {"(b) Gemini 2.5 Flash (Thinking)": 0.306, "(c) Qwen3-Coder 480B": 0.421}
TOKENS |= {"(d) Qwen3-32B": 0.487, "(e) Qwen3-32B (Thinking)": 0.684}


def arms_from(path: str, **settings: Any) -> Arms:
    asked = ArmsSettings((path,), **settings)
    found = read_arms(asked)
    runs = pd.DataFrame(found["runs"])
    runs["arm"] = pd.Categorical(runs["arm"], found["arms"])
    runs = runs.astype({"passed": "boolean"} | dict.fromkeys(("score", *COSTS, "date"), "Float64"))
    return Arms(runs, Plan(asked.planned, asked.repetitions), asked.margin)


def trap(group: pd.DataFrame) -> Arms:
    others = (f"{row.strategy}={row.experiment_other}" for row in group.itertuples())
    return arms_from(
        TRAP,
        columns=("arm=experiment", "input_tokens=turn_count*mean_prompt_tokens"),
        arms=(f"raw={group['experiment_raw'].iloc[0]}", *others),
        planned=500,
    )


def published() -> dict[str, pd.DataFrame]:
    return dict(iter(pd.read_csv(FOLDER / "complexity-trap-published.csv").groupby("group")))


@pytest.mark.parametrize("name", sorted(TURNS))
def test_differences_in_what_is_passed_are_the_published_ones(name: str) -> None:
    group = published()[name]
    arms = trap(group)
    for row in group.itertuples():
        found = arms.row(arms.outcomes, row.strategy, "passed")
        assert found["tasks"] == row.n_common
        assert found["difference"] == pytest.approx(row.solve_rate_diff, abs=0.001)
        assert (found["low"], found["high"]) == pytest.approx((row.solve_rate_lo, row.solve_rate_hi), abs=0.0041)
        assert found["effective"] == pytest.approx(3.9, abs=0.05)
    turns = arms.row(arms.costs, "Observation Masking", "requests")["ratio"]
    assert turns == pytest.approx(TURNS[name], abs=0.0015)
    if name in TOKENS:
        tokens = arms.row(arms.costs, "Observation Masking", "input_tokens")["ratio"]
        assert tokens == pytest.approx(TOKENS[name], abs=0.0015)


def test_over_repositories_the_interval_moves() -> None:
    arms = trap(published()["(b) Gemini 2.5 Flash (Thinking)"])
    row = arms.row(arms.outcomes, "LLM-Summary", "passed")
    assert (row["clustered_low"], row["clustered_high"]) == pytest.approx((-0.176, -0.058), abs=0.006)
    assert row["verdict"] == "lower"
    assert arms.row(arms.outcomes, "Observation Masking", "passed")["verdict"] == "not shown"


def test_the_budget_sweep_by_live_runs() -> None:
    names = {"summary": "llm_summary_N_21_M_10-verified_50"}
    names |= {f"M{m}": f"observation_masking-M_{m}-verified_50" for m in (10, 20, 29, 43, 50, 54, 58, 72, 86)}
    experiments = pd.read_csv(HANDS)["experiment"].unique()
    chosen = {name: next(e for e in experiments if part in e) for name, part in names.items()}
    raw = next(e for e in experiments if "raw_agent-verified_50" in e)
    arms = arms_from(
        HANDS,
        columns=("arm=experiment", "input_tokens=turn_count*mean_prompt_tokens"),
        arms=(f"raw={raw}", *(f"{name}={value}" for name, value in chosen.items())),
        planned=50,
    )
    row = arms.row(arms.outcomes, "summary", "passed")
    assert row["difference"] == pytest.approx(0.02, abs=0.001)
    assert (row["low"], row["high"]) == pytest.approx((-0.12, 0.16), abs=0.021)
    assert arms.row(arms.outcomes, "M86", "passed")["difference"] == pytest.approx(0.0, abs=0.001)
    cost = arms.row(arms.costs, "M86", "usd")
    assert (cost["difference"], cost["low"], cost["high"]) == pytest.approx((-0.57, -1.35, 0.09), abs=0.12)
    dose = {f"M{m}": float(m) for m in (10, 20, 29, 43, 50, 54, 58, 72, 86)}
    assert [row["dose"] for row in doses(arms, dose)] == sorted(dose.values())
    by_metric = {row["metric"]: row for row in slopes(arms, dose)}
    assert by_metric["requests"]["high"] < 1  # the smaller the window, the more turns


def test_on_500_tasks_a_window_of_ten_passes_less_and_one_of_72_does_not() -> None:
    experiments = pd.read_csv(HANDS)["experiment"].unique()
    whole = [e for e in experiments if "verified_50" not in e]
    raw = next(e for e in whole if "raw_agent" in e)
    ten = next(e for e in whole if "observation_masking-observation_masking_for_eval" in e)
    wide = next(e for e in whole if "M_72" in e)
    arms = arms_from(HANDS, columns=("arm=experiment",), arms=(f"raw={raw}", f"M10={ten}", f"M72={wide}"), planned=500)
    rates = [arms.rate(name) for name in ("raw", "M10", "M72")]
    assert rates == pytest.approx([0.346, 0.234, 0.364], abs=0.001)
    assert [arms.mean(n, "requests") for n in ("raw", "M10", "M72")] == pytest.approx([78, 178, 86], abs=1)
    assert arms.row(arms.outcomes, "M10", "passed")["verdict"] == "lower"
    assert arms.row(arms.outcomes, "M72", "passed")["verdict"] != "lower"


def test_repeated_runs_of_twelve_tools_paired_by_task_and_version() -> None:
    names = pd.read_csv(FOLDER / "thol.csv")["competitor"].unique()
    arms = arms_from(
        str(FOLDER / "thol.csv"),
        columns=("task=task+claude_version", "input_tokens=input_tokens+cache_creation_tokens+cache_read_tokens"),
        arms=("control", *(name for name in names if name != "control")),
    )
    expected = {
        "rtk": {"calls": 1.20, "requests": 1.12, "input_tokens": 1.17, "usd": 1.08},
        "lean-ctx": {"calls": 1.13, "requests": 1.17, "input_tokens": 1.20, "usd": 1.09},
    }
    for name, figures in expected.items():
        for metric, value in figures.items():
            assert arms.row(arms.costs, name, metric)["typical"] == pytest.approx(value, abs=0.0055)
    cost = arms.row(arms.costs, "rtk", "usd")
    assert (cost["typical_low"], cost["typical_high"]) == pytest.approx((1.02, 1.16), abs=0.012)
    unrecorded = [name for name in arms.others if not arms.has("input_tokens", name)]
    assert len(unrecorded) == 1
    assert {row["verdict"] for row in arms.outcomes if row["metric"] == "passed"} <= {
        "equal within the margin",
        "not shown",
    }
    assert not arms.runs.duplicated(KEYS).any()


def test_context_guru_gains_and_losses() -> None:
    arms = arms_from(
        str(FOLDER / "context-guru.csv"),
        where=("benchmark=swe-bench-verified-50",),
        arms=("baseline", "context-guru", "headroom", "rtk"),
    )
    found = {row["arm"]: (row["gained"], row["lost"]) for row in arms.outcomes if row["metric"] == "passed"}
    assert found == {"context-guru": (4, 3), "headroom": (1, 4), "rtk": (4, 4)}
    assert all(row["detectable"] > 0.15 for row in arms.costs if row["metric"] == "requests")
