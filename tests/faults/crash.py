"""Runs a command again and again, each time ended at another of its writes, and goes on with it.

    LD_PRELOAD=writes.so python -m tests.faults.crash FOLDER SCENARIO MODE STRIDE

prints a JSON line a point: the exit code of the command that was ended, those of the commands that went on, what they
said, and which files are not what they are after a run that nothing ended.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import re
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from harness.runs.journal import NAME as JOURNAL
from harness.runs.lock import NAME as LOCK

MODES = {"count": 0, "kill": 1, "torn": 2, "full": 3}
STARTED = 1_900_000_000.0


@dataclass(frozen=True)
class Point:
    """One end of a command. call: at which it was ended. done: its exit code, -9 where it was killed. again: exit codes
    of what went on with it.
    said: standard error of all. other: files that are not what they
    were to be."""

    number: int
    of: int
    call: str
    done: int
    again: list[int]
    said: list[str]
    other: list[str]


Command = Callable[[Path], list[str]]
PLACES = ("--results", "results", "--report-dir", "reports")
RESULTS = PLACES[:2]


def _kind(name: str, *settings: str) -> list[list[str]]:
    """A command of a kind, and those that go on with it until one ends with 0. Reports have a scenario of their own."""
    return [
        [name, *settings, *PLACES],
        [name, "--resume", "last", *PLACES],
        ["verify", "last", *RESULTS],
        [name, *settings, *PLACES],
    ]


def _suite(name: str) -> list[list[str]]:
    command = [name, "suite.toml", *PLACES]
    return [command, command]


PREPARED: dict[str, list[list[str]]] = {
    "report": [["replay", "rec", "--policy", "car", *PLACES], ["report", "last", *PLACES]],
    "accept": [["nightly", "suite.toml", *PLACES]],
}
"""What is done, and not ended, before a scenario begins."""

SCENARIOS: dict[str, list[list[str]]] = {
    "replay": _kind("replay", "rec", "--policy", "car", "--policy", "head:bytes=300"),
    "cache": _kind("replay", "rec", "--policy", "car"),
    "bench": _kind("bench", "--engine", "tiny", "--tasks", "tasks.jsonl", "--repetitions", "1"),
    "loop": _kind("loop", "--driver", "reader", "--policy", "head:bytes=300", "--first", "3"),
    "tune": _kind("tune", "rec", "--policy", "head", "--vary", "bytes=100:400:100"),
    "decide": _kind("decide", "head", "tail", "rec"),
    "match": _kind("match", "rec", "--to", "car", "--policy", "head"),
    "after": _kind("after", "rec"),
    "arms": _kind("arms", "arms.csv"),
    "plan": _kind("plan", "--draws", "100", "--most", "100"),
    "redrive": _kind("redrive", "rec", "--engine", "tiny", "--limit", "1"),
    "run": _suite("run"),
    "nightly": _suite("nightly"),
    "report": [["report", "last", *PLACES]] * 2,
    "accept": [["nightly", "suite.toml", *RESULTS, "--accept", "--why", "it is right"]] * 2,
}


def inputs(folder: Path) -> None:
    """What the scenarios read."""
    from tests.bench.fake import lines, task
    from tests.nightly.nights import add_transcript

    folder.mkdir(parents=True)
    for seed in range(3):
        add_transcript(folder / "rec", seed)
    tasks = [task(f"t{n:02}", f"hall light {n}") for n in range(3)]
    (folder / "tasks.jsonl").write_text(lines(tasks), encoding="utf-8")
    rows = [f"{arm},o__r-{n},{n % 3 > (arm == 'b')},{n + 5}" for arm in "ab" for n in range(12)]
    (folder / "arms.csv").write_text("arm,task,passed,requests\n" + "\n".join(rows) + "\n", encoding="utf-8")
    suite = '[replay.rec]\npaths = ["rec"]\npolicies = ["head:bytes=300", "car"]\n'
    loop = '[loop.small]\ndrivers = ["reader"]\npolicies = ["head:bytes=300"]\nfirst = 2\n'
    (folder / "suite.toml").write_text(f'name = "small"\nreport = []\n{suite}{loop}', encoding="utf-8")


class Stage:
    """Forks a process a command, in which all modules are loaded and the clock stands still."""

    def __init__(self, folder: Path, with_cache: bool) -> None:
        self.folder = folder.resolve()
        self.cache = self.folder / ("run/cache" if with_cache else "cache")
        self.whole = self.folder / "inputs"
        self.place = self.folder / "run"
        self.writes = ctypes.CDLL(None)
        time.time = lambda: STARTED
        inputs(self.whole)

    def fresh(self, prepared: Path | None) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(prepared or self.whole, self.place)

    def call(self, command: list[str], number: int = 0, mode: str = "count") -> tuple[int, str]:
        """Exit code (-9 if killed) and standard error."""
        child = os.fork()
        if not child:
            self._in_child(command, number, mode)
        _, status = os.waitpid(child, 0)
        said = (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")
        return os.waitstatus_to_exitcode(status), said

    def _in_child(self, command: list[str], number: int, mode: str) -> None:
        code = 70
        try:
            os.chdir(self.place)
            os.environ |= {"HARNESS_CACHE": "on", "HARNESS_CACHE_DIR": str(self.cache), "HARNESS_PLUGINS": "off"}
            for name, descriptor in (("stdout", 1), ("stderr", 2)):
                os.dup2(os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
            calls = os.open(self.folder / "calls", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            from harness.cli import main
            from harness.show import kind

            kind.finish = lambda *_: []

            self.writes.arm(f"{self.place}/".encode(), ctypes.c_long(number), MODES[mode], calls)
            try:
                main([self._absolute(word) for word in command])
            except SystemExit as end:
                code = int(end.code or 0)
            import atexit

            atexit._run_exitfuncs()
            self.writes.arm(b"", ctypes.c_long(0), 0, 0)
            names = [name for name, module in sys.modules.items() if getattr(module, "__file__", None)]
            (self.folder / "modules").write_text("\n".join(sorted(names)), encoding="utf-8")
        except Exception:  # noqa: BLE001 - told to who asked
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _absolute(self, word: str) -> str:
        """Folders that are written to, so that they are known by their beginning."""
        return str(self.place / word) if word in ("results", "reports") else word

    def load(self) -> None:
        """All modules that the last command loaded."""
        for name in (self.folder / "modules").read_text(encoding="utf-8").split():
            if name.partition(".")[0] in ("harness", "numpy", "pandas", "pyarrow", "scipy", "statsmodels", "jinja2"):
                importlib.import_module(name)

    def calls(self) -> list[str]:
        """What the last command did to the folder, a line a call."""
        return (self.folder / "calls").read_text(encoding="utf-8").splitlines()

    def state(self) -> dict[str, bytes]:
        """What the folder holds, as far as it is the same after every run: a resumed journal says some things twice,
        a run that was cut off before its journal began leaves an empty one behind, a lock says who held it."""
        found = {}
        for path in sorted(self.place.rglob("*")):
            name = path.relative_to(self.place).as_posix()
            if path.is_file() and name.startswith(("results/", "reports/")) and path.name not in (JOURNAL, LOCK):
                found[RUN.sub("RUN", name)] = contents(path)
        return found


LIVE = ("bench", "redrive")
SEALS = re.compile(rb'[0-9a-f]{64}|"commit": "[0-9a-f]{40}"|"dirty": (true|false)')
RUN = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")
RUN_BYTES = re.compile(RUN.pattern.encode())


def contents(path: Path) -> bytes:
    """A file's bytes, without what tells one run from another: names, commits, digests of the journal, and all that is
    live of a run of engines."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        live = [field.name for field in table.schema if (field.metadata or {}).get(b"kind") == b"live"]
        return table.drop_columns(live).to_pandas().to_csv().encode() if live else path.read_bytes()
    if path.name == "manifest.json":
        manifest = json.loads(path.read_bytes())
        if manifest["command"] in LIVE:
            return json.dumps([manifest[key] for key in ("settings", "inputs", "rows")]).encode()
    return RUN_BYTES.sub(b"RUN", SEALS.sub(b"", path.read_bytes()))


