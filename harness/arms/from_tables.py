"""Runs out of CSV and Parquet tables: one a run, or one a run of all arms with a column that names the arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.rows import COSTS, FACTS
from harness.arms.settings import ArmsSettings
from harness.errors import HarnessError, did_you_mean
from harness.formats.instances import repository_of
from harness.settings import named_path

KNOWN: Mapping[str, tuple[str, ...]] = {
    "task": ("task", "task_id", "instance_id", "instance", "problem", "question_id"),
    "arm": ("arm", "config", "competitor", "variant", "setting", "strategy", "experiment"),
    "repetition": ("repetition", "rep", "trial", "seed", "epoch", "attempt"),
    "cluster": ("cluster", "repository", "repo"),
    "passed": ("passed", "resolved", "solved", "success", "pass", "outcome"),
    "score": ("score", "reward"),
    "reason": ("reason", "exit_status", "exit_reason", "status"),
    "requests": ("requests", "turns", "steps", "num_turns", "turn_count", "n_requests"),
    "calls": ("calls", "tool_calls"),
    "input_tokens": ("input_tokens", "prompt_tokens", "total_input_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens", "total_output_tokens"),
    "usd": ("usd", "cost", "cost_usd", "total_cost_usd", "total_cost"),
    "seconds": ("seconds", "duration", "wall_s", "wall_seconds", "elapsed"),
    "date": ("date", "started", "start_time", "timestamp"),
    **{name: (name,) for name in FACTS},
}
"""The columns of a run, with the names under which they are found where `--column` says no other."""

NAMES = ("task", "arm", "repetition", "cluster", "reason", *FACTS)
TRUE = frozenset({"true", "1", "1.0", "yes", "pass", "passed", "resolved", "solved", "success"})
FALSE = frozenset({"false", "0", "0.0", "no", "fail", "failed", "unresolved", "unsolved", "failure", ""})


def read_tables(settings: ArmsSettings) -> tuple[pd.DataFrame, dict[str, str]]:
    """The runs, and which column each field was read from. Raises `HarnessError` for a table that cannot be read, a
    column that there is not, and arms that cannot be told apart."""
    asked = settings.pairs(settings.columns)
    if odd := sorted(asked.keys() - KNOWN.keys()):
        raise HarnessError(f"--column {odd[0]}: no field of a run{did_you_mean(odd[0], KNOWN)}: {', '.join(KNOWN)}")
    parts, read = [], dict[str, str]()
    for given in settings.paths:
        name, path = named_path(given)
        frame = _chosen(_table(Path(path)), settings, path)
        found = _fields(frame, asked, path, () if name else ("arm",))
        runs = _runs(frame, found, path)
        if name:
            runs["arm"] = name
        parts.append(runs)
        read |= found
    return pd.concat(parts, ignore_index=True), read


def read_outcomes(path: str, settings: ArmsSettings) -> pd.DataFrame:
    """How runs ended: `task`, with `arm` and `repetition` where the table has them, and `passed`, `score`, `reason`."""
    frame = _table(Path(path))
    found = _fields(frame, settings.pairs(settings.columns), path, ())
    if not {"passed", "score"} & found.keys():
        raise HarnessError(f"{path}: neither passed nor score in it: name a column, --column passed=COLUMN")
    keys = [key for key in ("arm", "task", "repetition", "passed", "score", "reason") if key in found]
    return _runs(frame, {key: found[key] for key in keys}, path)[keys]


def _table(path: Path) -> pd.DataFrame:
    try:
        if path.suffix.lower() == ".parquet":
            return pd.read_parquet(path)
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        return pd.read_csv(path, sep=separator, encoding="utf-8", keep_default_na=True, low_memory=False)
    except (ValueError, UnicodeDecodeError, OSError) as error:
        raise HarnessError(f"{path}: cannot be read as a table ({error})") from error


def _chosen(frame: pd.DataFrame, settings: ArmsSettings, path: str) -> pd.DataFrame:
    for column, value in settings.pairs(settings.where).items():
        frame = frame[_text(_column(frame, column, path)) == value]
    if frame.empty:
        raise HarnessError(f"{path}: no row{' with ' + ', '.join(settings.where) if settings.where else ''}")
    return frame.reset_index(drop=True)


def _column(frame: pd.DataFrame, name: str, path: str) -> pd.Series[Any]:
    if name not in frame:
        known = ", ".join(map(str, frame.columns[:30]))
        raise HarnessError(f"{path}: no column {name}{did_you_mean(name, map(str, frame.columns))}; there are: {known}")
    return frame[name]


def _fields(frame: pd.DataFrame, asked: Mapping[str, str], path: str, needed: Iterable[str]) -> dict[str, str]:
    """Field to column, as it is written in `--column`."""
    found = {}
    for field, names in KNOWN.items():
        if column := asked.get(field) or next((name for name in names if name in frame), ""):
            found[field] = column
    for field in ("task", *needed):
        if field not in found:
            raise HarnessError(f"{path}: which column is the {field}? --column {field}=COLUMN")
    return found


def _runs(frame: pd.DataFrame, found: Mapping[str, str], path: str) -> pd.DataFrame:
    runs = pd.DataFrame(index=frame.index)
    for field, column in found.items():
        if field in NAMES:
            runs[field] = _joined([_column(frame, one, path) for one in column.split("+")])
        elif field == "passed":
            runs[field] = _passed(_column(frame, column, path), f"{path}: {column}")
        elif field == "date":
            runs[field] = _dates(_column(frame, column, path))
        else:
            runs[field] = _sum(frame, column, path)
    if "cluster" not in runs:
        runs["cluster"] = [repository_of(task) for task in runs["task"]]
    return runs


def _joined(columns: Sequence[pd.Series[Any]]) -> pd.Series[Any]:
    texts = [_text(column) for column in columns]
    whole = texts[0]
    for text in texts[1:]:
        whole = whole + " / " + text
    return whole


def _text(column: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers without a point, nothing where nothing is."""
    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    return column.astype("string").fillna("").astype(str)


