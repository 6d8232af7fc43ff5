"""How the tables of a re-drive are written: a heading and a text for every cell, alike in every output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.redrive.tables import IDENTITY
from harness.text import count, number, share

Row = dict[str, Any]
Column = tuple[str, Callable[[Row], str]]
WEAK = 0.5
"""An engine that repeats the recorded tools in a smaller share of requests under identity says little of policies."""
ONE_RUN = (
    "Agreement is with one recorded run, made by its own model under its own policy: another right action counts as a "
    "difference. No success rate follows from it."
)


def records(frame: pd.DataFrame) -> list[Row]:
    """The rows of a table, None for what is not there."""
    plain = frame.astype(object).where(frame.notna(), None)
    return [{str(key): value for key, value in row.items()} for row in plain.to_dict("records")]


def fits(fit: list[Row], engine: str) -> str:
    """How many of an engine's requests can be compared: the first thing to know."""
    own = [row for row in fit if row["engine"] == engine]
    requests, both = (max((row[key] for row in own), default=0) for key in ("requests", "fit_under_all"))
    return f"{count(both)} of {number(requests, 'request')} ({share(both, requests)}) fit under all policies"


def is_weak(agreement: list[Row], engine: str) -> bool:
    """Whether the engine's differences say little about policies."""
    own = [row for row in agreement if (row["engine"], row["policy"]) == (engine, IDENTITY)]
    return any(row["calls"] and row["same_tools"] < WEAK for row in own)


@dataclass(frozen=True)
class Words:
    """A table for a reader. title, note: what it shows. kind: of its figures. columns: the first two are names."""

    title: str
    kind: str
    note: str
    columns: tuple[Column, ...]

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(heading for heading, _ in self.columns)

    def texts(self, rows: list[Row]) -> list[list[str]]:
        return [[cell(row) for _, cell in self.columns] for row in rows]


def _text(key: str) -> Column:
    return key, lambda row: str(row[key])


def _count(key: str, heading: str) -> Column:
    return heading, lambda row: count(row[key])


def _share(key: str, heading: str) -> Column:
    return heading, lambda row: "-" if row[key] is None else f"{100 * row[key]:.1f} %"


def _points(key: str) -> Column:
    return "difference", lambda row: _with_interval(row, f"{key}_difference", 100.0, "+.1f")


def _ratio(key: str) -> Column:
    return "ratio", lambda row: _with_interval(row, key, 1.0, ".3f")


def _with_interval(row: Row, key: str, scale: float, form: str) -> str:
    value, low, high = (row[f"{key}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return "-"
    interval = "" if low is None else f" [{scale * low:{form}}, {scale * high:{form}}]"
    return f"{scale * value:{form}}{interval}"


def _p(row: Row) -> str:
    return "-" if row["p"] is None else f"{row['p']:.3g}"


def _seconds(row: Row) -> str:
    return "-" if row["seconds"] is None else f"{row['seconds']:.3g}"


_KEYS = (_text("engine"), _text("policy"))
TABLES: dict[str, Words] = {
    "fit": Words(
        "What fits into the window",
        "live",
        "Too long by our count: prompt and answer budget exceed the window, so nobody was asked. By the engine's: it "
        "said so, or its own count fills the window. Nothing is cut to fit. Failed: crash, hang, garbage, error.",
        (
            *_KEYS,
            _count("requests", "requests"),
            _count("fit", "fit"),
            ("share", lambda row: share(row["fit"], row["requests"])),
            _count("overflow_counted", "too long by our count"),
            _count("overflow_reported", "by the engine's"),
            _count("failed", "failed"),
        ),
    ),
    "agreement": Words(
        "Agreement with the recording",
        "live",
        "Same tools, same arguments and all arguments grounded: shares of the requests whose recorded action is a call "
        "(calls). No call: share of those that the recording answers in words (answers). Differences are from identity "
        "on the same requests, in points, with 95 % intervals over clusters; p of same arguments by sign flips over "
        "clusters, corrected (Benjamini-Hochberg). Under 8 clusters: no interval.",
        (
            *_KEYS,
            _count("calls", "calls"),
            _share("same_tools", "same tools"),
            _points("same_tools"),
            _share("same_arguments", "same arguments"),
            _points("same_arguments"),
            ("p", _p),
            _share("grounded", "all grounded"),
            _points("grounded"),
            _count("answers", "answers"),
            _share("no_call", "no call"),
        ),
    ),
    "costs": Words(
        "Prompt tokens and time",
        "live",
        "Prompt tokens are measured: as given to the engine, by the token profile. Seconds are live, over the requests "
        "that were answered under both. Ratios of totals to identity's, 95 % over clusters.",
        (
            *_KEYS,
            _count("requests", "requests"),
            _count("prompt_tokens", "prompt tokens"),
            _ratio("tokens_ratio"),
            _count("timed", "timed"),
            ("seconds", _seconds),
            _ratio("seconds_ratio"),
        ),
    ),
    "hidden": Words(
        "Where evidence is hidden",
        "live",
        "Requests that call with something that only a result had shown: those where the policy hides some of it, and "
        "how many of them got the recorded arguments under identity and under the policy; then those where it hides "
        "none.",
        (
            *_KEYS,
            _count("at_risk", "hidden"),
            _count("at_risk_right_identity", "right under identity"),
            _count("at_risk_right", "right under the policy"),
            _count("visible", "visible"),
            _count("visible_right_identity", "right under identity"),
            _count("visible_right", "right under the policy"),
        ),
    ),
    "handles": Words(
        "Handles",
        "live",
        "Uses: references that stand for a value, and handles that are read. Wrong: a handle with a path that is not "
        "there, or not written as a reference. Invented: a handle that never was.",
        (
            *_KEYS,
            _count("requests", "requests with handles"),
            _count("requests_using", "that use one"),
            _count("handles_used", "uses"),
            _count("handles_wrong", "wrong"),
            _count("handles_invented", "invented"),
        ),
    ),
}
"""By the name of the table in `harness.redrive.tables`."""
