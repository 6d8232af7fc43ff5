"""One corpus, arranged in five ways: the totals are the same."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.bundled import bundled
from harness.export.atif import AtifExporter
from harness.formats.corpus import Intake, read_transcripts

SHARED = Path(__file__).parents[4] / "shared"
Totals = tuple[int, int, int, int]


def totals(*paths: Path) -> Totals:
    """Transcripts with requests, requests, results and their bytes."""
    found = [t for t in read_transcripts(list(paths), Intake()) if t.requests()]
    results = [m.result for t in found for m in t.messages if m.result is not None and not m.copied]
    requests = sum(len(t.requests()) for t in found)
    return len(found), requests, len(results), sum(len(r.content.encode("utf-8", "replace")) for r in results)


def zipped(corpus: Path, folder: Path) -> list[Path]:
    with zipfile.ZipFile(folder / "one.zip", "w") as archive:
        for path in sorted(corpus.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(corpus))
    return [folder / "one.zip"]


def beside_the_archive(corpus: Path, folder: Path) -> list[Path]:
    return [corpus, *zipped(corpus, folder)]


def with_a_second_copy(corpus: Path, folder: Path) -> list[Path]:
    shutil.copytree(corpus, folder / "second" / "backup")
    return [folder / "second", corpus]


def with_forks(corpus: Path, folder: Path) -> list[Path]:
    """Of every session in lines, one more that ends halfway, under another name."""
    for number, path in enumerate(sorted(corpus.rglob("*.jsonl"))):
        lines = path.read_bytes().splitlines(keepends=True)
        (folder / f"fork-{number}.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    return [corpus, folder]


def with_conversions(corpus: Path, folder: Path) -> list[Path]:
    for number, transcript in enumerate(read_transcripts([corpus], Intake())):
        if not transcript.cuts:
            (folder / f"{number}.trajectory.json").write_bytes(AtifExporter().export(transcript))
    return [corpus, folder]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpora are not beside this checkout")
def test_a_real_session_of_each_agent_with_its_conversion(tmp_path: Path) -> None:
    for name in ("codex", "pi", "gemini-cli", "cline", "mini-swe-agent", "swe-agent", "inspect"):
        folder = tmp_path / name
        folder.mkdir()
        corpus = SHARED / "corpora" / name
        assert totals(*with_conversions(corpus, folder)) == totals(corpus), name


ARRANGEMENTS = (zipped, beside_the_archive, with_a_second_copy, with_forks, with_conversions)


@pytest.mark.parametrize("arrange", ARRANGEMENTS)
def test_the_projects_own_recordings(arrange: Callable[[Path, Path], list[Path]], tmp_path: Path) -> None:
    corpus = bundled() / "transcripts"
    assert totals(*arrange(corpus, tmp_path)) == totals(corpus)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpora are not beside this checkout")
@pytest.mark.parametrize("arrange", [zipped, with_a_second_copy])
def test_real_recordings_of_every_format(arrange: Callable[[Path, Path], list[Path]], tmp_path: Path) -> None:
    assert totals(*arrange(SHARED / "corpora", tmp_path)) == totals(SHARED / "corpora")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpora are not beside this checkout")
def test_no_trial_and_no_repetition_is_left_out() -> None:
    for corpus, transcripts, requests in (("corpora/tau-bench-split", 100, 1381), ("arms/tokbench", 64, 1424)):
        intake = Intake()
        found = list(read_transcripts([SHARED / corpus], intake))
        assert not any(pair.left for pair in intake.copies)
        assert len(found) == transcripts
        assert not any(m.copied for t in found for m in t.messages if m.role == "assistant")
        assert sum(len(t.requests()) for t in found) == requests
