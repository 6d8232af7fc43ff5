"""Recorded usage: additive, contained, and what contradicts itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.formats.record import Record
from harness.formats.usage import additive, contained, either, usage_of
from harness.show.inspect import describe, inspection_text
from harness.transcript import Transcript, Usage
from tests.formats.test_cline import TASK

CASES = Path(__file__).parents[1] / "cases"


def only(path: Path) -> Transcript:
    (transcript,) = read_transcripts([path], Intake())
    return transcript


def usages(transcript: Transcript) -> list[Usage | None]:
    return [transcript.messages[i].usage for i in transcript.requests()]


def test_a_part_never_exceeds_its_whole() -> None:
    with pytest.raises(ValueError, match="120 tokens read"):
        Usage(100, 90, 30, 5)
    with pytest.raises(ValueError, match="40 tokens for an hour, of 30"):
        Usage(100, 50, 30, 5, 40)
    assert Usage(None, 90, 30, 5).cached_tokens == 90


def test_parts_beside_the_input_are_added() -> None:
    assert additive(5, 90, 10, 77, 4) == Usage(105, 90, 10, 77, 4)
    assert additive(5, 90, 10, 77, 11) == Usage(105, 90, 10, 77)
    assert additive(0, 0, None, 0) is None
    assert additive(-3, 90, 10, 7) == Usage(None, 90, 10, 7)


def test_counts_that_contradict_each_other_leave_the_prompt_unknown() -> None:
    assert contained(100, 90, 10, 7) == Usage(100, 90, 10, 7)
    assert contained(100, 90, 11, 7) == Usage(None, None, None, 7)


def test_the_total_tells_or_the_sizes() -> None:
    assert either(100, 40, 10, 7, 107) == Usage(100, 40, 10, 7)
    assert either(100, 40, 10, 7, 157) == Usage(150, 40, 10, 7)
    assert either(100, 400, 10, 7) == Usage(510, 400, 10, 7)


def test_tokens_kept_for_an_hour() -> None:
    record = {
        "input_tokens": 4,
        "cache_read_input_tokens": 1000,
        "cache_creation_input_tokens": 300,
        "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 200},
        "output_tokens": 9,
    }
    assert usage_of(Record(record, "x", lambda _: None)) == Usage(1304, 1000, 300, 9, 200)


def test_opencode_adds_reasoning_to_the_output() -> None:
    assert usages(only(CASES / "opencode-reasoning")) == [Usage(9200, 8000, 200, 800)]


def test_gemini_adds_what_its_tools_put_into_the_prompt() -> None:
    assert usages(only(CASES / "gemini-tool-tokens")) == [Usage(17, 0, None, 5)]


def test_a_trace_whose_cache_counts_stand_apart() -> None:
    assert usages(only(CASES / "otel-additive")) == [Usage(4096, 1800, 248, 9)]


def _span(number: int, **counts: int) -> dict[str, Any]:
    said = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": f"{number}"}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "so"}]}]),
    }
    usage = {
        f"gen_ai.usage.{name}": n
        for name, n in zip(
            ("input_tokens", "cache_read.input_tokens", "output_tokens", "total_tokens"), counts.values(), strict=False
        )
    }
    attributes = [{"key": k, "value": {"stringValue": v}} for k, v in said.items()]
    attributes += [{"key": k, "value": {"intValue": str(v)}} for k, v in usage.items()]
    return {
        "traceId": "t",
        "spanId": f"s{number}",
        "name": "chat",
        "startTimeUnixNano": str((1_777_629_600 + number) * 10**9),
        "endTimeUnixNano": str((1_777_629_601 + number) * 10**9),
        "attributes": attributes,
    }


def _trace(tmp_path: Path, *spans: dict[str, Any]) -> list[Usage | None]:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), encoding="utf-8")
    return [u for t in read_transcripts([path], Intake()) for u in usages(t)]


def test_one_span_tells_how_a_trace_counts(tmp_path: Path) -> None:
    apart = _trace(tmp_path, _span(1, given=4000, read=3000, made=5), _span(2, given=10, read=7000, made=5))
    assert apart == [Usage(7000, 3000, None, 5), Usage(7010, 7000, None, 5)]
    within = _trace(tmp_path, _span(1, given=4000, read=3000, made=5), _span(2, given=8000, read=7000, made=5))
    assert within == [Usage(4000, 3000, None, 5), Usage(8000, 7000, None, 5)]
    told = _trace(tmp_path, _span(1, given=4000, read=3000, made=5, total=7005))
    assert told == [Usage(7000, 3000, None, 5)]


def test_the_model_is_that_of_the_line_whose_usage_counts() -> None:
    transcript = only(CASES / "model-fallback-mid-answer")
    answer = transcript.messages[transcript.requests()[0]]
    assert (answer.model, answer.usage) == ("claude-sonnet-5", Usage(6004, 5000, 1000, 260))


def test_a_sub_agent_without_a_file_is_said(tmp_path: Path) -> None:
    case = CASES / "subagent-file-missing" / "p"
    sentence = "a sub-agent of 61,234 tokens is not part of this: no file"
    transcript = only(case)
    assert sentence in transcript.notes
    assert sentence in inspection_text([describe(transcript)], Intake())
    session = next(case.iterdir())
    (tmp_path / session.name).write_bytes(session.read_bytes())
    agent = tmp_path / session.stem / "subagents" / "agent-zz9.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(session.read_bytes().replace(b'"isSidechain": false', b'"isSidechain": true, "agentId": "zz9"'))
    (own,) = (t for t in read_transcripts([tmp_path], Intake()) if t.parent is None)
    assert own.notes == ()


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        ({"input": 10, "input_cached_tokens": 30, "output": 4, "output_reasoning_tokens": 2}, Usage(40, 30, None, 6)),
        ({"input": 10, "cache_read_input_tokens": 30, "output": 4, "total": 44}, Usage(40, 30, None, 4)),
        ({"input": 40, "input_cached_tokens": 30, "output": 4, "total": 44}, Usage(40, 30, None, 4)),
        ({"input": 40, "output": 4}, Usage(40, None, None, 4)),
    ],
)
def test_langfuse_with_and_without_a_total(tmp_path: Path, details: dict[str, int], usage: Usage) -> None:
    generation = {
        "id": "g",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": "2026-05-01T10:00:00Z",
        "input": [{"role": "user", "content": "hi"}],
        "output": {"role": "assistant", "content": "so"},
        "usageDetails": details,
    }
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"trace": {}, "observations": [generation]}), encoding="utf-8")
    assert usages(only(path)) == [usage]


def _cline_task(folder: Path, *requests: dict[str, Any]) -> Transcript:
    (folder / "api_conversation_history.json").write_text(json.dumps(TASK), encoding="utf-8")
    told = [{"ts": 1, "type": "say", "say": "text", "text": "hello"}]
    told += [{"ts": 2, "type": "say", "say": "api_req_started", "text": json.dumps(said)} for said in requests]
    (folder / "ui_messages.json").write_text(json.dumps(told), encoding="utf-8")
    (transcript,) = (t for t in read_transcripts([folder], Intake()) if t.format == "cline")
    return transcript


def test_usage_of_an_editor_task_stands_in_another_file(tmp_path: Path) -> None:
    used = {"request": "…", "tokensIn": 7, "tokensOut": 20, "cacheWrites": 30, "cacheReads": 400, "cost": 0.1}
    whole = {"tokensIn": 437, "tokensOut": 20, "cacheReads": 400, "apiProtocol": "openai"}
    never_answered = {"request": "…"}
    transcript = _cline_task(tmp_path, used, never_answered, used, whole, whole)
    assert usages(transcript) == [Usage(437, 400, 30, 20)] * 2 + [Usage(437, 400, None, 20)] * 2


def test_usage_that_cannot_be_matched_is_left_out_and_said(tmp_path: Path) -> None:
    transcript = _cline_task(tmp_path, {"tokensIn": 7, "tokensOut": 20})
    assert usages(transcript) == [None] * 4
    assert "usage: the client's requests cannot be matched with the answers" in transcript.unknown
