"""What docs/changed-figures.md says of now, recomputed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.transcript import Transcript, Usage
from tests.docs.test_money import CORPORA, ROOT, summed

PAGE = (ROOT / "docs" / "changed-figures.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[tuple[str, str, str]]:
    """Recording, figure and what it is now."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in re.findall(r"^\| .* \|$", section, flags=re.MULTILINE)]
    return [(row[0], row[1], row[3]) for row in cells[2:]]


def usage(transcripts: list[Transcript]) -> list[Usage]:
    return [u for t in transcripts for r in t.requests() if (u := t.messages[r].usage) is not None]


COUNTED: dict[str, Callable[[list[Transcript]], int]] = {
    "transcripts": len,
    "requests": lambda found: sum(len(t.requests()) for t in found),
    "input tokens": lambda found: sum(u.input_tokens or 0 for u in usage(found)),
    "output tokens": lambda found: sum(u.output_tokens or 0 for u in usage(found)),
    "clipped results": lambda found: sum(bool(m.result and m.result.clipped) for t in found for m in t.messages),
}


@cache
def counted(paths: tuple[Path, ...]) -> list[Transcript]:
    return list(read_transcripts(list(paths), Intake()))


def now(figure: str, *paths: Path) -> str:
    if figure in COUNTED:
        return f"{COUNTED[figure](counted(paths)):,}"
    sums = summed(*paths)
    return {"bill, USD": f"{sums.bill:.3f}", "requests with bill": f"{sums.billed:,}"}[figure]


@pytest.mark.parametrize("row", rows("Made-up recordings"), ids=" ".join)
def test_made_up_recordings(row: tuple[str, str, str]) -> None:
    recording, figure, said = row
    assert now(figure, ROOT / "tests" / "cases" / recording) == said


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared recordings are not here")
@pytest.mark.parametrize("row", rows("Public recordings"), ids=" ".join)
def test_public_recordings(row: tuple[str, str, str]) -> None:
    recordings, figure, said = row
    folders = [CORPORA] if recordings == "all" else [CORPORA / name for name in recordings.split(", ")]
    assert now(figure, *folders) == said
