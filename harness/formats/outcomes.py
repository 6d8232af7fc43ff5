"""How runs ended, where that stands in files beside their recordings: benchmarks judge after the run.

    report.json      SWE-bench, one instance: `{instance: {"resolved": true, ...}}`
    *.json           SWE-bench, a whole run: lists `resolved_ids`, `unresolved_ids`, `empty_patch_ids`, `error_ids`
    preds.json       predictions (mini-swe-agent): an instance whose patch is empty was not solved
    result.json      Harbor, one trial: `verifier_result.rewards`, `exception_info`, `agent_result`
    results.json     Terminal-Bench, one trial: `is_resolved`, `failure_mode`

Sources: SWE-bench 4.1.0 `harness/reporting.py`, `grading.py`; Harbor 0.26.0 `models/trial/result.py`; Terminal-Bench
0.2.18 `harness/models.py`. Only files in the recording's folder and the two above it are looked at; no transcript names
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record
from harness.formats.source import Source
from harness.transcript import Outcome, Totals, Transcript

ABOVE = 3
"""Folders: that of the recording and two above it."""
LARGEST = 64 << 20
MOST = 2000
"""JSON files of one folder that are looked at."""
REPORT_KEY = b'"resolved_ids"'
LISTS = {
    "resolved_ids": (True, "resolved"),
    "unresolved_ids": (False, "unresolved"),
    "empty_patch_ids": (False, "empty patch"),
    "error_ids": (False, "error in the evaluation"),
}
SOLVED = 1 - 1e-6
"""From this reward on a run has passed, as tau-bench, tau2-bench and Harbor's metrics have it."""


NOTHING = Totals()


@dataclass(frozen=True)
class Judged:
    """What a file says of one run."""

    outcome: Outcome
    totals: Totals = NOTHING
    task: str = ""
    repetition: str = ""
    agent: str = ""
    version: str = ""


def rewarded(reward: object, reason: str = "", limits: Mapping[str, object] | None = None) -> Outcome:
    """The outcome of a reward between 0 and 1."""
    score = amount(reward)
    return Outcome(None if score is None else score >= SOLVED, score, reason, limits_of(limits or {}))