def chosen(calls: list[str], stride: int) -> list[int]:
    """Numbers of calls, from 1: every one, or of those alike that follow each other the first, a middle one and the
    last; of these every `stride`-th. stride: 0 for every call."""
    if not stride:
        return list(range(1, len(calls) + 1))
    found: list[int] = []
    for _, stretch in groupby(enumerate(calls, 1), key=lambda call: call[1]):
        numbers = [number for number, _ in stretch]
        found += sorted({numbers[0], numbers[len(numbers) // 2], numbers[-1]})
    return found[::stride]


def points(folder: Path, scenario: str, mode: str, stride: int) -> Iterator[Point]:
    """A scenario ended at each of its chosen calls."""
    stage = Stage(folder, with_cache=scenario == "cache")
    command, *goes_on = SCENARIOS[scenario]
    prepared = None
    stage.fresh(None)
    for before in PREPARED.get(scenario, []):
        code, said = stage.call(before)
        assert code == 0, said
    if scenario in PREPARED:
        prepared = stage.folder / "prepared"
        stage.place.rename(prepared)
        stage.fresh(prepared)
    code, said = stage.call(command)
    assert code == 0, f"{command}: {code}\n{said}"
    calls = stage.calls()
    stage.load()
    expected = stage.state()
    for number in chosen(calls, stride):
        stage.fresh(prepared)
        done, said = stage.call(command, number, mode)
        codes, texts = [], [said]
        if done:
            for again in goes_on:
                code, said = stage.call(again)
                codes.append(code)
                texts.append(said)
                if code == 0:
                    break
        found = stage.state()
        other = [name for name in sorted(expected.keys() | found.keys()) if expected.get(name) != found.get(name)]
        yield Point(number, len(calls), calls[number - 1].replace(f"{stage.place}/", ""), done, codes, texts, other)


if __name__ == "__main__":
    place, scenario, mode, stride = sys.argv[1:5]
    for point in points(Path(place), scenario, mode, int(stride)):
        print(json.dumps(asdict(point)), flush=True)
