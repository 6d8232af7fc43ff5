"""The transcripts table as arrays: one row a transcript, one column a policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.errors import HarnessError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """`column(name)` is (transcripts, policies) in the order of `transcripts` and `policies`.

    The first policy is `identity`. `shared` holds its rows: everything that does not depend on the policy.
    """

    transcripts: list[str]
    policies: list[str]
    shared: pd.DataFrame
    frame: pd.DataFrame

    def has(self, *names: str) -> bool:
        """Whether the run recorded these columns."""
        return all(n in self.frame.columns for n in names)

    def column(self, name: str) -> Floats:
        """Values as floats, `nan` where they are not known."""
        values = self.frame[name].to_numpy(np.float64, na_value=np.nan)
        return values.reshape(len(self.transcripts), len(self.policies))

    def rows(self, chosen: NDArray[np.bool_]) -> Grid:
        """The grid of some transcripts."""
        names = [t for t, c in zip(self.transcripts, chosen, strict=True) if c]
        return Grid(names, self.policies, self.shared[chosen], self.frame[np.repeat(chosen, len(self.policies))])


def grid(transcripts: pd.DataFrame, policies: list[str]) -> Grid:
    """The grid of a run's transcripts table, in the order of the table."""
    ordered = transcripts.sort_values(["transcript", "policy"], kind="stable")
    shared = ordered[ordered["policy"] == policies[0]]
    if len(ordered) != len(shared) * len(policies):
        raise HarnessError("the run lacks rows of some transcripts under some policies: it was damaged; make it again")
    return Grid(shared["transcript"].astype(str).tolist(), policies, shared, ordered)
