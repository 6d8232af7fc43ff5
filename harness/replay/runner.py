"""The work of a replay: every transcript of a corpus under every policy, by one process or several."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from harness.children import end_with_parent
from harness.errors import HarnessError
from harness.formats.corpus import Intake
from harness.formats.identity.copies import Copies
from harness.formats.identity.index import index_of
from harness.replay.controls import controls
from harness.replay.settings import ReplaySettings
from harness.replay.shards import Piece, Shard, plan, replay_pieces, replay_shard, source_state, trace_shard
from harness.runs.kind import Going, Record


def work(settings: ReplaySettings, going: Going) -> Iterator[Record | bytes]:
    """The records of what is not replayed yet."""
    jobs = going.how.jobs or os.cpu_count() or 1
    done_pieces, done_transcripts, states = _finished(going.records())
    intake = Intake()
    shards = list(plan([Path(p) for p in settings.paths], intake, jobs))
    total = sum(s.size for s in shards)
    going.progress(0, total)
    for shard in shards:
        for piece in shard.pieces:
            _check_unchanged(piece, states)
    with _workers(min(jobs, len(shards))) as pool:
        copies = _find_copies(settings, shards, pool)
        for shard in shards:
            shard.pieces = [p for p in shard.pieces if p.key not in done_pieces]
        done = sum(s.size for s in shards if not s.pieces)
        open_shards = [s for s in shards if s.pieces]
        for lines, size in _work(settings, open_shards, done_transcripts, pool, jobs):
            yield from lines
            done += size
            going.progress(done, total)
    found = {"problems": [asdict(p) for p in intake.problems], "copies": [asdict(p) for p in copies.pairs]}
    yield {"kind": "corpus", "ends": dict(sorted(copies.ends.items()))} | found
    yield {"kind": "controls"} | controls(settings, going.directory, copies)


def _check_unchanged(piece: Piece, states: dict[str, list[int]]) -> None:
    state = states.get(piece.source.name)
    if state is not None and state != source_state(piece.source):
        raise HarnessError(f"{piece.source.name}: changed since this run read it; start a new run")


def _finished(records: Iterable[Record]) -> tuple[set[str], frozenset[str], dict[str, list[int]]]:
    """The pieces and transcripts that are done, and the state of every source that was read, even in part."""
    pieces: set[str] = set()
    transcripts: set[str] = set()
    states: dict[str, list[int]] = {}
    for record in records:
        if record["kind"] in ("source", "transcript"):
            states[record["source"]] = record["state"]
        if record["kind"] == "source":
            pieces.add(record["piece"])
        elif record["kind"] == "transcript":
            transcripts.add(record["transcript"])
    return pieces, frozenset(transcripts), states


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor | None]:
    """So many processes; none where this one does the work."""
    if count < 2:
        yield None
        return
    context, ours = get_context("spawn"), (os.getpid(),)
    with ProcessPoolExecutor(count, context, initializer=end_with_parent, initargs=ours) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _find_copies(settings: ReplaySettings, shards: list[Shard], pool: ProcessPoolExecutor | None) -> Copies:
    """Which requests of the corpus are counted elsewhere; every piece gets what concerns it."""
    work = partial(trace_shard, settings)
    found = list(pool.map(work, shards) if pool else map(work, shards))
    everything = (trace for shard in found for piece in shard for trace in piece)
    copies = index_of(everything).copies(settings.keep_same_work)
    ids: dict[str, list[str]] = {}
    for shard, of_shard in zip(shards, found, strict=True):
        for piece, of_piece in zip(shard.pieces, of_shard, strict=True):
            ids.setdefault(piece.source.name, []).extend(trace.id for trace in of_piece)
    for shard in shards:
        shard.pieces = [replace(p, copies=copies.of(ids[p.source.name])) for p in shard.pieces]
    return copies


def _work(
    settings: ReplaySettings, shards: list[Shard], done: frozenset[str], pool: ProcessPoolExecutor | None, jobs: int
) -> Iterator[tuple[list[bytes], int]]:
    if pool is None:
        for shard in shards:
            for line in replay_pieces(settings, shard, done):
                yield [line], 0
            yield [], shard.size
        return
    waiting: dict[Future[list[bytes]], int] = {}
    for shard in sorted(shards, key=lambda s: -s.size):
        waiting[pool.submit(replay_shard, settings, shard, done)] = shard.size
        if len(waiting) > 2 * jobs:
            yield from _collect(waiting)
    while waiting:
        yield from _collect(waiting)


def _collect(waiting: dict[Future[list[bytes]], int]) -> Iterator[tuple[list[bytes], int]]:
    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        yield future.result(), waiting.pop(future)
