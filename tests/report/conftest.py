"""A small run, replayed once; its report; and a browser where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.bench.sections.part import Engines
from harness.replay.sections.part import Replay
from harness.report.csv import Csv, Rows
from harness.report.html import Html
from harness.report.markdown import Markdown
from harness.report.part import Part
from harness.report.report import Report
from harness.runs.run import Run
from tests.report.benches import ANSWERS, HOSTILE, make_bench
from tests.report.browser import Browser, browser
from tests.report.hostile import FORMULA, SCRIPT, write_hostile
from tests.report.recordings import replayed, write_corpus


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("small")
    return replayed(write_corpus(folder / "corpus"), folder / "results")


@pytest.fixture(scope="session")
def report(run: Run) -> Replay:
    return Replay(run)


@pytest.fixture(scope="session")
def written(report: Replay, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with every form of the report of the small run."""
    return exported(report, tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("hostile")
    return replayed(write_hostile(folder / "corpus"), folder / "results")


@pytest.fixture(scope="session")
def hostile(hostile_run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(Replay(hostile_run), tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="session")
def bench_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return make_bench(tmp_path_factory.mktemp("bench"), ANSWERS)


@pytest.fixture(scope="session")
def engines(bench_run: Run) -> Engines:
    return Engines(bench_run)


@pytest.fixture(scope="session")
def bench_written(engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with every form of the report of the run of engines."""
    return exported(engines, tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="session")
def hostile_engines(tmp_path_factory: pytest.TempPathFactory) -> Engines:
    answers = HOSTILE | {"crash": ANSWERS["crash"]}
    return Engines(make_bench(tmp_path_factory.mktemp("bench"), answers, family=SCRIPT, case=FORMULA))


@pytest.fixture(scope="session")
def hostile_bench(hostile_engines: Engines, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(hostile_engines, tmp_path_factory.mktemp("reports"))


def exported(part: Part, folder: Path) -> Path:
    """Every form of a report of one part; what is worked out for one is there for the others."""
    report = Report(part.run.id, "", [part])
    directory = folder / report.name
    directory.mkdir()
    for exporter in (Html(), Markdown(), Csv(), Rows()):
        exporter.export(report, directory)
    return directory


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or program is None:
        if os.environ.get("CI"):
            pytest.fail("CI looks at the report in Chromium: .ci/run installs chromium and chromium-driver")
        pytest.skip("needs Chromium and its driver (Debian: chromium and chromium-driver)")
    with browser(driver, program, tmp_path_factory.mktemp("profile")) as found:
        yield found
