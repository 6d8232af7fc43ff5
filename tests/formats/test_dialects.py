"""What is particular to a dialect, and broken copies of every dialect and container."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import Transcript, Usage
from tests.formats.container_samples import CONTAINERS
from tests.formats.dialect_samples import SAMPLES as IN_DIALECTS

NEW = ("har", "nock", "proxy-log", "langsmith", "phoenix")
SAMPLES = {
    **{f"{name}.json": json.dumps({s.key: s.conversation()}).encode() for name, s in IN_DIALECTS.items()},
    **{f"{name}-{CONTAINERS[name][0]}": CONTAINERS[name][1](IN_DIALECTS["openai-chat"].requests()) for name in NEW},
}


def one(messages: list[Any], key: str = "messages") -> Transcript:
    (run,), intake = read("x.json", json.dumps({key: messages}).encode())
    assert intake.problems == []
    return run


def results(run: Transcript) -> list[tuple[str, bool, bool | None]]:
    return [(m.result.content, m.result.is_json, m.result.is_error) for m in run.messages if m.result]


def test_documents_of_cohere_are_json_unless_they_are_text() -> None:
    calls = [{"id": i, "function": {"name": "f", "arguments": "{}"}} for i in "ab"]
    run = one(
        [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "tool_plan": "I ask twice.", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "document", "document": {"data": {"n": 1}}}]},
            {"role": "tool", "tool_call_id": "b", "content": [
                {"type": "document", "document": {"id": "0", "data": "one"}},
                {"type": "document", "document": {"id": "1", "data": "two"}}]},
        ]
    )  # fmt: skip
    assert run.messages[1].text == "I ask twice."
    assert results(run) == [('{"n":1}', True, None), ("one\ntwo", False, None)]


def test_results_of_bedrock_in_parts_and_reasoning() -> None:
    use = {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}
    thought = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}}
    given = {"toolUseId": "a", "status": "error", "content": [{"json": {"n": 1}}]}
    run = one(
        [
            {"role": "user", "content": [{"text": "Go."}, {"cachePoint": {"type": "default"}}]},
            {"role": "assistant", "content": [thought, use]},
            {"role": "user", "content": [{"toolResult": given}, {"text": "Hurry."}]},
        ]
    )
    assert run.messages[1].reasoning == "hm"
    assert results(run) == [('{"n":1}', True, True)]
    assert [m.role for m in run.messages] == ["user", "assistant", "tool", "user"]


def test_a_chat_of_vercel_holds_call_and_result_in_one_part_and_a_request_a_step() -> None:
    parts = [
        {"type": "step-start"},
        {"type": "tool-look", "toolCallId": "a", "state": "output-available", "input": {"x": 1}, "output": {"n": 1}},
        {"type": "step-start"},
        {"type": "dynamic-tool", "toolName": "mcp", "toolCallId": "b", "state": "output-error", "input": {},
         "errorText": "no"},
        {"type": "step-start"},
        {"type": "text", "text": "Done."},
        {"type": "source-url", "url": "example.com"},
    ]  # fmt: skip
    run = one([{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Go."}]},
               {"id": "2", "role": "assistant", "parts": parts}])  # fmt: skip
    assert len(run.requests()) == 3
    assert [call.name for m in run.messages for call in m.calls] == ["look", "mcp"]
    assert results(run) == [('{"n":1}', True, None), ("no", False, True)]
    old = {"role": "assistant", "content": "Done.", "toolInvocations": [
        {"state": "result", "toolCallId": "a", "toolName": "look", "args": {}, "result": "x"}]}  # fmt: skip
    assert results(one([{"role": "user", "content": "Go."}, old])) == [("x", False, None)]


def test_a_failed_tool_and_usage_of_pydantic_ai() -> None:
    run = one(
        [
            {"kind": "request", "instructions": "Be brief.", "parts": [
                {"part_kind": "user-prompt", "content": ["a", "b"]}]},
            {"kind": "response", "model_name": "m", "usage": {"request_tokens": 9, "response_tokens": 2},
             "parts": [{"part_kind": "tool-call", "tool_name": "f", "args": "{}", "tool_call_id": "c"}]},
            {"kind": "request", "instructions": "Be brief.", "parts": [
                {"part_kind": "retry-prompt", "tool_name": "f", "tool_call_id": "c", "content": "Not so."}]},
        ]
    )  # fmt: skip
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool"]
    assert run.messages[2].usage == Usage(9, None, None, 2)
    assert results(run) == [("Not so.", False, True)]


def test_a_message_of_strands_that_a_guardrail_took_out() -> None:
    usage = {"inputTokens": 5, "outputTokens": 2, "cacheReadInputTokens": 10}
    answer = {"role": "assistant", "content": [{"text": "Hello."}], "metadata": {"usage": usage}}
    run = one(
        [
            {"message": {"role": "user", "content": [{"text": "secret"}]}, "message_id": 0,
             "redact_message": {"role": "user", "content": [{"text": "[gone]"}]}, "created_at": "2026-01-01T00:00:00Z"},
            {"message": answer, "message_id": 1, "redact_message": None, "created_at": "2026-01-01T00:00:01Z"},
        ]
    )  # fmt: skip
    assert [m.text for m in run.messages] == ["[gone]", "Hello."]
    assert run.messages[1].usage == Usage(15, 10, None, 2)
    assert run.messages[1].time == 1767225601


def test_an_error_of_agentdojo_is_what_the_model_was_shown() -> None:
    call = {"function": "f", "args": {}, "id": "c"}
    run = one(
        [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "content": "", "tool_call_id": "c", "tool_call": call, "error": "ValueError: no"},
        ]
    )
    assert results(run) == [("ValueError: no", False, True)]


def test_code_that_gemini_ran_itself() -> None:
    parts = [{"executableCode": {"code": "1+1"}}, {"codeExecutionResult": {"output": "2"}}, {"text": "Two."}]
    run = one([{"role": "user", "parts": [{"text": "1+1?"}]}, {"role": "model", "parts": parts}], "contents")
    assert [m.role for m in run.messages] == ["user", "assistant", "tool"]
    assert results(run) == [("2", False, None)]


def test_a_part_of_an_unknown_kind_is_a_problem_and_no_image() -> None:
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": [{"type": "text", "text": "So."}, {"type": "hologram", "data": "x"}]},
    ]
    run = one(messages)
    assert run.messages[1].images == 0
    (problem,) = run.problems
    assert (problem.place, problem.lost) == ("x.json: messages[1]", 1)
    assert "hologram" in problem.reason


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    format_name = next(n for n in (*NEW, *IN_DIALECTS) if name.startswith(n))
    if not name.endswith(".db"):
        survive(format_name, name, SAMPLES[name], 60)
