"""What servers really send, put together: calls told apart, names said again, calls left in the text."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from harness.engines.chat_answer import ChatAnswer
from harness.engines.wire_names import WireNames

TOOL = "set_light"
HALL, ATTIC = '{"room":"hall","on":true}', '{"room":"attic","on":false}'


def part(arguments: str, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": TOOL, "arguments": arguments}} | more


def answered(*deltas: dict[str, Any], finish: str = "tool_calls") -> ChatAnswer:
    answer = ChatAnswer()
    for delta in deltas:
        answer.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    answer.add({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return answer


def envelope(answer: ChatAnswer) -> dict[str, Any]:
    names = WireNames([TOOL])
    found: dict[str, Any] = orjson.loads(answer.envelope(answer.tool_calls(names), names.known))
    return found


def calls(*deltas: dict[str, Any]) -> list[Any]:
    return [(call["name"], call["arguments"]["room"]) for call in envelope(answered(*deltas))["function_calls"]]


BOTH = [(TOOL, "hall"), (TOOL, "attic")]


def test_parallel_calls_are_told_apart_by_their_ids() -> None:
    all_at_zero = [part(HALL, index=0, id="a"), part(ATTIC, index=0, id="b")]
    without_index = [part(HALL, id="a"), part(ATTIC, id="b")]
    numbered = [part(HALL, index=0, id="a"), part(ATTIC, index=1, id="b")]
    for parts in (all_at_zero, without_index, numbered):
        assert calls(*({"tool_calls": [each]} for each in parts)) == BOTH
        assert calls({"tool_calls": parts}) == BOTH


def test_calls_without_ids_are_told_apart_by_number_or_place() -> None:
    assert calls({"tool_calls": [part(HALL, index=0)]}, {"tool_calls": [part(ATTIC, index=1)]}) == BOTH
    assert calls({"tool_calls": [part(HALL), part(ATTIC)]}) == BOTH
    assert calls({"tool_calls": [part(HALL)]}, {"tool_calls": [part(ATTIC)]}) == BOTH


def test_two_calls_of_one_id_are_two_where_they_are_numbered() -> None:
    assert calls({"tool_calls": [part(HALL, index=0, id="a"), part(ATTIC, index=1, id="a")]}) == BOTH


def test_arguments_come_in_parts_with_and_without_the_name_said_again() -> None:
    again = [{"tool_calls": [part('{"room":', index=0, id="a")]}, {"tool_calls": [part('"hall"}', index=0, id="a")]}]
    assert calls(*again) == BOTH[:1]
    rest = {"tool_calls": [{"index": 0, "function": {"arguments": '"hall"}'}}]}
    assert calls(again[0], rest) == BOTH[:1]
    assert calls(again[0], {"tool_calls": [{"function": {"arguments": '"hall"}'}}]}) == BOTH[:1]


@pytest.mark.parametrize(
    "text",
    [
        f'<tool_call>\n{{"name": "{TOOL}", "arguments": {HALL}}}\n</tool_call>',
        f"Well. <function={TOOL}>\n<parameter=room>\nhall\n</parameter>\n</function>",
        f"<|channel|>commentary to=functions.{TOOL} <|constrain|>json<|message|>{HALL}<|call|>",
        f'[TOOL_CALLS][{{"name": "{TOOL}", "arguments": {HALL}}}]',
        f'<|python_tag|>{{"name": "{TOOL}", "parameters": {HALL}}}',
        f'<invoke name="{TOOL}"><parameter name="room">hall</parameter></invoke>',
        f'```json\n{{"name": "{TOOL}", "arguments": {HALL}}}\n```',
    ],
)
def test_a_call_in_the_text_is_an_attempt(text: str) -> None:
    found = envelope(answered({"content": text}, finish="stop"))
    assert (found["success"], found["error_code"]) == (False, "call_in_text")
    assert "function_calls" not in found
    assert found["response"] == text


@pytest.mark.parametrize("text", [f"I could use {TOOL} for that.", '<tool_call>{"name": "other"}</tool_call>', ""])
def test_words_about_a_tool_are_none(text: str) -> None:
    found = envelope(answered({"content": text}, finish="stop"))
    assert (found["success"], found["function_calls"]) == (True, [])


def test_pieces_count_what_the_model_wrote() -> None:
    assert answered({"content": "a"}, {"reasoning": "b"}, {"role": "assistant", "content": None}).pieces == 2
    assert not answered({"role": "assistant"}).began
