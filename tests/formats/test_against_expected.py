"""The reference recordings of coding agents against counts by an independent, rough reader.

A difference is one of ours or one of theirs; each that is left stands here with the right value and the reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.transcript import Transcript

FOLDERS = ("atif", "atif-derived", "claude-code", "cline", "codex", "gemini-cli", "pi")
WORKTREES = "claude-code/ccl-experiments-worktrees/ef958aa1-0e93-49f0-bb71-150f63befcd1"
REFERENCES = "a `tool_reference` is compact JSON here, and JSON with a blank after each `:` and `,` there: 3 bytes each"
OTHERWISE = {
    f"{WORKTREES}.jsonl": (18_332 - 7 * 3, REFERENCES),
    f"{WORKTREES}/subagents/agent-a4ca7529859c158c2.jsonl": (57_143 - 2 * 3, REFERENCES),
    f"{WORKTREES}/subagents/agent-a52886dc180afb356.jsonl": (2_923 - 14 * 3, REFERENCES),
    f"{WORKTREES}/subagents/agent-ab1e6e141221a29ab.jsonl": (13_909 - 2 * 3, REFERENCES),
    "cline/session.messages.json": (
        20_910,
        "seven results are lists of one object: compact JSON here, JSON with blanks and without the brackets there",
    ),
    "codex/codemie-rollout-2026-05-11T11-26-55-019e1625-789d-76c0-80ab-3724b5ddb799.jsonl": (
        340_820,
        "three apply_patch results were sent as JSON strings that wrap the output; they are counted as sent",
    ),
    "atif-derived/codex-codemie-112655.trajectory.json": (
        340_625,
        "the three apply_patch results end with a line break, which was stripped there",
    ),
    "gemini-cli/agentcmd-session-2025-10-27T19-55-981c87cb.json": (
        11_499 - 2 * len('{"error":""}') - 2,
        'two results are errors: their text here, `{"error": "..."}` there; both unwrap `{"output": "..."}`',
    ),
}
REQUESTS = {
    "claude-code/ccl-sample/37f83ec9-f2ea-42a9-925e-0d5c105cb6e8.jsonl": 105,
    "claude-code/codemie-session-196820da.jsonl": 47,
    f"{WORKTREES}.jsonl": 17,
    "codex/codemie-rollout-2026-05-11T11-26-55-019e1625-789d-76c0-80ab-3724b5ddb799.jsonl": 66,
    "atif-derived/codex-codemie-112655.trajectory.json": 66,
    "gemini-cli/agentcmd-session-2025-10-27T19-55-981c87cb.json": 15,
    "cline/session.messages.json": 16,
    "pi/large-session.jsonl": 453,
}


@pytest.fixture(scope="module")
def recordings(corpora: Path) -> dict[str, Transcript]:
    intake = Intake()
    found = {
        f"{folder}/{transcript.id}": transcript
        for folder in FOLDERS
        for transcript in read_transcripts([corpora / folder], intake)
    }
    assert intake.problems == []
    assert all(transcript.problems == () for transcript in found.values())
    return found


def counts(transcript: Transcript) -> tuple[int, int, int]:
    results = [m.result for m in transcript.messages if m.result]
    calls = sum(len(message.calls) for message in transcript.messages)
    return calls, len(results), sum(len(result.content.encode()) for result in results)


def test_every_recording_is_read_and_none_besides(
    recordings: dict[str, Transcript], expected: dict[str, dict[str, Any]]
) -> None:
    assert set(recordings) == {name for name in expected if name.startswith(tuple(f"{f}/" for f in FOLDERS))}


def test_calls_results_and_bytes(recordings: dict[str, Transcript], expected: dict[str, dict[str, Any]]) -> None:
    theirs = {name: (e["calls"], e["results"], e["total"]) for name, e in expected.items() if name in recordings}
    right = {name: (*three[:2], OTHERWISE.get(name, (three[2], ""))[0]) for name, three in theirs.items()}
    assert {name: counts(transcript) for name, transcript in recordings.items()} == right


def test_no_difference_is_explained_that_is_none(expected: dict[str, dict[str, Any]]) -> None:
    assert all(expected[name]["total"] != total and reason for name, (total, reason) in OTHERWISE.items())


def test_requests(recordings: dict[str, Transcript]) -> None:
    assert {name: len(recordings[name].requests()) for name in REQUESTS} == REQUESTS


def test_every_result_has_its_call(recordings: dict[str, Transcript]) -> None:
    assert all(m.result.call is not None for t in recordings.values() for m in t.messages if m.result)


def test_prompts_grow_with_recorded_usage(recordings: dict[str, Transcript]) -> None:
    """From request to request the recorded prompt grows in step with ours: the prompts are put together rightly.

    Four bytes stand for a token here. Left out are recordings with short prompts, and the requests after a search of
    the provider or a load of tools, whose text is not recorded.
    """
    for name in (
        "claude-code/ccl-sample/37f83ec9-f2ea-42a9-925e-0d5c105cb6e8.jsonl",
        "gemini-cli/agentcmd-session-2025-10-27T19-55-981c87cb.json",
        "codex/codemie-rollout-2026-05-11T11-26-55-019e1625-789d-76c0-80ab-3724b5ddb799.jsonl",
    ):
        pairs = list(growth(recordings[name]))
        assert len(pairs) > 10
        ours, recorded = (sum(column) for column in zip(*pairs, strict=True))
        within = sum(0.5 < (b + 60) / (a + 60) < 2.0 for a, b in pairs)
        assert 0.75 < recorded / ours < 1.6, name
        assert within > 0.85 * len(pairs), name


def growth(transcript: Transcript) -> list[tuple[float, int]]:
    found: list[tuple[float, int]] = []
    before: tuple[float, int] | None = None
    for at, shown in transcript.prompts():
        usage = transcript.messages[at].usage
        if usage is None or usage.input_tokens is None:
            continue
        size = sum(4 + len("".join(_said(transcript, i)).encode()) / 4 for i in shown)
        if before is not None:
            found.append((size - before[0], usage.input_tokens - before[1]))
        before = size, usage.input_tokens
    return found


def _said(transcript: Transcript, index: int) -> list[str]:
    message = transcript.messages[index]
    calls = [part for call in message.calls for part in (call.name, call.arguments)]
    return [message.text, *calls, *([message.result.content] if message.result else [])]


def test_opencode_against_its_own_parts(corpora: Path) -> None:
    (file,) = (corpora / "opencode-split").glob("*.json")
    parts = [json.loads(part["data"]) for part in json.loads(file.read_bytes())["parts"]]
    states = [part["state"] for part in parts if part["type"] == "tool"]
    said = [state.get("output") or state.get("error") or "" for state in states]
    intake = Intake()
    (transcript,) = read_transcripts([file], intake)
    assert intake.problems == []
    assert counts(transcript) == (len(states), len(said), sum(len(text.encode()) for text in said))
    assert len(transcript.requests()) == sum(part["type"] == "step-start" for part in parts)


def test_what_holds_nothing_is_skipped_with_a_sentence(corpora: Path) -> None:
    intake = Intake()
    assert list(read_transcripts([corpora / "claude-code-negatives"], intake)) == []
    assert intake.problems == []
    assert [reason for _, reason in intake.skipped] == [
        "empty file",
        "a session without messages (only its title or settings)",
    ]
