"""The budget slider of a page: what its script shows of each stop, and the same as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from harness.policies.spec import make_policy
from harness.report.table import Column, Table
from harness.report.units import CHANGE, COUNT, NAME, SHARE, TOKENS, USD
from harness.text import harmless
from harness.tune.shapes import BOTH, GATE, HEAD, TAIL, shape_of
from harness.tune.verdict import Verdict

WORDS = {
    HEAD: "Head: bytes kept of a text's beginning",
    TAIL: "Tail: bytes kept of its end",
    BOTH: "Limit: bytes kept of both ends",
    GATE: "Gate: smaller results stay as they are",
}
FIGURES = ("tokens", "usd", "tokens_typical", "whole", "whole_typical", "bound", "visible")
STATES = ("reachable", "unknown", "held", "lost")
GONE = ("held", "lost")
PLACES = {"usd": 6, "tokens_typical": 5, "whole_typical": 5, "bound": 5}
"""Decimals that a page holds of what is no integer."""

NOTE = (
    "Every stop was rendered and counted: its totals are those of a replay of its policy, to the token. Between two "
    "stops nothing is said."
)
STOPS = (
    Column("policy", "policy", NAME),
    Column("tokens", "input tokens", TOKENS),
    Column("ratio", "tokens, bill", CHANGE, meaning="against identity"),
    Column("tokens_typical", "tokens, typical", CHANGE, meaning="against identity"),
    Column("usd", "USD, warm cache", USD),
    Column("share", "all visible, bill", SHARE, meaning="of the requests with dependencies"),
    Column("whole_typical", "all visible, typical", SHARE),
    Column("bound", "bound", SHARE, meaning="one-sided 95 %, the smaller of the two"),
    Column("visible", "dependencies visible", COUNT),
    Column("gone", "held or lost", COUNT, meaning="dependencies that are not visible, and that nothing brings back"),
)


def stops_table(verdict: Verdict, stops: pd.DataFrame) -> Table:
    """For a page: every stop, the policy as it is written first in its ladder's order."""
    tokens, bearing = _totals(verdict)["tokens"], max(_totals(verdict)["bearing"], 1)
    rows = stops.assign(
        ratio=stops["tokens"] / max(tokens, 1), share=stops["whole"] / bearing, gone=stops["held"] + stops["lost"]
    )
    return Table("stops", "Every stop", "measured", NOTE, STOPS, rows)


def slider(verdict: Verdict, stops: pd.DataFrame, needs: pd.DataFrame) -> dict[str, Any]:
    """As the page's script reads it: the totals, the transcripts of the requests at risk, and the ladders."""
    names = sorted(set(needs["transcript"].astype(str)))
    place = {name: n for n, name in enumerate(names)}
    listed = verdict.trial.found.get("listed", [])
    known = dict(list(needs.groupby("ladder", sort=True)))
    return {
        "totals": _totals(verdict),
        "floor": verdict.floor,
        "transcripts": [harmless(name)[:200] for name in names],
        "ladders": [
            _ladder(verdict, own.reset_index(drop=True), known.get(number), place)
            | {"listed": listed[number]}
            for number, own in stops.groupby("ladder", sort=True)
        ],
    }  # fmt: skip


def _totals(verdict: Verdict) -> dict[str, Any]:
    trial = verdict.trial
    usd = float(trial.figures.usd[0].sum())
    return {
        "tokens": int(trial.figures.tokens[0].sum()),
        "usd": round(usd, PLACES["usd"]) if np.isfinite(usd) else None,
        "bearing": int(trial.bearing.sum()),
        "borne": int(trial.borne.sum()),
    }


