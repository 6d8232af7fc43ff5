"""No process that the harness started outlives it: also not after `kill -9`, and not in a session of its own.

Every child gets a mark in its environment, which what it starts inherits. On Linux a watcher, one for each process that
starts children, waits for that process to end and then ends all that bear its mark. Elsewhere a child's process group
is ended with it, and a killed harness may leave children behind. A program that leaves its session *and* clears its
environment is out of reach.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Final

MARK: Final = "HARNESS_CHILD_OF"
PR_SET_PDEATHSIG: Final = 1
ROUNDS, PAUSE_SECONDS = 100, 0.01

WATCH: Final = """
import os, select, signal, sys, time
waited, mark = int(sys.argv[1]), sys.argv[2].encode()
try:
    end = select.poll()
    end.register(os.pidfd_open(waited), select.POLLIN)
    end.poll()
except ProcessLookupError:
    pass
quiet = 0
while quiet < 3:
    quiet += 1
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/" + pid + "/environ", "rb") as environ:
                if mark in environ.read():
                    os.kill(int(pid), signal.SIGKILL)
                    quiet = 0
        except OSError:
            pass
    time.sleep(0.01)
"""

_numbers = count(1)
_ours: dict[int, str] = {}
"""By process, so that a forked one does not share its parent's: the mark of all its children."""


def marked(environment: Mapping[str, str] | None = None) -> tuple[str, dict[str, str]]:
    """A mark for one child, and the environment to start it in."""
    mark = f"{_own()}-{next(_numbers)};"
    known = dict(os.environ if environment is None else environment)
    return mark, known | {MARK: os.environ.get(MARK, "") + mark}


def _own() -> str:
    process = os.getpid()
    if process not in _ours:
        _ours[process] = f"{process}.{secrets.token_hex(8)}"
        if sys.platform == "linux" and hasattr(os, "pidfd_open"):
            _watch(process, _ours[process])
    return _ours[process]


def _watch(process: int, mark: str) -> None:
    """In a session of its own, so that what ends the harness does not end the watcher."""
    silent = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", WATCH, str(process), mark],
        stdin=silent,
        stdout=silent,
        stderr=silent,
        cwd="/",
        env={},
        start_new_session=True,
    ).returncode = 0  # it is to outlive this process, so nobody waits for it


def end_marked(mark: str) -> None:
    """End every process that bears the mark, whatever session it is in (Linux)."""
    if sys.platform != "linux":
        return
    for _ in range(ROUNDS):
        found = [pid for pid in _processes() if _bears(pid, mark.encode())]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE_SECONDS)


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _bears(pid: int, mark: bytes) -> bool:
    try:
        return mark in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def end_with_parent(parent: int = 0) -> None:
    """Have the system end this process when the one that started it is gone, even in the middle of work (Linux).

    parent: the process that started it, where it may be gone already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent and os.getppid() != parent:
        os._exit(1)
