"""What a policy would save of what was billed, in two readings of what the recording does not explain (METHOD, 2).

*Constant*: the saving is our count of it. *Stretched*: the saving times b, the billed tokens to one of ours, where that
is identified for the model; so the two are a range. Both are of the requests with usage, and say how many those are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.replay.sections import wording as say
from harness.statistics.calibration import Stretch, stretch
from harness.text import count

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """Of one policy over one part of a corpus, against identity. tokens, usd: (constant, stretched) ratios over the
    billed input, and over the bill; `None` where there is none. requests: with usage and not doubtful, of `of` in all;
    doubtful: with usage, and left out."""

    requests: int
    of: int
    doubtful: int
    tokens: tuple[float, float] | None
    usd: tuple[float, float] | None

    @property
    def base(self) -> str:
        """Which corpus the percentages are of."""
        left = f", {count(self.doubtful)} doubtful left out" if self.doubtful else ""
        return f"{count(self.requests)} of {count(self.of)} requests with usage{left}"


class Readings:
    """All policies over the requests of a run; `of(mask)` gives those over a part."""

    def __init__(self, requests: pd.DataFrame, policies: list[str], opaque: frozenset[str]) -> None:
        by_policy = [requests[requests["policy"] == policy] for policy in policies]
        identity = by_policy[0]
        self.transcripts = identity["transcript"].astype(str).to_numpy()
        self.stretch: Stretch = stretch(identity, opaque)
        b = identity["model"].astype(str).map(self.stretch.by_model)
        self._b = _floats(b.fillna(1.0))
        self._doubtful = np.isin(self.transcripts, list(self.stretch.doubtful))
        self._billed = _floats(identity["recorded_input"])
        self._bill = _floats(identity["bill"])
        self._saved = [_floats(identity["prompt_tokens"]) - _floats(own["prompt_tokens"]) for own in by_policy]
        self._usd = [_floats(identity["cost_recorded"]) - _floats(own["cost_recorded"]) for own in by_policy]

    def of(self, part: NDArray[np.bool_]) -> list[Reading]:
        """One a policy. part: which rows under identity."""
        known = part & np.isfinite(self._billed)
        used = known & ~self._doubtful
        paid = used & np.isfinite(self._bill)
        return [
            Reading(
                requests=int(used.sum()),
                of=int(part.sum()),
                doubtful=int(known.sum() - used.sum()),
                tokens=self._ratios(saved[used], self._b[used], float(self._billed[used].sum())),
                usd=self._ratios(usd[paid], self._b[paid], float(self._bill[paid].sum())),
            )
            for saved, usd in zip(self._saved, self._usd, strict=True)
        ]

    @staticmethod
    def _ratios(saved: Floats, b: Floats, whole: float) -> tuple[float, float] | None:
        if whole <= 0:
            return None
        found = 1 - float(saved.sum()) / whole, 1 - float((b * saved).sum()) / whole
        return found if min(found) >= 0 else None


def opaque_transcripts(transcripts: pd.DataFrame) -> frozenset[str]:
    """Those with images or hidden reasoning, whose growth says nothing of a tokenizer."""
    opaque = transcripts[(transcripts["images"] > 0) | (transcripts["encrypted"] > 0)]
    return frozenset(opaque["transcript"].astype(str))


def reading_text(ratios: tuple[float, float] | None) -> str:
    """Both readings: `-26.5 … -33.1 %`, or one where they are the same."""
    if ratios is None:
        return say.NOT_IDENTIFIED
    low, high = say.change(ratios[0]), say.change(ratios[1])
    return low if low == high else f"{low.removesuffix(' %')} … {high}"


def _floats(column: pd.Series) -> Floats:
    return np.asarray(column.to_numpy(np.float64, na_value=np.nan), np.float64)