def _ladder(
    verdict: Verdict, own: pd.DataFrame, needs: pd.DataFrame | None, place: Mapping[str, int]
) -> dict[str, Any]:
    labels = own["policy"].astype(str).tolist()
    shape = shape_of(make_policy(labels[0]))
    assert shape is not None
    values = {axis: sorted(set(_on(axis, own).tolist())) for axis in shape.axes}
    marks = {labels.index(label): said for label, said in _marked(verdict).items() if label in labels}
    return {
        "name": shape.policy.label.partition(":")[0],
        "axes": [
            {"name": shape.names[axis].replace("limit", "bytes"), "words": WORDS[axis], "values": values[axis]}
            for axis in shape.axes
        ],
        "policy": labels,
        "marks": [[at, said] for at, said in marks.items()],
        "kept": (own["head"] + own["tail"]).tolist(),
        **{name: _plain(own[name], PLACES.get(name)) for name in (*FIGURES, *STATES)},
        "requests": [] if needs is None else _requests(needs, own, values, place),
    }


def _on(axis: str, own: pd.DataFrame) -> pd.Series:
    return own["head"] + own["tail"] if axis == BOTH else own[axis]


def _marked(verdict: Verdict) -> dict[str, str]:
    """What stands out, the recommended setting first."""
    found = {verdict.chosen.policy.label: "recommended"}
    for role, label in verdict.trial.found["roles"].items():
        found.setdefault(label, f"best {role}")
    found.setdefault(verdict.trial.policy.label, "as written")
    found.setdefault(verdict.default.policy.label, "default")
    return found


def _plain(values: pd.Series, places: int | None) -> list[Any]:
    if places is None:
        return [int(n) for n in values]
    return [None if pd.isna(n) else round(float(n), places) for n in values]


def _requests(
    needs: pd.DataFrame, own: pd.DataFrame, values: Mapping[str, list[int]], place: Mapping[str, int]
) -> list[list[Any]]:
    """Transcript, request and dependencies; of these how many alike, whether they are held or lost where all is cut (1)
    or a tool brings them back (0), and by source the first stop on each axis that shows it, and the bytes of head and
    tail that hold the source whole (-1: none)."""
    found: dict[tuple[str, int], dict[int, tuple[int, set[tuple[int, ...]]]]] = {}
    reached = _reached(needs, own, values)
    keys = zip(needs["transcript"].astype(str), needs["request"], needs["dependency"], needs["state"], strict=True)
    for (transcript, request, dependency, state), stop in zip(keys, reached, strict=True):
        request_own = found.setdefault((transcript, int(request)), {})
        request_own.setdefault(int(dependency), (int(state in GONE), set()))[1].add(stop)
    return [[place[t], request, _alike(list(each.values()))] for (t, request), each in found.items()]


def _alike(dependencies: list[tuple[int, set[tuple[int, ...]]]]) -> list[list[Any]]:
    counted: dict[tuple[int, tuple[tuple[int, ...], ...]], int] = {}
    for state, stops in dependencies:
        key = state, tuple(sorted(stops))
        counted[key] = counted.get(key, 0) + 1
    return [[n, state, [list(stop) for stop in stops]] for (state, stops), n in counted.items()]


def _reached(needs: pd.DataFrame, own: pd.DataFrame, values: Mapping[str, list[int]]) -> list[tuple[int, ...]]:
    """Per source, by axis the number of the first stop that shows the dependency; behind the last where none does."""
    head, tail, fits = (needs[name].fillna(1 << 60).astype("int64").to_numpy() for name in ("head", "tail", "fits"))
    columns = []
    for axis, stops in values.items():
        if axis == GATE:
            columns.append(np.searchsorted(stops, needs["size"].to_numpy(), "right"))
        elif axis == BOTH:
            split = own.assign(limit=own["head"] + own["tail"]).drop_duplicates("limit").sort_values("limit")
            ends = (np.searchsorted(split[name].to_numpy(), n) for name, n in (("head", head), ("tail", tail)))
            columns.append(np.minimum(*ends))
        else:
            columns.append(np.searchsorted(stops, head if axis == HEAD else tail))
    whole = np.where(fits < 1 << 60, fits, -1)
    return [tuple(int(n) for n in row) for row in zip(*columns, whole, strict=True)]
