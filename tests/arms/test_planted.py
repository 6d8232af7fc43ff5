"""Arms whose truth is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.arms.compare import Arms
from harness.arms.differs import ITEMS, attributable, differs
from tests.arms.made import made
from tests.benchmarks.planted_arms import CELLS, Cell, drawn, held, judged

SMALL = Cell("ten points better", 60, 1, 0.3, 0.5)


def as_runs(cell: Cell, draw: int) -> Arms:
    """A draw as the runs that a table would have."""
    found = drawn(cell, 12)
    rows: dict[str, list[dict[str, Any]]] = {"a": [], "b": []}
    for name, passed in (("a", found.first), ("b", found.second)):
        for task, (repository, n) in enumerate(zip(found.repositories, passed[draw], strict=True)):
            ratio = float(np.exp(found.costs[draw, task])) if name == "b" else 1.0
            rows[name] += [
                {"task": f"o__{repository}-{task:05}", "passed": k < n, "usd": ratio} for k in range(cell.repetitions)
            ]
    return made(rows)


@pytest.mark.parametrize("cell", [SMALL, Cell("4 runs", 30, 4, 0.4, 0.4)], ids=lambda cell: cell.name)
def test_what_is_counted_is_what_harness_arms_says(cell: Cell) -> None:
    said = judged(cell, drawn(cell, 12), slice(0, 12))
    for draw in range(12):
        arms = as_runs(cell, draw)
        (row,) = arms.outcomes
        (cost,) = arms.costs
        assert said["higher"][draw] == (row["verdict"] == "higher")
        assert said["lower"][draw] == (row["verdict"] == "lower")
        assert said["equal"][draw] == (row["verdict"] == "equal within the margin")
        assert said["not worse"][draw] == (arms.not_worse(row) == "met")
        assert said["covers"][draw] == (row["low"] <= cell.truth <= row["high"])
        assert said["clustered"][draw] == (row["clustered_low"] <= cell.truth <= row["clustered_high"])
        assert said["cost"][draw] == (cost["typical_low"] <= 1.2 <= cost["typical_high"])
        if cell.repetitions == 1:
            assert said["mcnemar"][draw] == (row["mcnemar_p"] < 0.05)


def test_intervals_hold_the_truth_and_verdicts_err_as_often_as_they_say() -> None:
    """400 draws: two standard errors are some 2 points."""
    nothing = held(CELLS[0], 400)
    assert nothing["covers"] == pytest.approx(0.95, abs=0.04)
    assert nothing["higher"] + nothing["lower"] <= 0.08
    assert held(Cell("margin", 200, 1, 0.45, 0.4), 400)["not worse"] <= 0.06, "2.5 % and two standard errors"


@pytest.mark.parametrize("item", [item for item in ITEMS if item not in ("date", "tasks")])
@pytest.mark.parametrize("other", ["y", None])
def test_arms_that_differ_in_one_thing_more_have_no_effect(item: str, other: str | None) -> None:
    """Whatever else differs or is unknown, nothing is laid to the policy; where all is the same, it is."""
    same: dict[str, Any] = {name: "x" for name in ITEMS if name not in ("date", "tasks")} | {"date": 0.0}
    rows = [{"task": f"t{n}", "passed": True, **same} for n in range(20)]
    alike = made({"a": rows, "b": rows})
    assert attributable(differs(alike, ()), "b")
    changed = [row | {item: "" if other is None else other} for row in rows]
    arms = made({"a": rows, "b": changed})
    assert not attributable(differs(arms, ()), "b")
    assert attributable(differs(arms, (item,)), "b") == (other is None), "unknown can be declared, a difference cannot"
    one = [*rows[:-1], changed[-1]]
    assert not attributable(differs(made({"a": rows, "b": one}), ()), "b"), "one run is enough"


def test_a_model_that_only_one_arm_had_for_some_tasks_is_a_difference() -> None:
    same: dict[str, Any] = {name: "x" for name in ITEMS if name not in ("date", "tasks")} | {"date": 0.0}
    rows = [{"task": f"t{n}", "passed": True, **same, "model": "xy"[n % 2]} for n in range(20)]
    swapped = [row | {"model": "yx"[n % 2]} for n, row in enumerate(rows)]
    assert attributable(differs(made({"a": rows, "b": rows}), ()), "b")
    assert not attributable(differs(made({"a": rows, "b": swapped}), ()), "b")


def test_other_days_and_other_tasks_are_differences() -> None:
    same: dict[str, Any] = {name: "x" for name in ITEMS if name not in ("date", "tasks")}
    rows = [{"task": f"t{n}", "passed": True, "date": float(n), **same} for n in range(20)]
    later = [row | {"date": row["date"] + 40 * 86_400} for row in rows]
    for second in (later, rows[:-5]):
        assert not attributable(differs(made({"a": rows, "b": second}), ()), "b")