def _sum(frame: pd.DataFrame, formula: str, path: str) -> pd.Series[float]:
    total = pd.Series(0.0, frame.index)
    for term in formula.split("+"):
        product = pd.Series(1.0, frame.index)
        for name in term.split("*"):
            column = _column(frame, name.strip(), path)
            numbers = pd.to_numeric(column, errors="coerce").astype("float64")
            if odd := next(iter(column[numbers.isna() & column.notna()]), None):
                raise HarnessError(f"{path}: {name.strip()} holds {odd!r}, where a number belongs")
            product = product * numbers
        total = total + product
    return total


def _passed(column: pd.Series[Any], place: str) -> pd.Series[Any]:
    texts = _text(column).str.strip().str.lower()
    if odd := next((text for text in texts.unique() if text not in TRUE | FALSE), None):
        raise HarnessError(f"{place} holds {odd!r}: passed is true or false (1 or 0); a grade is a score")
    return texts.isin(TRUE).astype("boolean").mask(texts == "", pd.NA)


def _dates(column: pd.Series[Any]) -> pd.Series[float]:
    if pd.api.types.is_numeric_dtype(column):
        return column.astype("float64")
    found = pd.to_datetime(column, errors="coerce", utc=True)
    seconds = (found - pd.Timestamp(0, tz="UTC")).dt.total_seconds()
    return seconds.astype("float64")


def chosen(runs: pd.DataFrame, settings: ArmsSettings) -> pd.DataFrame:
    """Only the arms that were asked for, under the names given to them, in that order; else those there are, in the
    order in which they first stand."""
    there = list(dict.fromkeys(runs["arm"]))
    asked = {}
    for one in settings.arms:
        name, _, value = one.partition("=")
        asked[value or name] = name
    if missing := [value for value in asked if value not in there]:
        raise HarnessError(f"no arm {missing[0]}{did_you_mean(missing[0], there)}; there are: {', '.join(there[:20])}")
    order = asked or {name: name for name in there}
    runs = runs[runs["arm"].isin(order)].copy()
    runs["arm"] = runs["arm"].map(order)
    names = list(dict.fromkeys(order.values()))
    return runs.assign(arm=pd.Categorical(runs["arm"], names)).sort_values("arm", kind="stable", ignore_index=True)


def complete(runs: pd.DataFrame) -> pd.DataFrame:
    """With every column, unknown where there was none, and a number for each run of a task."""
    found = runs.copy()
    numbers = (found.groupby(["arm", "task"], observed=True, sort=False).cumcount() + 1).astype(str)
    given = found["repetition"] if "repetition" in found else pd.Series("", found.index)
    found["repetition"] = given.where(given != "", numbers)
    for name in ("score", *COSTS, "date"):
        found[name] = found.get(name, np.nan)
    for name in COSTS:  # nothing in any run of an arm: nobody recorded it there
        spent = found[name].groupby(found["arm"], observed=False).transform("max")
        found.loc[spent == 0, name] = np.nan
    for name in ("reason", *FACTS):
        found[name] = found.get(name, "")
    if "passed" not in found:
        found["passed"] = pd.array([pd.NA] * len(found), "boolean")
    if "transcripts" not in found:
        found["transcripts"] = 0
    return found
