"""Runs out of recordings: the transcripts of one run summed, its outcome from the recording or from a table.

A sum is known only where every part is: a run of eight transcripts of which one has no usage has no input tokens. Money
is recorded usage times price; where usage is not complete, what the source itself says that the run cost.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from harness.arms.from_tables import read_outcomes
from harness.arms.settings import ArmsSettings
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.money.tariffs import Tariffs
from harness.settings import named_path
from harness.transcript import Transcript, Usage


@dataclass(frozen=True)
class Seen:
    """What is kept of a transcript: how it is known, what it comes to, what is known of who made it."""

    arm: str
    id: str
    parent: str | None
    task: str
    repetition: str
    cluster: str
    passed: bool | None
    score: float | None
    reason: str
    limits: str
    requests: int
    calls: int
    input_tokens: float | None
    output_tokens: float | None
    usd: float | None
    billed: bool
    seconds: float | None
    date: float | None
    model: str
    agent: str
    version: str
    prompt: str
    tools: str


def read_recordings(settings: ArmsSettings) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The runs, one a row, and what of the recordings was skipped or could not be read. Raises `HarnessError` where
    nothing says of what task a recording is."""
    intake, seen = Intake(), list[Seen]()
    tariffs = Tariffs(settings.prices)
    for given in settings.paths:
        name, path = named_path(given)
        arm = name or Path(path).name
        own = Intake()
        seen += (_seen(t, arm, settings, tariffs) for t in read_transcripts([Path(path)], own, settings.format))
        intake.skipped += own.skipped
        intake.problems += own.problems
    if not seen:
        raise HarnessError(f"no recording in {', '.join(settings.paths)}; `harness inspect` says why")
    grouped = _runs(seen)
    _say_what_is_missing(grouped, settings)
    runs = pd.DataFrame([_summed(key, parts) for key, parts in grouped.items()])
    problems = [asdict(problem) for problem in intake.problems]
    if settings.outcomes:
        runs, missed = _with_outcomes(runs, read_outcomes(settings.outcomes, settings))
        problems += missed
    runs["passed"] = runs["passed"].astype("boolean")
    skipped = [{"source": source, "why": why} for source, why in intake.skipped]
    facts = {"problems": problems, "skipped": skipped, "money": _money(seen)}
    return runs, facts | {"predictions": _predictions(settings, grouped)}


def _predictions(
    settings: ArmsSettings, grouped: Mapping[tuple[str, str, str], Sequence[Seen]]
) -> list[dict[str, Any]]:
    """What a replay of the first arm says of the arms whose policies are given."""
    if not settings.predict:
        return []
    from harness.arms.predict import predictions

    named = [(name or Path(path).name, path) for name, path in map(named_path, settings.paths)]
    first = named[0][0]
    keys = {part.id: key[1:] for key, parts in grouped.items() if key[0] == first for part in parts}
    paths = [(path, keys) for name, path in named if name == first]
    return predictions(paths, settings.pairs(settings.predict), settings.format, settings.prices)


def _seen(transcript: Transcript, arm: str, settings: ArmsSettings, tariffs: Tariffs) -> Seen:
    requests = [transcript.messages[i] for i in transcript.requests()]
    usage = [message.usage for message in requests]
    totals, outcome = transcript.totals, transcript.outcome
    bill = _bill(usage, [message.model or transcript.model for message in requests], tariffs)
    times = [t for m in transcript.messages if not m.copied for t in (m.started, m.time) if t is not None]
    models = sorted({m.model for m in requests if m.model} or {transcript.model or ""})
    return Seen(
        arm,
        transcript.id,
        transcript.parent,
        _place(settings.task, transcript, transcript.task),
        _place(settings.repetition, transcript, transcript.repetition),
        transcript.cluster,
        outcome.passed,
        outcome.score,
        outcome.reason,
        ", ".join(f"{name} {most:g}" for name, most in outcome.limits),
        len(requests),
        sum(len(m.calls) for m in transcript.messages if not m.copied),
        _either(_total([u.input_tokens if u else None for u in usage]), totals.input_tokens),
        _either(_total([u.output_tokens if u else None for u in usage]), totals.output_tokens),
        _either(bill, totals.usd),
        bill is not None,
        _either(totals.seconds, max(times) - min(times) if times else None),
        min(times) if times else None,
        ", ".join(models),
        transcript.agent,
        transcript.version,
        _digest(m.text for m in transcript.messages if m.role == "system"),
        _digest(transcript.tools or ()),
    )


def _place(where: str, transcript: Transcript, field: str) -> str:
    """A task or repetition: what the recording says, or where its file lies below the arm's own folder."""
    if where == "field":
        return field
    if where == "one":
        return "all"
    path = PurePosixPath(transcript.id.partition("#")[0].replace("!", "/"))
    if where == "file":
        return str(path)
    number = int(where.partition(":")[2])
    return path.parts[number - 1] if number < len(path.parts) else ""


def _bill(usage: Sequence[Usage | None], models: Sequence[str | None], tariffs: Tariffs) -> float | None:
    """Recorded usage times price, known where every request has both."""
    if not usage or any(u is None or u.input_tokens is None or u.output_tokens is None for u in usage):
        return None
    counts = np.array(
        [
            (
                u.input_tokens,
                u.cached_tokens or 0,
                u.cache_write_tokens or 0,
                u.cache_write_1h_tokens or 0,
                u.output_tokens,
            )
            for u in usage
            if u is not None
        ],
        np.int64,
    )
    whole, read, written, hour, output = counts.T
    usd = float(tariffs.requests(models).billed(whole, read, written, hour, output).sum())
    return None if math.isnan(usd) else usd


