from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage

ITEMS: list[dict[str, Any]] = [
    {"role": "developer", "content": "You help."},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go."}, {"type": "input_image"}]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "gA"},
    {"type": "function_call", "call_id": "c1", "name": "read", "arguments": '{"path":"x"}', "id": "fc_1"},
    {"type": "function_call", "call_id": "c2", "name": "list", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c2", "output": "a\nb"},
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "1: x"}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
]
USAGE = {"input_tokens": 40, "output_tokens": 9, "input_tokens_details": {"cached_tokens": 32}}
TOOL = {"type": "function", "name": "read", "parameters": {}}


def response(name: str, output: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "object": "response",
        "model": "m-1",
        "created_at": 1700000000,
        "output": output,
        "usage": USAGE,
        **more,
    }


MCP = [
    {
        "type": "mcp_call",
        "id": "mcp_1",
        "name": "search",
        "server_label": "docs",
        "arguments": '{"q":"x"}',
        "output": "found",
    },
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "y"}},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here."}]},
]
FIRST = {
    "model": "m-1",
    "instructions": "Be brief.",
    "tools": [TOOL],
    "input": "Find x.",
    "response": response("r1", MCP),
}
SECOND = {
    "model": "m-1",
    "previous_response_id": "r1",
    "input": [{"role": "user", "content": "More."}],
    "response": response("r2", [ITEMS[3]]),
}
THIRD = {"model": "m-1", "previous_response_id": "r2", "input": [ITEMS[6]], "response": response("r3", [ITEMS[7]])}
SAMPLES = {
    "items.json": json.dumps(ITEMS).encode(),
    "chain.jsonl": b"\n".join(json.dumps(r).encode() for r in (FIRST, SECOND, THIRD)) + b"\n",
    "wrapped.json": json.dumps({"request": {"model": "m", "input": ITEMS}, "response": response("r9", MCP)}).encode(),
}


def test_a_run_of_what_the_model_made_is_one_answer() -> None:
    (run,), intake = read("items.json", SAMPLES["items.json"])
    assert intake.problems == []
    assert run.problems == ()
    assert [m.role for m in run.messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    answer = run.messages[2]
    assert answer.calls == (ToolCall("read", '{"path":"x"}', "c1"), ToolCall("list", "{}", "c2"))
    assert (answer.reasoning, answer.encrypted, run.messages[1].images) == ("hm", 1, 1)
    assert [(r.content, r.name, r.call) for m in run.messages if (r := m.result)] == [
        ("a\nb", "list", (2, 1)),
        ("1: x", "read", (2, 0)),
    ]


def test_requests_that_name_the_one_before_hold_its_prompt_and_answer() -> None:
    (run,), intake = read("chain.jsonl", SAMPLES["chain.jsonl"])
    assert intake.problems == []
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert [list(shown) for _, shown in run.prompts()] == [[0, 1], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6]]
    assert [m.usage for m in run.messages if m.usage] == [Usage(40, 32, None, 9)] * 3
    assert run.tools == (json.dumps(TOOL, separators=(",", ":")),)
    assert run.messages[2].time == 1700000000


def test_a_tool_that_the_server_ran_has_its_result_behind_the_answer() -> None:
    (run,), _ = read("chain.jsonl", SAMPLES["chain.jsonl"])
    assert [c.name for c in run.messages[2].calls] == ["search", "web_search"]
    result = run.messages[3].result
    assert result is not None
    assert (result.content, result.name, result.call) == ("found", "search", (2, 0))


def test_a_request_whose_forerunner_is_not_recorded_says_so() -> None:
    (run,), _ = read("one.json", json.dumps(SECOND).encode())
    assert [p.reason for p in run.problems] == [
        "goes on from response 'r1', which is not recorded: its prompt is not whole"
    ]
    assert len(run.messages) == 2


def test_a_request_and_its_response_apart() -> None:
    (run,), _ = read("wrapped.json", SAMPLES["wrapped.json"])
    assert (run.format, len(run.messages)) == ("openai-responses", 8)


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("openai-responses", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("openai-responses", name, SAMPLES[name], 2000, seed=2)
