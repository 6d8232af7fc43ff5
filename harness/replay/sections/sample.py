"""The data behind the request-by-request view, small enough for one page: some transcripts, chosen the same way every
time, and of each what the policies change.

Totals and statistics are never sampled; this is for looking.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import orjson
import pandas as pd
from numpy.typing import NDArray

from harness.replay.sections import wording as say
from harness.replay.sections.evidence import STATES
from harness.runs.run import Run
from harness.text import harmless

BUDGET = 1_200_000
MOST = 300

Ints = NDArray[np.int64]


@dataclass
class Names:
    """Strings that repeat, as numbers."""

    numbers: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: object) -> int:
        return self.numbers.setdefault(harmless(str(name)), len(self.numbers))


@dataclass(frozen=True)
class Sample:
    """transcripts: ids in the order of `data`; of: how many the run has."""

    transcripts: list[str]
    of: int
    data: dict[str, Any]

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each transcript stands in the view."""
        return {t: n for n, t in enumerate(self.transcripts)}


class Blocks:
    """Columns of a table by transcript: `block(transcript, column)` is (policies, rows), in the order of both."""

    def __init__(self, frame: pd.DataFrame, transcripts: list[str], policies: int) -> None:
        chosen = frame[frame["transcript"].isin(transcripts)].sort_values(["transcript", "policy"], kind="stable")
        self._frame, self._policies = chosen, policies
        names = chosen["transcript"].astype(str).to_numpy()
        starts = np.flatnonzero(np.r_[True, names[1:] != names[:-1]][: len(names)])
        ends = np.r_[starts[1:], len(names)][: len(starts)]
        self._bounds = {str(names[s]): (s, e) for s, e in zip(starts, ends, strict=True)}
        self._columns: dict[str, NDArray[Any]] = {}

    def has(self, transcript: str) -> bool:
        return transcript in self._bounds

    def block(self, transcript: str, column: str) -> NDArray[Any]:
        """Integers, or names as they are."""
        if column not in self._columns:
            values = self._frame[column]
            numeric = pd.api.types.is_numeric_dtype(values.dtype)
            self._columns[column] = values.to_numpy(np.int64, na_value=0) if numeric else values.astype(str).to_numpy()
        start, end = self._bounds[transcript]
        return self._columns[column][start:end].reshape(self._policies, -1)


def draw_sample(run: Run, first: Iterable[str], budget: int = BUDGET) -> Sample:
    """Transcripts until `budget` bytes of JSON or `MOST` are reached: those of `first`, then the others by the hash of
    their id. One that would take more than is left is passed over."""
    ids = [str(t) for t in run.transcripts.loc[run.transcripts["policy"] == "identity", "transcript"]]
    wanted = list(dict.fromkeys(str(t) for t in first))
    rest = sorted(set(ids) - set(wanted), key=lambda t: hashlib.sha256(t.encode("utf-8", "surrogatepass")).digest())
    candidates = [*wanted, *rest][: 2 * MOST]
    requests = Blocks(run.requests, candidates, len(run.policies))
    results = Blocks(run.results, candidates, len(run.policies))
    heads = run.transcripts[run.transcripts["policy"] == "identity"].set_index("transcript")
    names = Names()
    chosen: list[str] = []
    records: list[dict[str, Any]] = []
    used = 0
    for transcript in candidates:
        if len(chosen) == MOST:
            break
        head = heads.loc[transcript]
        record = {"id": harmless(transcript), "format": names(head["format"]), "model": names(head["model"])}
        record |= _requests(requests, transcript, {"borne", *STATES} <= set(run.requests.columns))
        record |= _results(results, transcript, names)
        size = len(orjson.dumps(record))
        if used + size <= budget:
            chosen.append(transcript)
            records.append(record)
            used += size
    data = {"policies": [harmless(p) for p in run.policies], "names": list(names.numbers), "transcripts": records}
    return Sample(chosen, len(ids), data)


def _requests(blocks: Blocks, transcript: str, evidence: bool) -> dict[str, Any]:
    """Shared columns as lists; per policy what it saves of identity's, `0` where nothing; atoms [request, number]."""
    if not blocks.has(transcript):
        return {}
    found: dict[str, Any] = {
        name: blocks.block(transcript, name)[0].tolist()
        for name in ("message", "output_tokens", "cuts", "prompt_tokens", "cached_warm")
    }
    found["saved"] = _less(blocks.block(transcript, "prompt_tokens"))
    found["uncached"] = _less(blocks.block(transcript, "cached_warm"))
    if evidence:
        found["borne"] = blocks.block(transcript, "borne")[0].tolist()
        states = [blocks.block(transcript, s) for s in STATES[1:]]
        found["hidden"] = [[_sparse(s[p]) for s in states] for p in range(len(states[0]))]
    return {"requests": found}


def _results(blocks: Blocks, transcript: str, names: Names) -> dict[str, Any]:
    """Shared columns as lists; per policy the results that it changes, as [number, tokens, elided bytes, reach]."""
    if not blocks.has(transcript):
        return {}
    tokens, elided, reach = (blocks.block(transcript, c) for c in ("rendered_tokens", "elided_bytes", "reach"))
    found: dict[str, Any] = {c: blocks.block(transcript, c)[0].tolist() for c in ("message", "value_bytes")}
    found["tokens"] = tokens[0].tolist()
    for column in ("tool", "content", "clipped"):
        found[column] = [names(v) for v in blocks.block(transcript, column)[0]]
    found["changed"] = [
        [
            [int(n), int(t[n]), int(e[n]), names(say.REACH.get(r[n], r[n]))]
            for n in np.flatnonzero((t != tokens[0]) | (e > 0))
        ]
        for t, e, r in zip(tokens, elided, reach, strict=True)
    ]
    return {"results": found}


def _less(values: Ints) -> list[list[int] | int]:
    return [(values[0] - own).tolist() if (values[0] != own).any() else 0 for own in values]


def _sparse(values: Ints) -> list[list[int]]:
    return [[int(n), int(values[n])] for n in np.flatnonzero(values)]
