"""Requests to a model's API with their responses, told apart by shape: chat completions, Anthropic messages, Responses.

Source: openai/openai-python@e43b422 `types/`; docs.anthropic.com, Messages API.
"""

from __future__ import annotations

from dataclasses import replace

from harness.formats.assembly import Assembly
from harness.formats.conversations import Logged, own_problems
from harness.formats.dialects import anthropic_messages as anthropic_blocks
from harness.formats.dialects import openai_chat as chat_messages
from harness.formats.dialects import openai_responses as responses_items
from harness.formats.dialects.openai_chat import tool_definitions
from harness.formats.record import Record
from harness.formats.usage import usage_of
from harness.transcript import Message


class Api:
    """Turns requests into `Logged` ones. It remembers answers, for a request may name the one that it goes on from
    (`previous_response_id`) instead of holding its whole prompt."""

    def __init__(self) -> None:
        self._conversation_at: dict[str, list[Message]] = {}

    def logged(self, request: Record, response: Record, time: float | None = None) -> Logged | None:
        """The request, or `None` if it is none of a known shape. An empty `response` is one that was not recorded."""
        prompt, answer = Assembly(request.place.split(": ")[0]), Assembly(request.place)
        request = Record(request.value, request.place, prompt.problems.append)
        response = Record(response.value, response.place, prompt.problems.append)
        if _is_responses(request, response):
            self._responses(request, response, prompt, answer)
        elif isinstance(request.raw("messages"), list) and _is_anthropic(request, response):
            _anthropic(request, response, prompt, answer)
        elif isinstance(request.raw("messages"), list):
            _chat(request, response, prompt, answer)
        else:
            return None
        if time is not None:
            answer.messages = [replace(message, time=time) for message in answer.messages]
        return Logged(prompt.messages, answer.messages, tool_definitions(request), own_problems(prompt))

    def _responses(self, request: Record, response: Record, prompt: Assembly, answer: Assembly) -> None:
        before = request.string("previous_response_id") or response.string("previous_response_id")
        earlier = self._conversation_at.get(before, [])
        if before and not earlier:
            request.problem(f"goes on from response {before!r:.60}, which is not recorded: its prompt is not whole", 0)
        instructions = request.string("instructions") or response.string("instructions")
        if instructions:
            prompt.add(Message("system", instructions))
        for message in earlier:
            if message.role != "system":
                prompt.put(message)
        if isinstance(request.raw("input"), str):
            prompt.add(Message("user", request.string("input")))
        else:
            responses_items.add_items(prompt, request.records("input"))
        items = list(response.records("output"))
        if items:
            responses_items.add_answer(answer, items, _frame(response, "created_at"))
        if response.string("id"):
            self._conversation_at[response.string("id")] = prompt.messages + answer.messages


def _anthropic(request: Record, response: Record, prompt: Assembly, answer: Assembly) -> None:
    anthropic_blocks.add_system(prompt, request)
    for message in request.records("messages"):
        anthropic_blocks.add_message(prompt, message)
    if "content" in response:
        anthropic_blocks.add_message(answer, response, role="assistant")


def _chat(request: Record, response: Record, prompt: Assembly, answer: Assembly) -> None:
    for message in request.records("messages"):
        chat_messages.add_message(prompt, message)
    for choice in list(response.records("choices"))[:1]:
        chat_messages.add_message(answer, choice.record("message"), role="assistant")
    frame = _frame(response, "created")
    answer.messages = [
        replace(
            message,
            message_id=frame.message_id,
            model=frame.model,
            time=frame.time,
            usage=frame.usage,
        )
        for message in answer.messages
    ]


def _frame(response: Record, created: str) -> Message:
    return Message(
        "assistant",
        message_id=response.text("id"),
        model=response.text("model"),
        time=response.time(created),
        usage=usage_of(response.record("usage")),
    )


def _is_responses(request: Record, response: Record) -> bool:
    return isinstance(request.raw("input"), (str, list)) or (
        "messages" not in request and response.raw("object") == "response"
    )


def _is_anthropic(request: Record, response: Record) -> bool:
    return response.raw("type") == "message" or anthropic_blocks.is_anthropic(request.value)
