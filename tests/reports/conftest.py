"""A small run, replayed once; its report; and a browser where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.reports.replay import Replay
from harness.reports.write import write_report
from harness.results.run import Run
from tests.reports.browser import Browser, browser
from tests.reports.hostile import write_hostile
from tests.reports.recordings import replayed, write_corpus


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("small")
    return replayed(write_corpus(folder / "corpus"), folder / "results")


@pytest.fixture(scope="session")
def report(run: Run) -> Replay:
    return Replay(run)


@pytest.fixture(scope="session")
def written(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with every form of the report of the small run."""
    return write_report(run, tmp_path_factory.mktemp("reports"), ["html", "md", "csv"])[0].parent


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("hostile")
    return replayed(write_hostile(folder / "corpus"), folder / "results")


@pytest.fixture(scope="session")
def hostile(hostile_run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(hostile_run, tmp_path_factory.mktemp("reports"), ["html", "md", "csv"])[0].parent


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or program is None:
        pytest.skip("needs Chromium and its driver (Debian: chromium and chromium-driver)")
    with browser(driver, program, tmp_path_factory.mktemp("profile")) as found:
        yield found
