"""Recordings in which answers stand twice, each counted once (made up; the cases of the issue)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.formats.corpus import Intake, read_transcripts

CASES = Path(__file__).parents[2] / "cases"
EXPECTED = {
    "fork-other-folder": (5, {"resume"}),
    "resume-fresh-uuids": (5, {"resume"}),
    "same-sessions-in-zip": (5, {"resume"}),
    "same-file-twice": (4, {"copy"}),
    "history-twice-in-one-file": (3, {"repeated"}),
    "answer-lines-not-adjacent": (3, set()),
    "codex-fork-slow-copy": (4, {"fork"}),
    "codex-archived-copy": (3, {"archive"}),
    "gemini-json-and-jsonl": (1, {"copy"}),
    "mini/openai_chat_request_log.jsonl": (5, set()),
    "mini/cassette_renamed_ids.json": (3, set()),
    "mini/pi_branched.jsonl": (2, set()),
    "mini/claude_two_sessions_in_one_file.jsonl": (4, set()),
    "mini/no_tools.json": (1, set()),
}


@pytest.mark.parametrize("case", EXPECTED)
def test_every_answer_is_counted_once_and_the_pair_is_named(case: str) -> None:
    intake = Intake()
    found = list(read_transcripts([CASES / case], intake))
    assert (sum(len(t.requests()) for t in found), {pair.kind for pair in intake.copies}) == EXPECTED[case]
    assert intake.problems == []


def test_a_folder_beside_the_archive_of_it_is_counted_once_whatever_the_order(tmp_path: Path) -> None:
    shutil.copytree(CASES / "fork-other-folder", tmp_path / "folders")
    shutil.copytree(CASES / "same-sessions-in-zip", tmp_path / "packed")
    paths = [tmp_path / "folders", tmp_path / "packed"]
    for order in (paths, paths[::-1]):
        intake = Intake()
        found = {t.id: len(t.requests()) for t in read_transcripts(order, intake)}
        assert sum(found.values()) == 5
        assert not any("!" in name for name in found)
        assert {p.kind for p in intake.copies if "!" in p.copy} == {"archive"}


def test_two_sessions_in_one_file_are_two_transcripts() -> None:
    name = "claude_two_sessions_in_one_file.jsonl"
    found = {t.id: t for t in read_transcripts([CASES / "mini" / name], Intake())}
    assert list(found) == [name, f"{name}#22222222-2222-4222-8222-222222222222"]
    assert [t.parent for t in found.values()] == [None, None]
    assert [list(shown) for _, shown in list(found.values())[1].prompts()] == [[0], [0, 1, 2, 3]]


def test_what_is_counted_elsewhere_stays_in_the_prompt() -> None:
    found = list(read_transcripts([CASES / "fork-other-folder"], Intake()))
    assert [(at, len(shown)) for at, shown in found[1].prompts()] == [(9, 9)]
    assert [m.copied for m in found[1].messages] == [True] * 8 + [False] * 2
