"""What the system says of a process: its peak memory, also when it let go of it, with everything that it started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.engines.usage import Usage, usage

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc, so Linux")

MB = 1_000_000
PROGRAM = """
import subprocess, sys, time
ballast = b"x" * int(sys.argv[1]); del ballast
until = time.process_time() + float(sys.argv[2])
while time.process_time() < until: pass
rest = sys.argv[3:]
if rest: child = subprocess.Popen([sys.executable, "-S", "-c", sys.stdin.read(), *rest], stdout=sys.stdout)
else: print("ready", flush=True)
time.sleep(60)
"""


def measured(*arguments: str) -> Usage:
    command = [sys.executable, "-S", "-c", PROGRAM, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(PROGRAM)
        process.stdin.close()
        assert process.stdout.readline() == "ready\n"
        found = usage(process.pid)
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split():
            subprocess.run(["kill", child], check=True)
        process.kill()
    assert found is not None
    return found


def test_peak_memory_is_that_of_the_process_and_not_of_the_one_that_started_it() -> None:
    ballast = bytearray(b"x" * (200 * MB))
    small, large = measured("0", "0"), measured(str(100 * MB), "0")
    del ballast
    assert small.peak_bytes < 60 * MB
    assert large.peak_bytes - small.peak_bytes == pytest.approx(100 * MB, rel=0.05)


def test_the_descendants_count_too() -> None:
    alone, both = measured("0", "0.1"), measured("0", "0.1", str(50 * MB), "0.2")
    assert both.peak_bytes > alone.peak_bytes + 50 * MB
    assert both.cpu_seconds >= 0.1 + 0.2 - 0.02


def test_a_process_that_is_not_there() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "pass"]) as process:
        process.wait()
    assert usage(process.pid) is None
