"""The saving without what the audit calls doubtful."""

from __future__ import annotations

import pandas as pd

from harness.replay.sections.grid import grid
from harness.replay.sections.summary import without_doubtful


def rows(doubtful: dict[str, str]) -> pd.DataFrame:
    tokens = {("a", "identity"): 100, ("a", "car"): 50, ("b", "identity"): 300, ("b", "car"): 30}
    found = pd.DataFrame(
        [
            {"transcript": t, "policy": p, "input_tokens": n, "doubtful": doubtful.get(t, "")}
            for (t, p), n in tokens.items()
        ]
    )
    return found.assign(policy=pd.Categorical(found["policy"], ["identity", "car"], ordered=True))


def test_the_saving_is_of_the_transcripts_that_are_not_doubtful() -> None:
    found = without_doubtful(grid(rows({"b": "our count is 2.00 of the billed one"}), ["identity", "car"]))
    assert found == {"identity": 1.0, "car": 0.5}


def test_nothing_is_said_where_none_or_all_are_doubtful() -> None:
    assert without_doubtful(grid(rows({}), ["identity", "car"])) == {}
    assert without_doubtful(grid(rows({"a": "x", "b": "x"}), ["identity", "car"])) == {}
