"""Arms made for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.compare import Arms, Plan
from harness.arms.from_tables import complete
from harness.arms.rows import COSTS, FACTS
from harness.formats.instances import repository_of


def made(rows: Mapping[str, Sequence[Mapping[str, Any]]], plan: Plan = Plan(), margin: float = 0.05) -> Arms:  # noqa: B008
    """Arms out of runs by name, each a mapping of what is known of it; `task` at least."""
    found = [{"arm": name, **row} for name, runs in rows.items() for row in runs]
    frame = pd.DataFrame(found)
    frame["arm"] = pd.Categorical(frame["arm"], list(rows))
    frame["cluster"] = [repository_of(task) for task in frame["task"]]
    whole = complete(frame)
    whole["passed"] = whole["passed"].astype("boolean")
    whole[["score", *COSTS, "date"]] = whole[["score", *COSTS, "date"]].astype("Float64")
    whole[list(FACTS)] = whole[list(FACTS)].astype("string").replace({"": pd.NA})
    return Arms(whole, plan, margin)


def coins(seed: int, tasks: int, first: float, second: float, alike: float = 0.5) -> Arms:
    """Two arms of one run a task that pass with these chances; with `alike`, from one and the same draw."""
    rng = np.random.default_rng(seed)
    a, b = rng.random(tasks), rng.random(tasks)
    b = np.where(rng.random(tasks) < alike, a, b)
    costs = rng.lognormal(0, 0.5, (2, tasks))
    names = [f"owner__repo{n % 12}-{n}" for n in range(tasks)]
    return made(
        {
            "a": [
                {"task": t, "passed": bool(x < first), "requests": 10 * c}
                for t, x, c in zip(names, a, costs[0], strict=True)
            ],
            "b": [
                {"task": t, "passed": bool(x < second), "requests": 20 * c}
                for t, x, c in zip(names, b, costs[1], strict=True)
            ],
        }
    )
