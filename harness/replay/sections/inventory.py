"""Blocks of the HTML page: top movers by policy, and where the bytes of results are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.replay.sections.first_screen import picks
from harness.replay.sections.movers import by_column, result_movers, transcript_movers
from harness.replay.sections.summary import ALL, Summary
from harness.runs.run import Run

MOVERS = 8
ROWS = 25
NOT_A_POLICY = 4


@dataclass(frozen=True)
class Movers:
    """The transcripts and results that make one policy's difference; `open` for the leading policy."""

    policy: str
    open: bool
    transcripts: list[dict[str, Any]]
    results: list[dict[str, Any]]


def movers(run: Run, summary: Summary) -> list[Movers]:
    """One a policy that changes anything, the leading one first."""
    first = next((pick.row for pick in picks(summary) if pick.row), None)
    found = []
    for row in sorted(summary.part(ALL), key=lambda r: r.input_tokens):
        transcripts = records(transcript_movers(run, row.policy, MOVERS))
        if transcripts:
            results = records(result_movers(run, row.policy, MOVERS))
            found.append(Movers(row.policy, row is first, transcripts, results))
    return found


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A frame as one dict a line."""
    return [{str(k): v for k, v in record.items()} for record in frame.to_dict("records")]


@dataclass(frozen=True)
class HeatRow:
    """kept: per policy but identity, rendered bytes over recorded bytes, `None` where there were none."""

    name: str
    results: int
    value_bytes: int
    share: float
    kept: list[float | None]


@dataclass(frozen=True)
class Heat:
    """Where the bytes are, largest first; what does not fit is in the last row, with how many names it stands for."""

    title: str
    policies: list[str]
    rows: list[HeatRow]


def heat(run: Run, column: str, title: str) -> Heat:
    """Result bytes by a column of the results table, and how much of them each policy renders."""
    frame = by_column(run.results, column)
    frame[column] = frame[column].astype(str).replace("", "(unknown)")
    whole = int(frame["value_bytes"].sum())
    if len(frame) > ROWS:
        rest = frame.iloc[ROWS:]
        last = rest.drop(columns=column).sum().to_frame().T
        last.insert(0, column, f"{len(rest)} others")
        frame = frame.iloc[:ROWS].reset_index(drop=True)
        frame.loc[len(frame)] = last.iloc[0]
    rows = []
    for values in frame.itertuples(index=False):
        name, results, value_bytes, base, *rendered = values
        kept = [float(r) / base if base else None for r in rendered]
        rows.append(HeatRow(name, int(results), int(value_bytes), value_bytes / whole if whole else 0.0, kept))
    return Heat(title, [str(c) for c in frame.columns[NOT_A_POLICY:]], rows)
