"""Files beside sessions are skipped, each with its sentence."""

from __future__ import annotations

import json

import pytest

from harness.testing.formats import check_one, mutants, read

PROMPT = {"display": "Go.", "pastedContents": {}, "timestamp": 1, "project": "/w"}
CONTEXT = [{"role": "_checkpoint", "id": 0}, {"role": "user", "content": "Go."}]
SAMPLES = {
    "history.md": b"\n# aider chat started at 2026-01-01 10:00:00\n\n#### fix it\n\n> Applied edit to a.py\n",
    "fake.json": b'{"method":"generateContentStream","response":[]}\n{"method":"generateContent","response":{}}\n',
    "agent-1.meta.json": json.dumps({"agentType": "explore", "description": "Look"}).encode(),
    "context.jsonl": b"\n".join(json.dumps(line).encode() for line in CONTEXT),
    "claude.jsonl": json.dumps(PROMPT).encode() + b"\n" + json.dumps(PROMPT).encode(),
    "codex.jsonl": b'{"session_id":"s1","ts":1,"text":"Go."}\n',
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_side_file_is_skipped_with_its_sentence(name: str) -> None:
    transcripts, intake = read(name, SAMPLES[name])
    assert transcripts == []
    assert intake.problems == []
    ((skipped, sentence),) = intake.skipped
    assert skipped == name
    assert "no known format" not in sentence
    assert len(sentence) > 20


def test_each_has_a_sentence_of_its_own() -> None:
    assert len({read(name, data)[1].skipped[0][1] for name, data in SAMPLES.items()}) == len(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_broken_copies_are_read_or_refused_by_name(name: str) -> None:
    for mutant in mutants(SAMPLES[name] if name != "history.md" else b'["# aider chat started at"]', 50, 1):
        check_one("side-files", name, mutant)
