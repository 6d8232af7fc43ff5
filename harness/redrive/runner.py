"""The work of a re-drive: every engine on every request of a corpus under every policy, recorded as it is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
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
from harness.live.handle import PaidEngine
from harness.live.spend import OutOfBudget, Spend, is_remote
from harness.live.turns import Turns
from harness.redrive.ask import started, turn_name
from harness.redrive.request import Driving, TranscriptDrive
from harness.redrive.settings import RedriveSettings
from harness.runs.kind import Going, Record
from harness.tokens.counter import open_counter
from harness.transcript import Transcript

Open = Callable[[EngineSpec, RedriveSettings], Handle]


def open_process(spec: EngineSpec, settings: RedriveSettings) -> Handle:
    """The engine in a process of its own."""
    return EngineProcess(spec, settings.turn_seconds)


@dataclass
class Done:
    """What a journal holds already. requests: by engine and transcript. digests: of the transcripts that were read."""

    requests: dict[tuple[str, str], set[int]]
    digests: dict[str, str]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Done:
        done = cls(defaultdict(set), {})
        for record in records:
            if record["kind"] == "transcript":
                done.digests[record["transcript"]] = record["digest"]
            elif record["kind"] == "request":
                done.requests[record["engine"], record["transcript"]].add(record["request"])
        return done

    def count(self) -> int:
        return sum(map(len, self.requests.values()))


def work(settings: RedriveSettings, going: Going) -> Iterator[Record]:
    """The records of what is not asked yet, up to the budget. The world of `going`, where there is one, opens the
    engines."""
    done, how = Done.of(records := list(going.records())), going.how
    spend = Spend(how.max_usd or None, how.max_total_tokens or None)
    turns = Turns.going_on(records, spend, going.keep)
    number = done.count()
    going.progress(number, None)
    try:
        for record in _work(settings, going, done, turns):
            yield record
            if record["kind"] == "request":
                number += 1
                going.progress(number, None)
    except OutOfBudget:
        yield {"kind": "stopped", "why": "budget", "done": number, "of": "all requests"}


def _work(settings: RedriveSettings, going: Going, done: Done, turns: Turns) -> Iterator[Record]:
    open_engine: Open = going.world.open if going.world else open_process
    profile = settings.profile()
    with open_counter(profile.encoding) as counter, _recorder(going.how.record) as recorder:
        driving = Driving(settings, settings.make_policies(), counter, profile)
        for spec in settings.make_engines():
            handle = open_engine(spec, settings)
            if isinstance(handle, EngineProcess) and is_remote(spec):
                handle = PaidEngine(handle, spec, turns)
            with started(handle, settings.window, settings.max_tokens) as asked:
                yield {
                    "kind": "start",
                    "engine": spec.label,
                    "identity": asked.identity,
                    "window": asked.window,
                    "window_from": asked.told,
                }
                intake = Intake()
                for transcript in read(settings, intake, done):
                    if transcript.id not in done.digests:
                        done.digests[transcript.id] = digest = transcript.digest()
                        yield {"kind": "transcript", "transcript": transcript.id, "digest": digest}
                    drive = TranscriptDrive(transcript, driving)
                    known = done.requests[spec.label, transcript.id]
                    place = {"engine": spec.label, "transcript": transcript.id}
                    for request, rows in drive.drive(spec.label, asked, known, recorder.keep):
                        yield {"kind": "request"} | place | {"request": request, "rows": rows}
        yield {"kind": "corpus", "problems": [asdict(p) for p in intake.problems], "skipped": [*intake.skipped]}


def read(settings: RedriveSettings, intake: Intake, done: Done) -> Iterator[Transcript]:
    """The transcripts. Raises `HarnessError` if one is not what it was when it was first read, or none is there."""
    seen: set[str] = set()
    read = read_transcripts([Path(p) for p in settings.paths], intake, settings.format)
    for transcript in islice(read, settings.first or None):
        if transcript.id in seen:
            raise HarnessError(f"two transcripts are called {transcript.id!r}: re-drive their folders one by one")
        seen.add(transcript.id)
        if done.digests.get(transcript.id, digest := transcript.digest()) != digest:
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
def _recorder(name: str | None) -> Iterator[Recorder]:
    if name is None:
        yield Recorder(None)
        return
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as stream:
        yield Recorder(stream)
