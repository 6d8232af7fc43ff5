"""One flipped bit in any file that the program wrote: refused by that file's name, or nothing changes.

CI flips a few bits a kind of file, `make test-all` three hundred.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.api import replay
from harness.errors import HarnessError
from harness.loop.kind import LOOP
from harness.loop.settings import LoopSettings
from harness.nightly.baseline import read_pinned
from harness.nightly.carry_out import Options
from harness.nightly.night import accept, nightly
from harness.nightly.read import Suite, read_suite
from harness.nightly.verdicts import verdicts
from harness.runs import life
from harness.runs.directory import list_runs
from harness.runs.groups import read_groups
from harness.runs.run import Run
from harness.runs.seal import verify
from tests.nightly.nights import add_transcript, replay_suite

FEW, MANY = 12, 300


@dataclass(frozen=True)
class Written:
    """A kind of file. place: a pattern below the folder. look: all that the program makes of it, which is to be the
    same or refused. stands: nobody is told where it is damaged, since it is made anew."""

    place: str
    look: Callable[[Path], object]
    stands: bool = False


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with recordings, a suite, and what two nights left: runs, groups, verdicts, a pinned baseline; and with
    what caches hold after a replay."""
    folder = tmp_path_factory.mktemp("flips")
    place = replay_suite(folder, transcripts=2)
    for _ in range(2):
        nightly(read_suite(place), folder / "results", Options())
    accept(read_suite(place), folder / "results", "it is right", 2e9)
    (folder / "cut").mkdir()
    settings = LoopSettings(drivers=("reader",), policies=("head:bytes=300",), first=3)
    whole = life.run(LOOP, settings, folder / "cut", clock=lambda: 2e9)
    (whole / "manifest.json").unlink()
    for table in whole.glob("*.parquet"):
        table.unlink()
    with pytest.MonkeyPatch.context() as patch:
        _cached(patch, folder)
        add_transcript(folder / "own", 7)
        replay([folder / "own"], ["car"], folder / "elsewhere")
    return folder


def _cached(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setenv("HARNESS_CACHE", "on")
    patch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))


def _run(folder: Path) -> object:
    run = Run(list_runs(folder / "results")[0])
    frames = [run.table(name).to_csv() for name in run.kind.tables]
    return {key: value for key, value in run.manifest.items() if key != "seal"}, frames


def _verified(folder: Path) -> object:
    found = verify(list_runs(folder / "results")[0])
    if found.faults:
        raise HarnessError(f"{folder}: {', '.join(found.faults)}")
    return found.files


def _resumed(folder: Path) -> object:
    (cut,) = list_runs(folder / "cut")
    run = Run(life.resume(LOOP, cut))
    return [run.table(name).to_csv() for name in run.kind.tables]


def _groups(folder: Path) -> object:
    return read_groups(folder / "results")


def _verdicts(folder: Path) -> object:
    return [{k: v for k, v in record.items() if k != "seal"} for record in verdicts(folder / "results")]


def _pinned(folder: Path) -> object:
    baseline = read_pinned(folder / "results" / "baseline" / "small")
    runs = {part: baseline.run(part) for part in baseline.places}
    return baseline.group, {part: [run.transcripts.to_csv(), run.settings()] for part, run in runs.items() if run}


def _replayed(folder: Path) -> object:
    with pytest.MonkeyPatch.context() as patch:
        _cached(patch, folder)
        run = replay([folder / "own"], ["car"], folder / "again")
    return [run.table(name).to_csv() for name in run.kind.tables]


def _counted(folder: Path) -> object:
    """Measured again, with counts from the cache: none of the kept rows may stand for them."""
    shutil.rmtree(folder / "cache" / "rows")
    return _replayed(folder)


KINDS = {
    "manifest": Written("results/2*/manifest.json", _run),
    "requests": Written("results/2*/requests.parquet", _run),
    "results": Written("results/2*/results.parquet", _run),
    "transcripts": Written("results/2*/transcripts.parquet", _run),
    "programs": Written("results/2*/programs.parquet", _run),
    "journal": Written("results/2*/journal.jsonl", _verified),
    "unfinished journal": Written("cut/2*/journal.jsonl", _resumed, stands=True),
    "group": Written("results/groups/*.json", _groups),
    "verdict": Written("results/verdicts/*.json", _verdicts),
    "baseline": Written("results/baseline/small/baseline.json", _pinned),
    "pinned manifest": Written("results/baseline/small/rec/manifest.json", _pinned),
    "pinned table": Written("results/baseline/small/rec/transcripts.parquet", _pinned),
    "kept rows": Written("cache/rows/*/*", _replayed, stands=True),
    "kept counts": Written("cache/token-counts-*.sqlite", _counted, stands=True),
}


def flip(kind: Written, whole: Path, folder: Path, dice: random.Random) -> Path:
    """One bit of one file in a copy; returns the file."""
    shutil.copytree(whole, folder)
    path = sorted(folder.glob(kind.place))[0]
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)
    return path


def flips(name: str, whole: Path, folder: Path, many: int) -> dict[str, int]:
    """How often a flipped bit was refused, and how often nothing changed."""
    kind, dice = KINDS[name], random.Random(name)
    shutil.copytree(whole, folder / "whole")
    expected = kind.look(folder / "whole")
    found = {"refused": 0, "equal": 0}
    for n in range(many):
        path = flip(kind, whole, folder / str(n), dice)
        try:
            again = _bare(kind.look(folder / str(n)), folder / str(n))
        except HarnessError as error:
            again, why = "", str(error)
        if again:
            assert again == _bare(expected, folder / "whole"), f"{name}: bit flipped in {path}, another figure"
        else:
            assert path.name in why or path.parent.name in why, f"{path}: {why}"
        found["equal" if again else "refused"] += 1
        shutil.rmtree(folder / str(n))
    return found


def _bare(found: object, folder: Path) -> str:
    return re.sub(re.escape(str(folder)), "FOLDER", repr(found))


@pytest.mark.parametrize("name", KINDS)
def test_a_few_flipped_bits(name: str, night: Path, tmp_path: Path) -> None:
    found = flips(name, night, tmp_path, FEW)
    assert sum(found.values()) == FEW
    assert KINDS[name].stands or found["refused"] > FEW * 0.6


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_three_hundred_flipped_bits(name: str, night: Path, tmp_path: Path) -> None:
    found = flips(name, night, tmp_path, MANY)
    print(name, found)
    assert sum(found.values()) == MANY


def test_what_was_begun_is_begun_anew_where_it_is_damaged(night: Path, tmp_path: Path) -> None:
    """The file that says which runs an interrupted night began with: none of them becomes a part of the night."""
    shutil.copytree(night, tmp_path / "night")
    suite = read_suite(tmp_path / "night" / "small.toml")
    said = _interrupted(suite, tmp_path / "night" / "results")
    assert "what was interrupted was of another suite or program, or is damaged: begun anew" in said


def _interrupted(suite: Suite, results: Path) -> list[str]:
    said: list[str] = []

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    before = list_runs(results)
    with pytest.raises(KeyboardInterrupt):
        nightly(suite, results, Options(), then=stop)
    place = results / "groups" / ".small.begun.json"
    text = place.read_text(encoding="utf-8")
    assert before[0].name in text
    place.write_text(text.replace(before[0].name, before[0].name[:-1] + "x"), encoding="utf-8")
    verdict = nightly(suite, results, Options(), said.append)
    assert not {run.name for run in before} & set(verdict.runs.values())
    return said
