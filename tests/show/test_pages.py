"""`harness report --pages`: the requests that a policy puts most at risk, with their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.api import replay
from harness.errors import HarnessError
from harness.show.pages import most_at_risk, write_pages
from tests.replay.test_controls import write


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for n in range(3):
        write(folder / f"run-{n}.json", f"plant_{n}x", f"qz-{n}17{n}-k")
    return folder


def test_the_worst_policy_of_each_request_gets_a_page_beside_identity(corpus: Path, tmp_path: Path) -> None:
    run = replay([corpus], policies=["head:bytes=200", "tail:bytes=200"], results=tmp_path / "results")
    assert most_at_risk(run, 2) == [("run-0.json", 2, "head:bytes=200", 1), ("run-1.json", 2, "head:bytes=200", 1)]
    index, *pages = write_pages(run, tmp_path / "pages", 2, show_secrets=False)
    assert [p.name for p in pages] == ["1.html", "2.html"]
    assert "run-1.json" in index.read_text(encoding="utf-8")
    first = pages[0].read_text(encoding="utf-8")
    assert "<mark>qz-0170-k</mark>" in first
    assert "lost: qz-0170-k from [2]" in first


def test_recordings_that_are_gone_are_named(corpus: Path, tmp_path: Path) -> None:
    run = replay([corpus], policies=["head:bytes=200"], results=tmp_path / "results")
    (corpus / "run-0.json").unlink()
    with pytest.raises(HarnessError, match=r"run-0\.json: no longer where the run read it"):
        write_pages(run, tmp_path / "pages", 3, show_secrets=False)