def _runs(seen: Sequence[Seen]) -> dict[tuple[str, str, str], list[Seen]]:
    """The transcripts of each run, by arm, task and repetition; a sub-agent's belong to the run of its parent."""
    known = {(one.arm, one.id): one for one in seen}
    found: dict[tuple[str, str, str], list[Seen]] = {}
    for one in seen:
        main, steps = one, 0
        while main.parent and (main.arm, main.parent) in known and steps < len(known):
            main, steps = known[main.arm, main.parent], steps + 1
        found.setdefault((one.arm, main.task, main.repetition), []).append(one)
    return found


def _say_what_is_missing(runs: dict[tuple[str, str, str], list[Seen]], settings: ArmsSettings) -> None:
    for (arm, task, repetition), parts in runs.items():
        mains = [part for part in parts if not part.parent]
        if not task:
            raise HarnessError(
                f"arm {arm}: {parts[0].id} does not say its task; take it from a folder (--task folder:1), from "
                f"the file (--task file), or say that all are one (--task one)"
            )
        if len(mains) > 1 and not repetition and settings.repetition == "field":
            raise HarnessError(
                f"arm {arm}, task {task}: {len(mains)} recordings, such as {mains[0].id} and {mains[1].id}, and "
                f"nothing says whether they are several runs (--repetition file, or folder:N) or parts of one "
                f"(--repetition one)"
            )


def _summed(key: tuple[str, str, str], parts: Sequence[Seen]) -> dict[str, Any]:
    """A run. What ended it, and the time that it took, are those of its main transcripts, not of sub-agents."""
    arm, task, repetition = key
    mains = [part for part in parts if not part.parent] or list(parts)
    dates = [part.date for part in parts if part.date is not None]
    return {
        "arm": arm,
        "task": task,
        "repetition": repetition,
        "cluster": mains[0].cluster or task,
        "transcripts": len(parts),
        "passed": _agreed(part.passed for part in mains),
        "score": _agreed(part.score for part in mains),
        "reason": _joined(part.reason for part in mains),
        "requests": float(sum(part.requests for part in parts)),
        "calls": float(sum(part.calls for part in parts)),
        "input_tokens": _total([part.input_tokens for part in parts]),
        "output_tokens": _total([part.output_tokens for part in parts]),
        "usd": _total([part.usd for part in parts]),
        "seconds": _total([part.seconds for part in mains]),
        "date": min(dates) if dates else None,
        "model": _joined(part.model for part in parts),
        "agent": _joined(part.agent for part in mains),
        "version": _joined(part.version for part in mains),
        "prompt": _joined(part.prompt for part in mains),
        "tools": _joined(part.tools for part in mains),
        "limits": _joined(part.limits for part in mains),
    }


def _agreed(values: Iterable[Any]) -> Any:
    """What those say that say something, if it is the same."""
    found = {value for value in values if value is not None}
    return found.pop() if len(found) == 1 else None


def _joined(values: Iterable[str]) -> str:
    """What they say, each once; nothing where one says nothing."""
    found = set(values)
    return "" if "" in found else ", ".join(sorted(found))


def _total(values: Sequence[float | None]) -> float | None:
    """The sum, where every part is known."""
    known = [value for value in values if value is not None]
    return float(sum(known)) if known and len(known) == len(values) else None


def _either(first: float | None, second: float | None) -> float | None:
    return second if first is None else first


def _digest(texts: Iterable[str]) -> str:
    """Of what the model was told: enough to see whether two are the same; empty where nothing is recorded."""
    found = list(texts)
    if not found:
        return ""
    return hashlib.sha256("\0".join(found).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _money(seen: Sequence[Seen]) -> dict[str, int]:
    """How many transcripts are priced by what."""
    words = ["recorded usage" if o.billed else "own sum" if o.usd is not None else "not reported" for o in seen]
    return {word: words.count(word) for word in dict.fromkeys(words)}


def _with_outcomes(runs: pd.DataFrame, table: pd.DataFrame) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """The runs with the outcomes of a table in place of their own, joined by task and, where it has them, arm and
    repetition. A row that belongs to no run is a problem that costs it."""
    keys = [key for key in ("arm", "task", "repetition") if key in table]
    values = [name for name in ("passed", "score", "reason") if name in table]
    twice = table[table.duplicated(keys)]
    if len(twice):
        raise HarnessError(
            f"--outcomes: {', '.join(map(str, twice[keys].iloc[0]))} stands in it twice; by {keys} it is one run"
        )
    merged = runs.drop(columns=values).merge(table, on=keys, how="left")
    for name in values:
        merged[name] = merged[name].where(merged[name].notna(), runs[name])
    known = set(map(tuple, runs[keys].to_numpy()))
    strange = [row for row in map(tuple, table[keys].to_numpy()) if row not in known]
    problems = [
        {"place": f"--outcomes: {', '.join(map(str, row))}", "reason": "no recording of this run", "lost": 1}
        for row in strange[:20]
    ]
    if len(strange) > len(problems):
        more = len(strange) - len(problems)
        problems.append({"place": "--outcomes", "reason": f"no recording of {more} more runs", "lost": more})
    return merged, problems
