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

from harness.reports.evidence import STATES
from harness.results.run import Run
from harness.views.text import harmless

BUDGET = 1_200_000
MOST = 300


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


def draw_sample(run: Run, first: Iterable[str], budget: int = BUDGET) -> Sample:
    """Transcripts until `budget` bytes of JSON are full: those of `first`, then the others by the hash of their id. One
    that alone would take more than is left is passed over."""
    ids = [str(t) for t in run.transcripts.loc[run.transcripts["policy"] == "identity", "transcript"]]
    wanted = list(dict.fromkeys(first))
    rest = sorted(set(ids) - set(wanted), key=lambda t: hashlib.sha256(t.encode("utf-8", "surrogatepass")).digest())
    candidates = [*wanted, *rest][: 2 * MOST]
    tables = {
        name: dict(list(frame[frame["transcript"].isin(candidates)].groupby("transcript", observed=True)))
        for name, frame in (("requests", run.requests), ("results", run.results), ("transcripts", run.transcripts))
    }
    names = Names()
    chosen: list[str] = []
    records: list[dict[str, Any]] = []
    used = 0
    for transcript in candidates:
        if len(chosen) == MOST:
            break
        record = _record(run, transcript, {k: v.get(transcript) for k, v in tables.items()}, names)
        size = len(orjson.dumps(record))
        if used + size <= budget:
            chosen.append(transcript)
            records.append(record)
            used += size
    data = {"policies": [harmless(p) for p in run.policies], "names": list(names.numbers), "transcripts": records}
    return Sample(chosen, len(ids), data)


def _record(run: Run, transcript: str, tables: dict[str, pd.DataFrame | None], names: Names) -> dict[str, Any]:
    head = tables["transcripts"]
    assert head is not None
    row = head.iloc[0]
    record: dict[str, Any] = {"id": harmless(transcript), "format": names(row["format"]), "model": names(row["model"])}
    requests, results = tables["requests"], tables["results"]
    if requests is not None:
        record["requests"] = _requests(run, requests)
    if results is not None:
        record["results"] = _results(run, results, names)
    return record


def _requests(run: Run, frame: pd.DataFrame) -> dict[str, Any]:
    """Shared columns as lists; per policy the difference to identity, `0` where there is none."""
    by_policy = dict(list(frame.groupby("policy", observed=True)))
    identity = by_policy["identity"]
    shared = ["message", "output_tokens", "tool_calls", "cuts", "recorded_input"]
    found: dict[str, Any] = {name: _plain(identity[name]) for name in shared}
    found["prompt_tokens"] = _plain(identity["prompt_tokens"])
    found["cached_warm"] = _plain(identity["cached_warm"])
    found["saved"] = [_less(identity, by_policy[p], "prompt_tokens") for p in run.policies]
    found["uncached"] = [_less(identity, by_policy[p], "cached_warm") for p in run.policies]
    if {"borne", *STATES} <= set(frame.columns):
        found["borne"] = _plain(identity["borne"])
        found["hidden"] = [[_sparse(by_policy[p][s]) for s in STATES[1:]] for p in run.policies]
    return found


def _results(run: Run, frame: pd.DataFrame, names: Names) -> dict[str, Any]:
    """Shared columns as lists; per policy only the results that it changes: [number, tokens, elided bytes, reach]."""
    by_policy = dict(list(frame.groupby("policy", observed=True)))
    identity = by_policy["identity"]
    found: dict[str, Any] = {name: _plain(identity[name]) for name in ("message", "value_bytes")}
    found["tokens"] = _plain(identity["rendered_tokens"])
    for name in ("tool", "content", "clipped"):
        found[name] = [names(v) for v in identity[name]]
    found["changed"] = [_changed(identity, by_policy[p], names) for p in run.policies]
    return found


def _changed(identity: pd.DataFrame, own: pd.DataFrame, names: Names) -> list[list[int]]:
    tokens, elided = own["rendered_tokens"].to_numpy(), own["elided_bytes"].to_numpy()
    reach = own["reach"].astype(str).tolist()
    differs = np.flatnonzero((tokens != identity["rendered_tokens"].to_numpy()) | (elided > 0))
    return [[int(n), int(tokens[n]), int(elided[n]), names(reach[n])] for n in differs]


def _less(identity: pd.DataFrame, own: pd.DataFrame, column: str) -> list[int] | int:
    difference = identity[column].to_numpy() - own[column].to_numpy()
    return [int(d) for d in difference] if difference.any() else 0


def _sparse(column: pd.Series) -> list[list[int]]:
    values = column.to_numpy(np.int64, na_value=0)
    return [[int(n), int(values[n])] for n in np.flatnonzero(values)]


def _plain(column: pd.Series) -> list[int | None]:
    return [None if pd.isna(v) else int(v) for v in column]


def embedded(data: dict[str, Any]) -> str:
    """JSON that can stand in a script element: nothing in it ends the element, opens another or breaks a line."""
    text = orjson.dumps(data).decode("utf-8")
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
