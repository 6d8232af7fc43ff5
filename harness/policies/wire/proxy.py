"""A proxy as a child: started with a port and an upstream, asked request by request, ended with all that it started."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from harness.children import end_marked, marked
from harness.engines.turn import EngineFailure, FailureKind
from harness.engines.usage import usage
from harness.errors import HarnessError

LAST_WORDS: Final = 2000
ENDS_WITH_US: Final = (  # PR_SET_PDEATHSIG, where the system has it: a harness that is killed leaves no proxy behind
    "import ctypes, os, sys\n"
    "if sys.platform == 'linux': ctypes.CDLL(None).prctl(1, 9)\n"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
LONGEST: Final = 256 << 20
HEADERS: Final = {
    "Content-Type": "application/json",
    "Authorization": "Bearer sk-recorded",
    "x-api-key": "sk-recorded",
    "anthropic-version": "2023-06-01",
}


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: bytes


class Proxy:
    """A running proxy, in a folder of its own that is also its home, so that no session sees another's files.

    words, environment: with `{port}` and `{upstream}` in them. Secrets of the caller's environment are not handed on.
    """

    def __init__(self, words: Sequence[str], environment: Sequence[str], upstream: int, start_seconds: float) -> None:
        program = shutil.which(words[0])
        if program is None:
            raise HarnessError(f"{words[0]}: there is no such program; give the command that starts the proxy")
        self.port = _free_port()
        known = {"{port}": str(self.port), "{upstream}": f"http://127.0.0.1:{upstream}"}
        self._folder = tempfile.TemporaryDirectory(prefix="harness-wire-", ignore_cleanup_errors=True)
        self._said = open(Path(self._folder.name) / ".said", "w+b")  # noqa: SIM115  closed in close()
        files = (os.path.abspath(word) if "/" in word and os.path.isfile(word) else word for word in words[1:])
        self._words = [os.path.abspath(program), *(_filled(word, known) for word in files)]
        own = _environment(self._folder.name, [_filled(each, known) for each in environment])
        self._mark, marked_environment = marked(own)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", ENDS_WITH_US, *self._words],
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            cwd=self._folder.name,
            env=marked_environment,
            process_group=0,
        )
        try:
            self._wait(start_seconds)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def post(self, path: str, body: bytes, seconds: float) -> Reply:
        """What it answers. Raises `EngineFailure` where it does not."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("POST", path, body, HEADERS)
            answer = connection.getresponse()
            data = answer.read(LONGEST)
            return Reply(answer.status, data)
        except TimeoutError as error:
            raise EngineFailure("timeout", f"no whole answer within {seconds:g} s") from error
        except (OSError, http.client.HTTPException) as error:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)
            kind: FailureKind = "half line" if self.running else "crash"
            raise EngineFailure(kind, f"{type(error).__name__}: {self.last_words()}") from error
        finally:
            connection.close()

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def memory(self) -> int | None:
        found = usage(self._process.pid)
        return found.peak_bytes if found else None

    def last_words(self) -> str:
        self._said.flush()
        end = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, end - LAST_WORDS))
        return self._said.read().decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End it and everything that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        end_marked(self._mark)
        self._tidy()

    def _tidy(self) -> None:
        self._said.close()
        self._folder.cleanup()

    def _wait(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not self.running:
                raise HarnessError(
                    f"{self._words[0]} ended before it listened: {self.last_words() or 'it said nothing'}"
                )
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise HarnessError(
            f"{self._words[0]} does not listen on port {self.port} after {seconds:g} s: write {{port}} where the "
            f"command takes its port, or give it more start_seconds; it said: {self.last_words() or 'nothing'}"
        )


def _filled(text: str, known: Mapping[str, str]) -> str:
    for name, value in known.items():
        text = text.replace(name, value)
    return text


def _environment(home: str, given: Sequence[str]) -> dict[str, str]:
    secret = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PROXY", "proxy")
    kept = {name: value for name, value in os.environ.items() if not name.endswith(secret)}
    pairs = [each.partition("=") for each in given]
    return kept | {"HOME": home, "PYTHONUTF8": "1", "NO_PROXY": "*"} | {name: value for name, _, value in pairs}


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def request_bytes(body: Mapping[str, Any]) -> bytes:
    """JSON; a lone surrogate as an escape."""
    return json.dumps(body).encode()