def amount(value: object) -> float | None:
    """A number, whatever its type; nothing else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return None
    return float(value)


def spent(value: object) -> float | None:
    """A price: 0 is what tools write that know none."""
    found = amount(value)
    return found if found and found > 0 else None


def used(value: object) -> int | None:
    """A count of which 0 says that nobody counted."""
    found = amount(value)
    return int(found) if found and found > 0 else None


def limits_of(given: Mapping[str, object]) -> tuple[tuple[str, float], ...]:
    """The limits that were set; 0 and nothing are none."""
    return tuple((name, found) for name, value in given.items() if (found := spent(value)) is not None)


def forget() -> None:
    """Before another reading: the reports may have changed since the last."""
    _reported.cache_clear()


def joined(source: Source, transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """The transcripts of a source, with what files beside it say of how they ended."""
    for transcript in transcripts:
        found = None if source.opener is not None else _beside(source.path, transcript)
        yield transcript if found is None else _with(transcript, found)


def _with(transcript: Transcript, found: Judged) -> Transcript:
    """What the recording says itself stays."""
    own, totals = transcript.outcome, transcript.totals
    outcome = Outcome(
        found.outcome.passed if own.passed is None else own.passed,
        found.outcome.score if own.score is None else own.score,
        own.reason or found.outcome.reason,
        own.limits or found.outcome.limits,
    )
    return replace(
        transcript,
        outcome=outcome,
        totals=Totals(*(a if (a := getattr(totals, n)) is not None else getattr(found.totals, n) for n in _TOTALS)),
        task=transcript.task or found.task,
        repetition=transcript.repetition or found.repetition,
        agent=transcript.agent or found.agent,
        version=transcript.version or found.version,
    )


_TOTALS = ("requests", "input_tokens", "output_tokens", "usd", "seconds")


def _beside(path: Path, transcript: Transcript) -> Judged | None:
    folder = path.parent
    for _ in range(ABOVE):
        trial = _trial(folder)
        if trial is not None:
            return trial
        if transcript.task and (judged := _reported(folder).get(transcript.task)):
            return judged
        folder = folder.parent
    return None


def _trial(folder: Path) -> Judged | None:
    """What is said of the one run that was made in a folder."""
    for name, read in (("result.json", _harbor), ("results.json", _terminal_bench)):
        value = _value(folder / name)
        if isinstance(value, dict) and (found := read(Record(value, name, lambda _: None))):
            return found
    return None


def _harbor(trial: Record) -> Judged | None:
    if not {"task_name", "trial_name"} <= trial.value.keys():
        return None
    rewards = trial.record("verifier_result").record("rewards").value
    reward = rewards.get("reward", next(iter(rewards.values()), None) if len(rewards) == 1 else None)
    failed = trial.record("exception_info").string("exception_type")
    used_by = trial.record("agent_result")
    info = trial.record("agent_info")
    execution = trial.record("agent_execution")
    started, ended = execution.time("started_at"), execution.time("finished_at")
    return Judged(
        rewarded(reward, failed),
        Totals(
            None,
            used(used_by.raw("n_input_tokens")),
            used(used_by.raw("n_output_tokens")),
            spent(used_by.raw("cost_usd")),
            None if started is None or ended is None else ended - started,
        ),
        trial.string("task_name"),
        trial.string("trial_name"),
        info.string("name"),
        info.string("version"),
    )


def _terminal_bench(trial: Record) -> Judged | None:
    if not {"task_id", "is_resolved", "trial_name"} <= trial.value.keys():
        return None
    mode = trial.string("failure_mode")
    return Judged(
        Outcome(trial.boolean("is_resolved"), None, "" if mode in ("unset", "none") else mode),
        Totals(None, used(trial.raw("total_input_tokens")), used(trial.raw("total_output_tokens"))),
        trial.string("task_id"),
        trial.string("trial_name"),
    )


@lru_cache(maxsize=256)
def _reported(folder: Path) -> dict[str, Judged]:
    """By instance, what reports in a folder say: of one instance, of a run, and which predictions are empty."""
    found: dict[str, Judged] = {}
    predictions = _value(folder / "preds.json")
    for instance, value in predictions.items() if isinstance(predictions, dict) else ():
        if isinstance(value, dict) and "model_patch" in value and not value["model_patch"]:
            found[instance] = Judged(Outcome(False, None, "empty patch"))
    for file in _reports(folder):
        value = _value(file)
        for key, (passed, reason) in LISTS.items():
            names = value.get(key) if isinstance(value, dict) else None
            for instance in names if isinstance(names, list) else ():
                if isinstance(instance, str):
                    found[instance] = Judged(Outcome(passed, None, reason))
    own = _value(folder / "report.json")
    for instance, value in own.items() if isinstance(own, dict) else ():
        if isinstance(value, dict) and isinstance(value.get("resolved"), bool):
            found[instance] = Judged(
                Outcome(value["resolved"], None, "resolved" if value["resolved"] else "unresolved")
            )
    return found


def _reports(folder: Path) -> Iterator[Path]:
    """The reports of whole runs in a folder."""
    try:
        files = sorted(file for file in folder.glob("*.json") if file.is_file() and not file.is_symlink())[:MOST]
        for file in files:
            with file.open("rb") as stream:
                head = stream.read(4096)
            if b'"total_instances"' in head or REPORT_KEY in head:
                yield file
    except OSError:
        return  # a folder above the recording that may not be listed


def _value(file: Path) -> Any:
    """A JSON file; nothing where none is or none can be read: a recording's outcome is then not reported."""
    try:
        if not file.is_file() or file.is_symlink() or file.stat().st_size > LARGEST:
            return None
        return parse(file.read_bytes())
    except (OSError, Unreadable):
        return None
