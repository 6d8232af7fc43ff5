"""The re-drive of a corpus: every engine on every request under every policy, recorded as it is done; then the table.

from harness.redrive.runner import redrive
from harness.redrive.settings import RedriveSettings
redrive(RedriveSettings(("my-sessions",), ("tiny",), ("car",)), Path("results"))
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import orjson

from harness.bench.outcome import Outcome
from harness.bench.session import Handle
from harness.engines.process import EngineProcess
from harness.engines.raw import pack
from harness.engines.spec import EngineSpec
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.redrive.ask import started, turn_name
from harness.redrive.finish import finish
from harness.redrive.request import Driving, TranscriptDrive
from harness.redrive.settings import RedriveSettings
from harness.runs.directory import new_run
from harness.runs.journal import Journal, read_journal
from harness.tokens.counter import open_counter
from harness.transcript import Transcript

Progress = Callable[[int], None]
"""Called with requests done, each counted once an engine."""
Open = Callable[[EngineSpec, RedriveSettings], Handle]


def _quiet(done: int) -> None:
    pass


def open_process(spec: EngineSpec, settings: RedriveSettings) -> Handle:
    """The engine in a process of its own."""
    return EngineProcess(spec, settings.turn_seconds)


def redrive(
    settings: RedriveSettings,
    results: Path,
    progress: Progress = _quiet,
    record: Path | None = None,
    open_engine: Open = open_process,
    clock: Callable[[], float] = time.time,
) -> Path:
    """Re-drive into a new run directory and return it. Whatever interrupts it, the run can be resumed.

    record: a file to which every envelope is added, for the engine `recorded`. It quotes the recordings, so it is no
    part of the run.
    """
    settings.make_engines()
    settings.make_policies()
    settings.profile()
    header = {"command": "redrive", "settings": settings.to_record(), "started": clock(), "cwd": str(Path.cwd())}
    with new_run(results, header) as journal:
        return _carry_out(settings, journal, progress, record, open_engine, clock)


def resume(
    directory: Path,
    progress: Progress = _quiet,
    record: Path | None = None,
    open_engine: Open = open_process,
    clock: Callable[[], float] = time.time,
) -> Path:
    """Go on with an unfinished run; a finished one is returned as it is."""
    if (directory / "manifest.json").exists():
        return directory
    with Journal.reopen(directory) as journal:
        _, header = next(read_journal(directory), (0, {}))
        if header.get("command") != "redrive":
            raise HarnessError(f"{directory}: the journal has no header of a re-drive; start a new run")
        settings = RedriveSettings.from_record(header["settings"])
        if header["cwd"] != str(Path.cwd()) and not all(Path(p).is_absolute() for p in settings.paths):
            raise HarnessError(f"{directory}: its recordings were named from {header['cwd']}: go on with it from there")
        return _carry_out(settings, journal, progress, record, open_engine, clock)


@dataclass
class Done:
    """What a journal holds already. requests: by engine and transcript. digests: of the transcripts that were read."""

    requests: dict[tuple[str, str], set[int]]
    digests: dict[str, str]

    @classmethod
    def read(cls, directory: Path) -> Done:
        done = cls(defaultdict(set), {})
        for _, record in read_journal(directory):
            if record["kind"] == "transcript":
                done.digests[record["transcript"]] = record["digest"]
            elif record["kind"] == "request":
                done.requests[record["engine"], record["transcript"]].add(record["request"])
        return done

    def count(self) -> int:
        return sum(map(len, self.requests.values()))


def _carry_out(
    settings: RedriveSettings,
    journal: Journal,
    progress: Progress,
    record: Path | None,
    open_engine: Open,
    clock: Callable[[], float],
) -> Path:
    directory = journal.path.parent
    done = Done.read(directory)
    profile = settings.profile()
    number = done.count()
    progress(number)
    with open_counter(profile.encoding) as counter, _recorder(record) as recorder:
        driving = Driving(settings, settings.make_policies(), counter, profile)
        for spec in settings.make_engines():
            with started(open_engine(spec, settings), settings.window, settings.max_tokens) as asked:
                journal.append(
                    {
                        "kind": "start",
                        "engine": spec.label,
                        "identity": asked.identity,
                        "window": asked.window,
                        "window_from": asked.told,
                    }
                )
                intake = Intake()
                for transcript in _read(settings, intake, done, journal):
                    drive = TranscriptDrive(transcript, driving)
                    known = done.requests[spec.label, transcript.id]
                    place = {"engine": spec.label, "transcript": transcript.id}
                    for request, rows in drive.drive(spec.label, asked, known, recorder.keep):
                        journal.append({"kind": "request"} | place | {"request": request, "rows": rows})
                        number += 1
                        progress(number)
        journal.append(
            {"kind": "corpus", "problems": [asdict(p) for p in intake.problems], "skipped": [*intake.skipped]}
        )
    finish(directory, settings, clock())
    return directory


def _read(settings: RedriveSettings, intake: Intake, done: Done, journal: Journal) -> Iterator[Transcript]:
    """The transcripts, each entered into the journal when it is first read. Raises `HarnessError` if one is not what it
    was, or none is there."""
    seen: set[str] = set()
    read = read_transcripts([Path(p) for p in settings.paths], intake, settings.format)
    for transcript in islice(read, settings.first or None):
        if transcript.id in seen:
            raise HarnessError(f"two transcripts are called {transcript.id!r}: re-drive their folders one by one")
        seen.add(transcript.id)
        digest = transcript.digest()
        if transcript.id not in done.digests:
            done.digests[transcript.id] = digest
            journal.append({"kind": "transcript", "transcript": transcript.id, "digest": digest})
        elif done.digests[transcript.id] != digest:
            raise HarnessError(f"{transcript.id}: changed since this run read it; start a new run")
        yield transcript
    if not seen:
        why = "; ".join([*(f"{name}: {w}" for name, w in intake.skipped), *(p.reason for p in intake.problems)])
        raise HarnessError(f"no recording to re-drive in {', '.join(settings.paths)} ({why or 'nothing there'})")


class Recorder:
    """Adds envelopes to a file, as the engine `recorded` reads them; without a file, nowhere."""

    def __init__(self, stream: BinaryIO | None) -> None:
        self._stream = stream

    def keep(self, name: str, outcome: Outcome) -> None:
        if self._stream is None or outcome.answer is None or not isinstance(pack(outcome.envelope), str):
            return
        answer = outcome.answer
        times = {key: getattr(answer, key) for key in ("seconds", "first_seconds", "prompt_tokens", "output_tokens")}
        line = {"id": turn_name(name), "envelope": pack(outcome.envelope)} | times
        self._stream.write(orjson.dumps(line) + b"\n")
        self._stream.flush()


@contextmanager
def _recorder(path: Path | None) -> Iterator[Recorder]:
    if path is None:
        yield Recorder(None)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        yield Recorder(stream)
