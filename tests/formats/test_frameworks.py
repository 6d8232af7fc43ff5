"""Runs as smolagents and AutoGen keep them, and ShareGPT's conversations."""

from __future__ import annotations

import json

from harness.testing.formats import read
from harness.transcript import Usage

STEPS = [
    {"system_prompt": "Be brief."},
    {"task": "How many?"},
    {
        "step_number": 1,
        "timing": {"start_time": 1_790_000_000.0, "end_time": 1_790_000_001.0},
        "model_output": "I count.",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "python_interpreter", "arguments": "print(7)"}}
        ],
        "observations": "7\n",
        "error": None,
        "token_usage": {"input_tokens": 90, "output_tokens": 9, "total_tokens": 99},
    },
    {
        "step_number": 2,
        "model_output": "Oops",
        "tool_calls": [],
        "observations": None,
        "error": {"type": "E", "message": "no code"},
    },
    {
        "step_number": 3,
        "model_output": "Seven.",
        "tool_calls": [{"id": "c2", "function": {"name": "final_answer", "arguments": {"answer": 7}}}],
        "is_final_answer": True,
    },
]
TEAM = {
    "stop_reason": "done",
    "messages": [
        {"type": "TextMessage", "source": "user", "content": "How many?", "models_usage": None},
        {"type": "ThoughtEvent", "source": "a", "content": "I ask."},
        {
            "type": "ToolCallRequestEvent",
            "source": "a",
            "content": [{"id": "c1", "name": "sql", "arguments": "{}"}],
            "models_usage": {"prompt_tokens": 90, "completion_tokens": 9},
        },
        {
            "type": "ToolCallExecutionEvent",
            "source": "a",
            "content": [{"call_id": "c1", "name": "sql", "content": "7", "is_error": False}],
        },
        {"type": "ToolCallSummaryMessage", "source": "a", "content": "7"},
        {"type": "TextMessage", "source": "a", "content": "Seven.", "models_usage": None},
    ],
}
TALKS = [
    {
        "id": "x",
        "tools": '[{"name": "sql"}]',
        "conversations": [
            {"from": "system", "value": "Be brief."},
            {"from": "human", "value": "How many?"},
            {"from": "function_call", "value": '{"name": "sql", "arguments": {"q": 1}}'},
            {"from": "observation", "value": "7"},
            {"from": "gpt", "value": "Seven."},
        ],
    },
    {
        "id": "x",
        "conversations": [
            {"from": "human", "value": "Both?"},
            {
                "from": "gpt",
                "value": 'I ask.<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>\n<tool_call>\n'
                '{"name": "b", "arguments": {}}\n</tool_call>',
            },
            {"from": "tool", "value": "<tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response>"},
        ],
    },
]
SAMPLES = {
    "steps.json": json.dumps(STEPS),
    "steps.jsonl": "\n".join(map(json.dumps, STEPS)),
    "team.json": json.dumps(TEAM),
    "team.jsonl": "\n".join(map(json.dumps, TEAM["messages"])),
    "talks.json": json.dumps(TALKS),
    "talks.jsonl": "\n".join(map(json.dumps, TALKS)),
    "talk.json": json.dumps(TALKS[0]),
}


def test_steps_of_smolagents_are_requests_with_one_result_a_step() -> None:
    for name in ("steps.json", "steps.jsonl"):
        (transcript,), intake = read(name, SAMPLES[name].encode())
        assert not intake.problems
        assert [m.role for m in transcript.messages] == [
            "system",
            "user",
            "assistant",
            "tool",
            "assistant",
            "user",
            "assistant",
        ]
        assert transcript.messages[2].usage == Usage(90, None, None, 9)
        assert transcript.messages[5].text == "no code"
        result = transcript.messages[3].result
        assert result is not None
        assert (result.content, result.name, result.call) == ("7\n", "python_interpreter", (2, 0))


def test_messages_of_autogen() -> None:
    for name in ("team.json", "team.jsonl"):
        (transcript,), intake = read(name, SAMPLES[name].encode())
        assert not intake.problems
        assert [m.role for m in transcript.messages] == ["user", "assistant", "tool", "assistant"]
        assert transcript.messages[1].reasoning == "I ask."
        assert transcript.messages[1].usage == Usage(90, None, None, 9)


def test_conversations_of_sharegpt_are_a_run_each() -> None:
    for name in ("talks.json", "talks.jsonl"):
        (first, second), intake = read(name, SAMPLES[name].encode())
        assert not intake.problems
        assert (first.id, second.id) == (f"{name}#x", f"{name}#x.2")
        assert [m.role for m in first.messages] == ["system", "user", "assistant", "tool", "assistant"]
        assert first.messages[2].calls[0].arguments == '{"q":1}'
        assert first.tools == ('{"name":"sql"}',)
        assert second.messages[1].text.startswith("I ask.")
        assert [m.result.content for m in second.messages if m.result] == ["1", "2"]
        assert [m.result.name for m in second.messages if m.result] == ["a", "b"]
    (alone,), _ = read("talk.json", SAMPLES["talk.json"].encode())
    assert alone.id == "talk.json"
