"""What an exporter writes, the format's own reader reads back equal, but for what the exporter says it cannot hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from harness.errors import HarnessError
from harness.export import TRANSCRIPT_EXPORTERS, exporter_named
from harness.formats import FORMATS
from harness.testing.formats import check_sound, read
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript, Usage
from tests.export.strategies import transcripts

READERS = {"claude-code": "claude-code", "openai-messages": "openai-chat", "atif": "atif"}


def read_back(name: str, transcript: Transcript) -> Transcript:
    reader = READERS[name]
    if reader not in FORMATS:
        pytest.skip(f"there is no reader for {reader} yet")
    exporter = exporter_named(name)
    data = exporter.export(transcript)
    assert data == exporter.export(transcript)
    assert data.decode("utf-8")
    (found,), intake = read("run" + exporter.suffix, data)
    assert intake.problems == []
    assert found.problems == ()
    assert found.format == reader
    check_sound(found)
    return found


SIMPLE = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(transcripts())
@SIMPLE
def test_openai_messages(transcript: Transcript) -> None:
    found = read_back("openai-messages", transcript)
    assert found.messages == transcript.messages
    assert (found.model, found.cluster, found.tools) == (
        transcript.model,
        transcript.cluster,
        transcript.tools,
    )
    assert found.id == f"run.jsonl#{transcript.id[:200] or 1}"


@given(transcripts())
@SIMPLE
def test_openai_messages_keep_what_was_recorded_as_json(transcript: Transcript) -> None:
    messages = tuple(
        replace(m, result=replace(m.result, is_json=n % 2 == 0)) if m.result is not None else m
        for n, m in enumerate(transcript.messages)
    )
    found = read_back("openai-messages", replace(transcript, messages=messages))
    assert found.messages == messages


@given(transcripts())
@SIMPLE
def test_claude_code(transcript: Transcript) -> None:
    if not any(m.role != "system" for m in transcript.messages):
        return
    found = read_back("claude-code", transcript)
    expected = without_system(transcript)
    assert found.messages == expected
    assert found.cluster == transcript.cluster
    assert found.tools is None


@given(transcripts())
@SIMPLE
def test_atif(transcript: Transcript) -> None:
    found = read_back("atif", transcript)
    assert found.messages == in_steps(transcript)
    assert (found.tools, found.cluster) == (transcript.tools, transcript.cluster)


def without_system(transcript: Transcript) -> tuple[Message, ...]:
    """The messages that a session file holds, the calls of results renumbered."""
    kept = [i for i, m in enumerate(transcript.messages) if m.role != "system"]
    return renumbered(transcript, kept, lambda message: message)


def in_steps(transcript: Transcript) -> tuple[Message, ...]:
    """The messages with every result behind its call's and with its time, as steps hold them."""
    order: list[int] = []
    for i, message in enumerate(transcript.messages):
        if message.result is None:
            order.append(i)
            order += [
                j
                for j, other in enumerate(transcript.messages)
                if other.result is not None and other.result.call is not None and other.result.call[0] == i
            ]

    def in_step(message: Message) -> Message:
        call = message.result.call if message.result is not None else None
        time = message.time if call is None else transcript.messages[call[0]].time
        return replace(message, message_id=None, time=time)

    return renumbered(transcript, order, in_step)


def renumbered(transcript: Transcript, order: list[int], change: Callable[[Message], Message]) -> tuple[Message, ...]:
    places = {old: new for new, old in enumerate(order)}
    found = []
    for old in order:
        message = change(transcript.messages[old])
        if message.result is not None and message.result.call is not None:
            at, position = message.result.call
            message = replace(message, result=replace(message.result, call=(places[at], position)))
        found.append(message)
    return tuple(found)


@pytest.mark.parametrize("name", TRANSCRIPT_EXPORTERS)
def test_a_rewritten_prompt_is_refused(name: str) -> None:
    transcript = Transcript("t", "x", (Message("user", "a"), Message("user", "b")), cuts=(Cut(1, (), "compacted"),))
    with pytest.raises(HarnessError, match="t: its prompt was compacted before message 1"):
        exporter_named(name).export(transcript)


@pytest.mark.parametrize("name", ["claude-code", "openai-messages"])
def test_copied_messages_are_refused(name: str) -> None:
    with pytest.raises(HarnessError, match="copied from another recording"):
        exporter_named(name).export(Transcript("t", "x", (Message("assistant", "a", copied=True),)))


def test_a_bare_command_and_a_missing_id_are_made_whole() -> None:
    answer = Message("assistant", calls=(ToolCall("bash", "ls -l"),), usage=Usage(10, None, None, 600), time=1.5)
    result = Message("tool", result=ToolResult("total 0", "bash", None, (0, 0)))
    stray = Message("tool", result=ToolResult("?", "", None, None))
    transcript = Transcript("t", "x", (answer, result, stray), model="m")
    found = {}
    for name, reader in READERS.items():
        if reader in FORMATS:
            (back,), _ = read("run" + exporter_named(name).suffix, exporter_named(name).export(transcript))
            found[name] = back.messages[0].calls[0]
            first = back.messages[1].result
            assert first is not None
            assert first.call == (0, 0)
    assert found["openai-messages"] == ToolCall("bash", "ls -l", "call_0_0")
    assert found["claude-code"] == ToolCall("bash", '{"input":"ls -l"}', "call_0_0")


def test_images_keep_their_number() -> None:
    messages = (
        Message("user", "see", images=2),
        Message("assistant", "", calls=(ToolCall("look", "{}", "a"),)),
        Message("tool", result=ToolResult("shot", "look", "a", (1, 0)), images=1),
    )
    for name in ("openai-messages", "claude-code"):
        found = read_back(name, Transcript("t", "x", messages))
        assert [m.images for m in found.messages] == [2, 0, 1], name
        assert found.messages[2].result == messages[2].result
