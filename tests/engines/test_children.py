"""Nothing that the harness started outlives it, however it ends and wherever its children went."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.children import end_marked, marked

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(os, "pidfd_open"), reason="marks are looked for where Linux shows them"
)

ENGINE = """
import os, subprocess, sys, time
folder = sys.argv[1]
sleeper = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(300)"
for name, own in (("plain", False), ("session", True)):
    subprocess.Popen([sys.executable, "-c", sleeper, os.path.join(folder, name)], start_new_session=own)
open(os.path.join(folder, "engine"), "w").write(str(os.getpid()))
for line in sys.stdin:
    while not all(os.path.exists(os.path.join(folder, n)) for n in ("plain", "session")):
        time.sleep(0.01)
    if len(sys.argv) > 2:
        time.sleep(300)
    print('{"success": true, "function_calls": []}', flush=True)
"""
TOOL = {"name": "f", "description": "f", "parameters": {"type": "object", "properties": {}}}
TASK = {"id": "t", "family": "f", "tools": [TOOL], "turns": [{"input": "hi", "calls": []}]}


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def until(what: object, seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def bench(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    script = folder / "engine.py"
    script.write_text(ENGINE, encoding="utf-8")
    (folder / "tasks.jsonl").write_text(json.dumps(TASK) + "\n", encoding="utf-8")
    run = shlex.join([sys.executable, str(script), str(folder), *more])
    command = [sys.executable, "-m", "harness", "bench", "--engine", f"command:run={json.dumps(run)}"]
    command += ["--tasks", str(folder / "tasks.jsonl"), "--repetitions", "1"]
    command += ["--results", str(folder / "results"), "--report-dir", str(folder / "reports")]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def children(folder: Path) -> list[int]:
    names = ("engine", "plain", "session")
    assert until(lambda: all((folder / n).exists() and (folder / n).read_text(encoding="utf-8") for n in names))
    return [int((folder / n).read_text(encoding="utf-8")) for n in names]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_bench_that_is_ended_in_a_turn_leaves_nobody(tmp_path: Path, number: signal.Signals) -> None:
    harness = bench(tmp_path, "hang")
    begun = children(tmp_path)
    assert all(map(alive, begun))
    harness.send_signal(number)
    assert harness.wait(30) == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    assert until(lambda: not any(map(alive, begun)))


def test_a_bench_that_ends_well_leaves_nobody(tmp_path: Path) -> None:
    harness = bench(tmp_path)
    begun = children(tmp_path)
    assert harness.wait(60) in (0, 1, 2)
    assert until(lambda: not any(map(alive, begun)))


def test_a_mark_ends_its_own_and_nobody_else(tmp_path: Path) -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(300)"]
    (first, mine), (_, other) = marked(), marked()
    own = subprocess.Popen(sleeper, env=mine, start_new_session=True)
    stranger = subprocess.Popen(sleeper, env=other)
    try:
        end_marked(first)
        assert own.wait(10) == -signal.SIGKILL
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_workers_of_a_replay_end_with_it(tmp_path: Path) -> None:
    """In the middle of the work of two processes."""
    talk = [{"role": "user", "content": "x"}]
    for n in range(400):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        talk += [
            {"role": "assistant", "content": f"{n} " * 20, "tool_calls": [call]},  # type: ignore[dict-item]
            {"role": "tool", "tool_call_id": f"c{n}", "content": f"{n} word " * 400},
        ]
    for n in range(8):
        (tmp_path / f"r{n}.json").write_text(json.dumps({"messages": talk, "id": n}), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "harness",
        "replay",
        str(tmp_path),
        "--jobs",
        "2",
        "--results",
        str(tmp_path / "r"),
    ]
    harness = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def workers() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == harness.pid:
                found.append(int(path.parent.name))
        return found

    assert until(lambda: len(workers()) >= 2)
    begun = workers()
    harness.kill()
    harness.wait()
    assert until(lambda: not any(map(alive, begun)))
