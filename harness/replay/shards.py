"""The unit of work of a replay: some sources, or a stripe of one large source.

A worker reads its shard and returns finished journal lines. It imports no statistics and no plots.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson

from harness.formats.corpus import Intake, find_sources, read_source, traces
from harness.formats.identity.copies import NONE, Copies
from harness.formats.identity.trace import Trace
from harness.formats.source import Source
from harness.replay.kept import KeptRows
from harness.replay.measure import Measures, measure
from harness.replay.settings import ReplaySettings
from harness.runs.journal import packed
from harness.transcript import Transcript

SHARD_BYTES = 4 << 20
STRIPE_BYTES = 32 << 20


@dataclass(frozen=True)
class Piece:
    """A source, or every `of`-th of its transcripts from number `stripe` on. copies: which of its answers are counted
    elsewhere."""

    source: Source
    stripe: int = 0
    of: int = 1
    copies: Copies = NONE

    @property
    def key(self) -> str:
        return f"{self.source.name}|{self.stripe}/{self.of}"


@dataclass
class Shard:
    pieces: list[Piece] = field(default_factory=list)
    size: int = 0


def plan(paths: list[Path], intake: Intake, workers: int) -> Iterator[Shard]:
    """Cut a corpus into shards; a source over `STRIPE_BYTES` is cut into a stripe a worker."""
    shard = Shard()
    for source in find_sources(paths, intake):
        size = source_bytes(source)
        if size > STRIPE_BYTES and workers > 1:
            yield from (Shard([Piece(source, n, workers)], size // workers) for n in range(workers))
            continue
        shard.pieces.append(Piece(source))
        shard.size += size
        if shard.size >= SHARD_BYTES:
            yield shard
            shard = Shard()
    if shard.pieces:
        yield shard


def source_bytes(source: Source) -> int:
    """Size on disk; a directory's is that of the files in it."""
    if source.path.is_dir():
        return sum(p.stat().st_size for p in source.path.rglob("*") if p.is_file())
    return source.path.stat().st_size


def source_state(source: Source) -> list[int]:
    """What changes when somebody writes to a source: its size and the time of its last change."""
    return [source_bytes(source), source.path.stat().st_mtime_ns]


def trace_shard(settings: ReplaySettings, shard: Shard) -> list[list[Trace]]:
    """What the answers of each piece are known by; nothing for the further stripes of a source."""
    return [traces(p.source, settings.format) if p.stripe == 0 else [] for p in shard.pieces]


_prepared: tuple[ReplaySettings, Measures, KeptRows | None] | None = None


def prepared(settings: ReplaySettings) -> tuple[Measures, KeptRows | None]:
    """Policies and counter, made once a process, and the rows of earlier runs."""
    global _prepared
    if _prepared is None or _prepared[0] != settings:
        measures = settings.measures()
        _prepared = (settings, measures, KeptRows.open(measures))
    return _prepared[1:]


def replay_shard(settings: ReplaySettings, shard: Shard, done: frozenset[str]) -> list[bytes]:
    """The journal lines of a shard, without the transcripts that are `done`."""
    return list(replay_pieces(settings, shard, done))


def replay_pieces(settings: ReplaySettings, shard: Shard, done: frozenset[str]) -> Iterator[bytes]:
    """The same, as they are finished: a line a transcript, and one a piece with what could not be read."""
    measures, kept = prepared(settings)
    for piece in shard.pieces:
        intake = Intake()
        state = source_state(piece.source)
        read = 0
        transcripts = read_source(piece.source, intake, settings.format, piece.copies)
        for transcript in itertools.islice(transcripts, piece.stripe, None, piece.of):
            read += 1
            if transcript.id not in done:
                head = {"kind": "transcript", "source": piece.source.name, "state": state}
                yield packed(head, _rows(transcript, measures, kept))
        first = piece.stripe == 0
        yield orjson.dumps(
            {
                "kind": "source",
                "piece": piece.key,
                "source": piece.source.name,
                "state": state,
                "transcripts": read,
                "skipped": intake.skipped if first else [],
                "problems": [asdict(p) for p in intake.problems] if first else [],
            }
        )
    measures.counter.flush()


def _rows(transcript: Transcript, measures: Measures, kept: KeptRows | None) -> bytes:
    """The rows of a transcript as a JSON object, from an earlier run where they are known."""

    def made() -> bytes:
        return orjson.dumps(vars(measure(transcript, measures)), option=orjson.OPT_SERIALIZE_NUMPY)

    return kept.found_or_made(kept.transcript_key(transcript), made) if kept else made()
