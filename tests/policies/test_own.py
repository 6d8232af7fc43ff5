"""A policy over a recording of the agent that has it changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.formats.assembly import Assembly
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.presets import presets
from harness.policies.spec import make_policy
from harness.preview import reference_hint, render_preview
from harness.replay.measure import measure
from harness.replay.settings import ReplaySettings
from harness.testing.policies import drive
from harness.transcript import Message, ToolCall, Transcript

CASES = Path(__file__).parents[1] / "cases"
TOOLS = ("Bash", "Read", "mcp__a__b", "web_fetch", "lookup")
MODELLED = {"summarise_deepagents", "summarise_gemini", "summarise_cline"}
"""They replace messages by a summary, no result by a shorter one."""


def text(number: int, lines: int = 9_000) -> str:
    return "\n".join(
        f"{number:03}/{line:06} value={line * 7919 % 99991} /srv/data/part{line}.csv" for line in range(lines)
    )


def recording(contents: list[str]) -> Transcript:
    assembly = Assembly("own")
    assembly.add(Message("user", "the task"))
    for number, content in enumerate(contents):
        tool = TOOLS[number % len(TOOLS)]
        assembly.add(Message("assistant", calls=(ToolCall(tool, json.dumps({"command": "make"}), f"id-{number}"),)))
        assembly.answer(content, call_id=f"id-{number}", is_error=number % 7 == 5)
        if number % 4 == 3:
            assembly.add(Message("assistant", "done"))
            assembly.add(Message("user", "the next task"))
    assembly.add(Message("assistant", "done"))
    return assembly.transcript("own", "test")


@pytest.mark.parametrize("name", sorted(set(presets()) - MODELLED))
def test_a_preset_changes_nothing_of_what_its_agent_has_cut(name: str) -> None:
    many = 60 if name == "openhands_masking" else 12
    texts = [text(number, 100 if many == 60 else 4_700) for number in range(many)]
    shown = drive(name, recording(texts))[-1]
    contents = [shown[index].text for index in sorted(shown)]
    cut = [i for i, was, now in zip(sorted(shown), texts, contents, strict=True) if now != was]
    assert cut, "the policy cuts something here, or the test shows nothing"

    own = recording(contents)
    results = {i: m.result for i, m in enumerate(own.messages) if m.result is not None}
    assert all(results[i].clipped for i in cut)
    last = drive(name, own)[-1]
    assert [i for i in cut if last[i].text != results[i].content] == []


def test_a_tighter_setting_cuts_again() -> None:
    whole = recording([text(0)])
    shown = drive("codex", whole)[-1][2].text
    own = recording([shown])
    assert drive("codex:limit=20_000", own)[-1][2].text == shown
    assert drive("codex:min_bytes=10", own)[-1][2].text == shown
    assert len(drive("codex:limit=1_000", own)[-1][2].text) < len(shown) / 5


def test_car_over_its_own_recording_leaves_small_results_without_preview_alone() -> None:
    preview = render_preview("r1", text(0)) + reference_hint("r1")
    whole = render_preview("r2", 42) + reference_hint("r2")
    own = recording([preview, whole, "a short answer that got no preview"])
    for policy in ("car", "car:min_bytes=600", "car:text_head_bytes=50", "car_read"):
        views = drive(policy, own)[-1]
        assert [view.text for view in views.values()] == [preview, whole, "a short answer that got no preview"]
    assert [view.handle for view in drive("car", own)[-1].values()] == ["r1", None, None]


def test_another_agents_recording_is_cut_as_ever() -> None:
    shown = drive("codex", recording([text(0)]))[-1][2].text
    assert drive("mini_swe", recording([shown]))[-1][2].text != shown
    assert make_policy("middle:tokens4=10_000").preset is None


def test_the_recording_of_codex_stays_as_it_is_and_nothing_is_said_of_its_results() -> None:
    (transcript,) = read_transcripts([CASES / "a12-own-preset-cuts-again"], Intake())
    settings = ReplaySettings((), policies=("codex_2025",)).measures()
    row = measure(transcript, settings).policies["codex_2025"]["transcripts"]
    assert row["changed_results"] == [0]
    assert row["elided_bytes"] == [0]
    assert row["not_identified_results"] == [8]
