"""States of runs of the OpenAI Agents SDK."""

from __future__ import annotations

import json
from typing import Any

from harness.testing.formats import read
from harness.transcript import Usage


def usage(given: int, cached: int, made: int) -> dict[str, Any]:
    return {
        "requests": 1,
        "inputTokens": given,
        "outputTokens": made,
        "inputTokensDetails": [{"cached_tokens": cached}],
    }


STATE: dict[str, Any] = {
    "$schemaVersion": "1.0",
    "currentTurn": 2,
    "currentAgent": {"name": "shop"},
    "originalInput": "How many?",
    "modelResponses": [{"usage": usage(100, 0, 20), "output": []}, {"usage": usage(200, 96, 5), "output": []}],
    "generatedItems": [
        {
            "type": "reasoning_item",
            "rawItem": {"type": "reasoning", "content": [{"type": "input_text", "text": "I ask."}]},
        },
        {
            "type": "tool_call_item",
            "rawItem": {"type": "function_call", "callId": "c1", "name": "sql", "arguments": '{"someKey": 1}'},
        },
        {
            "type": "tool_call_output_item",
            "output": "x",
            "rawItem": {
                "type": "function_call_result",
                "callId": "c1",
                "name": "sql",
                "output": {"type": "text", "text": '{"rowCount": 7}'},
            },
        },
        {
            "type": "message_output_item",
            "rawItem": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Seven."}]},
        },
    ],
}
PYTHON = {
    "$schemaVersion": "1.4",
    "current_turn": 1,
    "original_input": [{"role": "user", "content": "Hi"}],
    "model_responses": [],
    "generated_items": [
        {
            "type": "tool_call_item",
            "raw_item": {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        },
        {
            "type": "tool_call_output_item",
            "raw_item": {"type": "function_call_output", "call_id": "c1", "output": "ok"},
        },
    ],
}
SAMPLES = {"state.json": json.dumps(STATE), "python.json": json.dumps(PYTHON)}


def test_items_are_answers_and_results_with_the_usage_of_each_request() -> None:
    (transcript,), intake = read("state.json", SAMPLES["state.json"].encode())
    assert not intake.problems
    assert not transcript.problems
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "assistant"]
    first = transcript.messages[1]
    assert (first.reasoning, first.calls[0].arguments) == ("I ask.", '{"someKey": 1}')
    assert [transcript.messages[i].usage for i in transcript.requests()] == [
        Usage(100, 0, None, 20),
        Usage(200, 96, None, 5),
    ]
    result = transcript.messages[2].result
    assert result is not None
    assert (result.content, result.call) == ('{"rowCount": 7}', (1, 0))


def test_the_state_of_the_python_sdk_is_in_snake_case() -> None:
    (transcript,), _ = read("python.json", SAMPLES["python.json"].encode())
    assert [m.role for m in transcript.messages] == ["user", "assistant", "tool"]
    assert not transcript.problems
