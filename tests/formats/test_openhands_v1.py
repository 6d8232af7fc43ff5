from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import HOSTILE, check_sound, read, survive
from harness.transcript import Cut, ToolCall, Transcript


def event(number: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"id": f"e{number}", "timestamp": "2026-02-18T19:10:19.5", "source": "agent", "kind": kind, **more}


def text(*texts: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": t, "cache_prompt": False} for t in texts]


def action(number: int, response: str, call_id: str, name: str, thought: str = "") -> dict[str, Any]:
    return event(
        number,
        "ActionEvent",
        thought=text(thought) if thought else [],
        thinking_blocks=[{"type": "thinking", "thinking": "hm", "signature": "x"}] if thought else [],
        action={"command": "ls"},
        tool_name=name,
        tool_call_id=call_id,
        tool_call={"id": call_id, "name": name, "arguments": '{"command": "ls"}'},
        llm_response_id=response,
    )


def observation(number: int, action_id: str, call_id: str, said: str, **more: Any) -> dict[str, Any]:
    seen = {"content": text(said), "is_error": False, **more}
    return event(
        number, "ObservationEvent", action_id=action_id, tool_call_id=call_id, tool_name="terminal", observation=seen
    )


EVENTS = [
    event(0, "SystemPromptEvent", system_prompt={"type": "text", "text": "You help."}, tools=[{"title": "terminal"}],
          dynamic_context={"type": "text", "text": "Skills."}),
    event(1, "MessageEvent", source="user", llm_message={"role": "user", "content": text("Go.")},
          extended_content=text("!")),
    event(2, "ConversationStateUpdateEvent", key="x"),
    action(3, "r1", "same", "terminal", "Two."),
    action(4, "r1", "t2", "terminal"),
    observation(5, "e4", "t2", "second", exit_code=3, is_error=True),
    observation(6, "e3", "same", "first", exit_code=0),
    action(7, "r2", "same", "terminal", "Again."),
    event(8, "AgentErrorEvent", tool_name="terminal", tool_call_id="same", error="no such tool"),
    event(9, "Condensation", forgotten_event_ids=["e3", "e4", "e5", "e6"], summary="Looked.", summary_offset=2),
    event(10, "MessageEvent", llm_message={"role": "assistant", "content": text("Done.")}, llm_response_id="r3"),
]  # fmt: skip


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for number, value in enumerate(EVENTS):
            file.writestr(f"c1/events/event-{number:05}-x.json", json.dumps(value))
        file.writestr("c1/base_state.json", "{}")
    return buffer.getvalue()


def directory(folder: Path) -> Path:
    events = folder / "conversation" / "events"
    events.mkdir(parents=True)
    for number, value in enumerate(EVENTS):
        (events / f"event-{number:05}-x.json").write_text(json.dumps(value), encoding="utf-8")
    state = {"agent": {"llm": {"model": "m-9"}}}
    (folder / "conversation" / "base_state.json").write_text(json.dumps(state), encoding="utf-8")
    return events


SAMPLES = {"events.json": json.dumps(EVENTS).encode(), "conversation.zip": archive()}


def check(run: Transcript) -> None:
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        "system", "system", "user", "assistant", "tool", "tool", "assistant", "tool", "user", "assistant",
    ]  # fmt: skip
    assert run.messages[2].text == "Go.!"
    answer = run.messages[3]
    assert (answer.text, answer.reasoning, answer.message_id) == ("Two.", "hm", "r1")
    assert answer.calls == (
        ToolCall("terminal", '{"command": "ls"}', "same"),
        ToolCall("terminal", '{"command": "ls"}', "t2"),
    )
    assert [(r.content, r.call, r.exit_code, r.is_error) for m in run.messages if (r := m.result)] == [
        ("second", (3, 1), 3, True),
        ("first", (3, 0), 0, False),
        ("no such tool", (6, 0), None, True),
    ]
    assert run.cuts == (Cut(9, (0, 1, 2, 8, 6, 7), "compacted"),)
    assert run.resends_reasoning
    assert run.tools == ('{"title":"terminal"}',)


def test_a_list_and_an_archive_of_events() -> None:
    for name, transcript_id in [("events.json", "events.json"), ("conversation.zip", "conversation.zip#c1/events")]:
        (run,), intake = read(name, SAMPLES[name])
        assert intake.problems == []
        assert (run.id, run.format) == (transcript_id, "openhands-v1")
        check(run)


def test_a_directory_of_events_is_one_run(tmp_path: Path) -> None:
    directory(tmp_path)
    intake = Intake()
    (run,) = read_transcripts([tmp_path], intake)
    assert (run.id, run.model) == ("conversation/events", "m-9")
    assert intake.problems == []
    check(run)


def test_a_broken_event_costs_itself_only(tmp_path: Path) -> None:
    events = directory(tmp_path)
    (events / "event-00006-x.json").write_text('{"id": "e6", "kin', encoding="utf-8")
    (events / "event-00007-x.json").write_text("[1]", encoding="utf-8")
    intake = Intake()
    (run,) = read_transcripts([events], intake)
    assert [p.place for p in intake.problems] == ["events: event-00006-x.json"]
    assert run.problems[0].place == "events: event-00007-x.json"
    assert len(run.messages) == 8


def test_the_recorded_run(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    name = "openhands-v1/cli447_hi_followup_iterative_case_a"
    (run,) = read_transcripts([corpora / name], Intake())
    results = [m.result for m in run.messages if m.result]
    figures = expected[name]
    assert sum(len(m.calls) for m in run.messages) == figures["calls"]
    assert (len(results), sum(len(r.content.encode()) for r in results)) == (figures["results"], figures["total"])
    assert all(r.call is not None for r in results)
    assert run.problems == ()


def test_mutants() -> None:
    survive("openhands-v1", "events.json", SAMPLES["events.json"], 150)


def test_mutated_archives() -> None:
    dice = random.Random(3)
    data = SAMPLES["conversation.zip"]
    for _ in range(50):
        copy = bytearray(data)
        for _ in range(dice.randint(1, 6)):
            copy[dice.randrange(4, len(copy))] = dice.randrange(256)
        runs, _ = read("conversation.zip", bytes(copy), "openhands-v1")
        for run in runs:
            check_sound(run)


def test_mutated_directories(tmp_path: Path) -> None:
    events = directory(tmp_path)
    dice = random.Random(4)
    for file in sorted(events.iterdir()):
        kept = file.read_bytes()
        for value in dice.sample(HOSTILE, 6):
            file.write_text(json.dumps(value), encoding="utf-8")
            for run in read_transcripts([events], Intake(), "openhands-v1"):
                check_sound(run)
        file.write_bytes(kept)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("openhands-v1", "events.json", SAMPLES["events.json"], 2000, seed=2)
