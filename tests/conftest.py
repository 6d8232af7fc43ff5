"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is kept between runs: a test that counts twice shall count twice. Where a test turns that on, it is in a
    folder of the tests' own, never in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_CACHE", "off")
        patch.setenv("HARNESS_PLUGINS", "off")
        patch.setenv("HARNESS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the project; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not (folder / "corpora").is_dir():
        pytest.skip("needs the reference recordings in ../shared, which are not part of the project")
    return folder


@pytest.fixture(scope="session")
def corpora(shared: Path) -> Path:
    return shared / "corpora"
