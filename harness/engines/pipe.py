"""A child process that answers one line per line, however badly it behaves.

Every way in which it can fail is an `EngineFailure` with what it had written until then: it ends (crash), says
nothing (timeout), says too much (flood), stops in mid-line (half line), speaks without being asked (unasked). Its
standard error is read too, so that it never blocks on it, and its last words are kept.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from harness.children import end_marked, marked
from harness.engines.turn import EngineFailure
from harness.errors import HarnessError

CHUNK: Final = 1 << 16
LAST_WORDS: Final = 2000
GRACE_SECONDS: Final = 1.0


class LinePipe:
    """A running child.

    limit: bytes of the longest line that it may answer. group: 0 for a process group of its own, which is stopped and
    ended with everything that the child starts; None where the child belongs to the caller's group and ends with it.
    """

    def __init__(
        self,
        command: Sequence[str],
        limit: int,
        group: Literal[0] | None = 0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._mark, known = marked(environment)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=known,
                process_group=group,
            )
        except OSError as error:
            raise HarnessError(f"{command[0]}: cannot be started ({error.strerror}); give a program") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        self._err = self._process.stderr.fileno()
        self._limit = limit
        self._group = group
        self._gone = False
        self._received = bytearray()
        self._last_words = bytearray()
        self._selector = selectors.DefaultSelector()
        for place in (self._in, self._out, self._err):
            os.set_blocking(place, False)
        for place in (self._out, self._err):
            self._selector.register(place, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, line: bytes, seconds: float | None = None) -> bytes:
        """Send a line (without its end) and return the line that answers it. After a failure the child is gone."""
        try:
            self._refuse_unasked()
            return self._exchange(line + b"\n", seconds)
        except BaseException:
            self.kill()
            raise

    def send_signal(self, number: signal.Signals) -> None:
        """To its whole process group, where it has its own; nothing happens if it is gone."""
        with contextlib.suppress(ProcessLookupError):
            if self._group == 0:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def close(self) -> None:
        """Close its input, give it a moment to end by itself, then end it."""
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the child and everything that it started."""
        if self._gone:
            return
        self._gone = True
        self.send_signal(signal.SIGKILL)
        self._process.wait()
        end_marked(self._mark)
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _exchange(self, request: bytes, seconds: float | None) -> bytes:
        deadline = None if seconds is None else time.monotonic() + seconds
        unsent = self._send(memoryview(request))
        if unsent:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        searched = 0
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise self._failure("timeout", f"no whole answer within {seconds:g} s")
            for key, _ in self._selector.select(left):
                if key.fd == self._err:
                    self._read_last_words()
                elif key.fd == self._in:
                    unsent = self._send(unsent)
                    if not unsent:
                        self._selector.unregister(self._in)
                else:
                    self._read_answer()
            end = self._received.find(b"\n", searched)
            if end >= 0 and not unsent:
                if end > self._limit:
                    raise self._failure("flood", f"a line of more than {self._limit:,} bytes")
                answer = bytes(self._received[:end])
                del self._received[: end + 1]
                self._refuse_more()
                return answer
            searched = len(self._received) if end < 0 else end
            if end < 0 and len(self._received) > self._limit:
                raise self._failure("flood", f"a line of more than {self._limit:,} bytes")

    def _send(self, data: memoryview) -> memoryview:
        """What is left to send. A child that no longer listens gets nothing more: its answer, or its end, will tell."""
        try:
            return data[os.write(self._in, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return data[:0]

    def _read_answer(self) -> None:
        data = os.read(self._out, CHUNK)
        if not data:
            raise self._ended()
        self._received += data

    def _read_last_words(self) -> None:
        data = os.read(self._err, CHUNK)
        if not data:
            self._selector.unregister(self._err)
        self._last_words = (self._last_words + data)[-LAST_WORDS:]

    def _refuse_unasked(self) -> None:
        for key, _ in self._selector.select(0):
            if key.fd == self._err:
                self._read_last_words()
            else:
                self._read_answer()
        self._refuse_more()

    def _refuse_more(self) -> None:
        if self._received:
            raise self._failure("unasked", "more output than one line a question")

    def _ended(self) -> EngineFailure:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        with contextlib.suppress(BlockingIOError):
            self._last_words = (self._last_words + os.read(self._err, CHUNK))[-LAST_WORDS:]
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was ended by {signal.Signals(-code).name}"
        said = self._last_words.decode("utf-8", "replace").strip()
        return self._failure("half line" if self._received else "crash", f"{how}: {said}" if said else how)

    def _failure(self, kind: str, detail: str) -> EngineFailure:
        return EngineFailure(kind, detail, bytes(self._received[: self._limit]))  # type: ignore[arg-type]
