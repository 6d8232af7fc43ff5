"""A filter as a policy: any program that makes a shorter text of a tool's result.

    command:run="./my-filter --quiet"             a JSON line in, a JSON line out, in one process for all results
    command:run="head -c 2000",mode=plain         the result on standard input, the text on standard output

A line in: {"tool", "arguments", "result"}, all texts. A line out: {"text"}, and, where it can say how the whole can be
had again, {"reach", "handle"}; {"error": "why"} is a refusal.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.util import Finalize
from typing import Any, Final, Literal

import orjson

from harness.children import end_marked, marked
from harness.engines.command_line import hashes_of, words_of
from harness.engines.pipe import LinePipe
from harness.engines.turn import EngineFailure
from harness.engines.usage import usage
from harness.errors import HarnessError
from harness.policies.family import Arrival
from harness.policies.program import Answered, Filter, Filtering, Refused, answered

LONGEST: Final = 64 << 20
"""Bytes of the longest answer."""


@dataclass(frozen=True, kw_only=True)
class Command(Filtering):
    """What a program makes of each result: `run` is its command line, split as a shell splits it, without a shell.

    mode: `json` for a line in and a line out, `plain` for the result on standard input and the text on standard output,
    a process a result. seconds: how long an answer may take. build: what to call its version.
    """

    run: str = ""
    mode: Literal["json", "plain"] = "json"
    seconds: float = 30
    build: str = ""

    def open(self) -> Filter:
        words = tuple(words_of(self.run))
        return Lines(words, self.seconds) if self.mode == "json" else Plain(words, self.seconds)

    def shared(self) -> Filter:
        return _shared(self)

    def ran(self) -> Mapping[str, Any]:
        return {"run": self.run, "build": self.build, "hashes": hashes_of(words_of(self.run))}


class Lines:
    """A program that answers a JSON line per line. After a failure it is started anew for the next."""

    def __init__(self, words: tuple[str, ...], seconds: float) -> None:
        self._words = words
        self._seconds = seconds
        self._pipe: LinePipe | None = LinePipe(words, LONGEST)
        _running.add(self)
        weakref.finalize(self, self._pipe.kill)

    def ask(self, arrival: Arrival) -> Answered:
        question = {"tool": arrival.tool, "arguments": arrival.call.arguments if arrival.call else ""}
        if self._pipe is None:
            self._pipe = LinePipe(self._words, LONGEST)
            weakref.finalize(self, self._pipe.kill)
        try:
            line = self._pipe.ask(_dumped(question | {"result": arrival.value}), self._seconds)
        except EngineFailure:
            self._pipe = None
            raise
        try:
            return answered(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            raise Refused("broken") from error

    def memory(self) -> int | None:
        found = usage(self._pipe.pid) if self._pipe is not None else None
        return found.peak_bytes if found else None

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


class Plain:
    """A program that is started for every result."""

    def __init__(self, words: tuple[str, ...], seconds: float) -> None:
        self._words = words
        self._seconds = seconds
        self._mark, self._environment = marked()

    def ask(self, arrival: Arrival) -> Answered:
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                process_group=0,
            )
        except OSError as error:
            raise HarnessError(f"{self._words[0]}: cannot be started ({error.strerror}); give a program") from error
        try:
            out, _ = process.communicate(arrival.value.encode("utf-8", "surrogatepass"), self._seconds)
        except subprocess.TimeoutExpired as error:
            raise EngineFailure("timeout", f"no whole answer within {self._seconds:g} s") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
        if process.returncode < 0:
            raise EngineFailure("crash", f"was ended by {signal.Signals(-process.returncode).name}")
        if process.returncode:
            raise Refused("refused")
        if len(out) > LONGEST:
            raise EngineFailure("flood", f"more than {LONGEST:,} bytes")
        try:
            return Answered(out.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError as error:
            raise Refused("broken") from error

    def memory(self) -> int | None:
        return None

    def close(self) -> None:
        end_marked(self._mark)


_running: weakref.WeakSet[Lines] = weakref.WeakSet()


def _end_all() -> None:
    for program in list(_running):
        program.close()


# Also where a worker of multiprocessing ends, which leaves without looking at what else there is to finish.
Finalize(None, _end_all, exitpriority=10)


@lru_cache(maxsize=64)
def _shared(policy: Command) -> Filter:
    return policy.open()


def _dumped(question: Mapping[str, str]) -> bytes:
    try:
        return orjson.dumps(question)
    except TypeError:  # lone surrogates
        repaired = {key: value.encode("utf-8", "replace").decode() for key, value in question.items()}
        return orjson.dumps(repaired)
