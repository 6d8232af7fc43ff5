"""A command that is ended at one of its writes, or finds no room for it, is gone on with to the same files.

CI tries a few writes of every command; `make test-all` tries more of them, and `python -m tests.faults.crash` all.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.faults.crash import SCENARIOS, chosen

FEW = {"kill": ["loop", "accept"], "torn": ["replay"], "full": ["loop", "report"]}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler to stand between a program and its writes")
    built = tmp_path_factory.mktemp("writes") / "writes.so"
    source = Path(__file__).with_name("writes.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-Wall", "-Werror", str(source), "-o", str(built), "-ldl"], check=True
    )
    return built


def ended(library: Path, folder: Path, scenario: str, mode: str, stride: int) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.crash", str(folder), scenario, mode, str(stride)],
        cwd=ROOT,
        env=os.environ | {"LD_PRELOAD": str(library)},
        capture_output=True,
        encoding="utf-8",
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(point: dict[str, Any], mode: str) -> None:
    first = point["said"][0]
    assert not any("Traceback" in said for said in point["said"]), point
    assert point["other"] == [], point
    if mode != "full":
        assert point["done"] == -9, point
    elif point["done"]:  # a cache that has no room is done without
        assert point["done"] == 2, point
        assert "No space left on device: make room; " in first, point
    if point["done"]:
        assert point["again"][-1] == 0, point
    if point["done"] == 2:
        assert re.search(r"harness: \S*/run/\S+: No space left", first), point
    if "--resume 20" in first:
        assert point["again"] == [0], point


@pytest.mark.parametrize(("mode", "scenario"), [(mode, name) for mode, names in FEW.items() for name in names])
def test_a_few_writes(library: Path, tmp_path: Path, mode: str, scenario: str) -> None:
    found = ended(library, tmp_path, scenario, mode, 9)
    assert len(found) > 1
    for point in found:
        check(point, mode)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["kill", "torn", "full"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_more_writes_of_every_command(library: Path, tmp_path: Path, mode: str, scenario: str) -> None:
    found = ended(library, tmp_path, scenario, mode, 25 if scenario == "cache" else 3)
    assert len(found) > 1
    for point in found:
        check(point, mode)


def test_of_calls_alike_the_first_a_middle_one_and_the_last_are_chosen() -> None:
    calls = ["open a", *["write a"] * 5, "fsync a", "rename a"]
    assert chosen(calls, 1) == [1, 2, 4, 6, 7, 8]
    assert chosen(calls, 2) == [1, 4, 7]
    assert chosen(calls, 0) == [1, 2, 3, 4, 5, 6, 7, 8]
