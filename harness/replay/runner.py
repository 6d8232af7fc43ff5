"""The replay of a corpus: read, replay, record, finish.

from harness.api import replay
run = replay(["my-sessions"], policies=["head:bytes=2000", "car"])
run.transcripts.groupby("policy").input_tokens.sum()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from harness.errors import HarnessError
from harness.formats.corpus import Intake
from harness.formats.source import check_paths
from harness.replay.controls import controls
from harness.replay.settings import ReplaySettings
from harness.replay.shards import Piece, Shard, plan, replay_pieces, replay_shard, source_state
from harness.runs.directory import new_run
from harness.runs.journal import Journal, read_journal

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all, whenever that changes."""


def _quiet(done: int, total: int) -> None:
    pass


def start(settings: ReplaySettings, results: Path, now: float) -> Journal:
    """A new run directory `<UTC>-<short hash of the settings>`."""
    settings.measures()
    check_paths(map(Path, settings.paths))
    header = {"command": "replay", "settings": settings.to_record(), "started": now, "cwd": str(Path.cwd())}
    return new_run(results, header)


def replay(
    settings: ReplaySettings,
    results: Path,
    jobs: int = 1,
    progress: Progress = _quiet,
    clock: Callable[[], float] = time.time,
) -> Path:
    """Replay a corpus into a new run directory and return it. Whatever interrupts it, the run can be resumed."""
    with start(settings, results, clock()) as journal:
        return _carry_out(settings, journal, jobs, progress, clock)


def resume(directory: Path, jobs: int = 1, progress: Progress = _quiet, clock: Callable[[], float] = time.time) -> Path:
    """Go on with an unfinished run; a finished one is returned as it is."""
    if (directory / "manifest.json").exists():
        return directory
    with Journal.reopen(directory) as journal:
        records = read_journal(directory)
        first = next(records, None)
        if first is None or first[1].get("command") != "replay":
            raise HarnessError(f"{directory}: the journal has no header of a replay; start a new run")
        settings = ReplaySettings.from_record(first[1]["settings"])
        began = first[1]["cwd"]
        if began != str(Path.cwd()) and not all(Path(p).is_absolute() for p in settings.paths):
            raise HarnessError(f"{directory}: its recordings were named from {began}: go on with it from there")
        return _carry_out(settings, journal, jobs, progress, clock)


def _carry_out(
    settings: ReplaySettings, journal: Journal, jobs: int, progress: Progress, clock: Callable[[], float]
) -> Path:
    from harness.replay.finish import finish

    directory = journal.path.parent
    done_pieces, done_transcripts, states = _finished(directory)
    intake = Intake()
    shards = list(plan([Path(p) for p in settings.paths], intake, jobs))
    total = sum(s.size for s in shards)
    progress(0, total)
    for shard in shards:
        for piece in shard.pieces:
            _check_unchanged(piece, states)
        shard.pieces = [p for p in shard.pieces if p.key not in done_pieces]
    done = sum(s.size for s in shards if not s.pieces)
    open_shards = [s for s in shards if s.pieces]
    for lines, size in _work(settings, open_shards, done_transcripts, jobs):
        for line in lines:
            journal.append_line(line)
        done += size
        progress(done, total)
    journal.append({"kind": "corpus", "problems": [asdict(p) for p in intake.problems]})
    journal.append({"kind": "controls"} | controls(settings, directory))
    finish(directory, settings, clock())
    return directory


def _check_unchanged(piece: Piece, states: dict[str, list[int]]) -> None:
    state = states.get(piece.source.name)
    if state is not None and state != source_state(piece.source):
        raise HarnessError(f"{piece.source.name}: changed since this run read it; start a new run")


def _finished(directory: Path) -> tuple[set[str], frozenset[str], dict[str, list[int]]]:
    """The pieces and transcripts that are done, and the state of every source that was read, even in part."""
    pieces: set[str] = set()
    transcripts: set[str] = set()
    states: dict[str, list[int]] = {}
    for _, record in read_journal(directory):
        if record["kind"] in ("source", "transcript"):
            states[record["source"]] = record["state"]
        if record["kind"] == "source":
            pieces.add(record["piece"])
        elif record["kind"] == "transcript":
            transcripts.add(record["transcript"])
    return pieces, frozenset(transcripts), states


def _work(
    settings: ReplaySettings, shards: list[Shard], done: frozenset[str], jobs: int
) -> Iterator[tuple[list[bytes], int]]:
    if jobs == 1 or len(shards) < 2:
        for shard in shards:
            for line in replay_pieces(settings, shard, done):
                yield [line], 0
            yield [], shard.size
        return
    with ProcessPoolExecutor(min(jobs, len(shards)), mp_context=get_context("spawn")) as pool:
        waiting: dict[Future[list[bytes]], int] = {}
        rest = iter(sorted(shards, key=lambda s: -s.size))
        try:
            for shard in rest:
                waiting[pool.submit(replay_shard, settings, shard, done)] = shard.size
                if len(waiting) > 2 * jobs:
                    yield from _collect(waiting)
            while waiting:
                yield from _collect(waiting)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _collect(waiting: dict[Future[list[bytes]], int]) -> Iterator[tuple[list[bytes], int]]:
    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        yield future.result(), waiting.pop(future)
