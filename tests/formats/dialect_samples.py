"""One conversation in every dialect, all made up: a question, a call, its result, an answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

RESULT = "Lake A covers 4711 hectares."
ASK, SYSTEM, LOOK, DONE = "Size of lake A?", "You look things up.", "I look.", "It is 4711 hectares."
ARGUMENTS = {"lake": "A"}
TEXT_CALL = "I look.\n\n<function=look_up>\n<parameter=lake>A</parameter>\n</function>"


@dataclass(frozen=True)
class Sample:
    """prompt: messages before the call. call: those of the answer that calls. result: those that hold the result.
    done: those of the last answer. wrap: a response of this API around its answer, where it has one. key: where its
    requests have their messages."""

    prompt: list[Any]
    call: list[Any]
    result: list[Any]
    done: list[Any]
    key: str = "messages"
    wrapped: tuple[Any, Any] | None = None

    def requests(self) -> list[tuple[dict[str, Any], Any]]:
        """Two requests with their responses."""
        answers = self.wrapped or (self.call, self.done)
        longer = [*self.prompt, *self.call, *self.result]
        return [({self.key: self.prompt}, answers[0]), ({self.key: longer}, answers[1])]

    def conversation(self) -> list[Any]:
        return [*self.prompt, *self.call, *self.result, *self.done]


def _chat(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


PLAIN = [_chat("system", SYSTEM), _chat("user", ASK)]
CALL = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": json.dumps(ARGUMENTS)}}
OPENAI = _chat("assistant", LOOK, tool_calls=[CALL])
ANTHROPIC = _chat(
    "assistant",
    [{"type": "text", "text": LOOK}, {"type": "tool_use", "id": "c1", "name": "look_up", "input": ARGUMENTS}],
)
BEDROCK = _chat("assistant", [{"text": LOOK}, {"toolUse": {"toolUseId": "c1", "name": "look_up", "input": ARGUMENTS}}])
BEDROCK_RESULT = _chat(
    "user", [{"toolResult": {"toolUseId": "c1", "status": "success", "content": [{"text": RESULT}]}}]
)
GEMINI = {"role": "model", "parts": [{"text": LOOK}, {"functionCall": {"name": "look_up", "args": ARGUMENTS}}]}
COHERE = {"role": "assistant", "tool_plan": LOOK, "tool_calls": [CALL]}
ITEMS = [
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": LOOK}]},
    {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": json.dumps(ARGUMENTS)},
]
SAID = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]}]
DOJO = {"function": "look_up", "args": ARGUMENTS, "id": "c1", "placeholder_args": None}


def _dojo(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "content": text}]


def _strands(number: int, message: dict[str, Any]) -> dict[str, Any]:
    return {"message": message, "message_id": number, "created_at": f"2026-01-01T00:00:0{number}+00:00"}


def _candidate(content: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"content": content}], "usageMetadata": {"promptTokenCount": 40, "candidatesTokenCount": 5}}


SAMPLES: dict[str, Sample] = {
    "openai-chat": Sample(
        PLAIN, [OPENAI], [_chat("tool", RESULT, tool_call_id="c1")], [_chat("assistant", DONE)],
        wrapped=({"choices": [{"message": OPENAI}]}, {"choices": [{"message": _chat("assistant", DONE)}]}),
    ),
    "anthropic-messages": Sample(
        PLAIN[1:], [ANTHROPIC],
        [_chat("user", [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}])],
        [_chat("assistant", [{"type": "text", "text": DONE}])],
        wrapped=({"type": "message", **ANTHROPIC},
                 {"type": "message", **_chat("assistant", [{"type": "text", "text": DONE}])}),
    ),
    "openai-responses": Sample(
        PLAIN, ITEMS, [{"type": "function_call_output", "call_id": "c1", "output": RESULT}], SAID, key="input",
        wrapped=({"object": "response", "id": "r1", "output": ITEMS},
                 {"object": "response", "id": "r2", "output": SAID}),
    ),
    "bedrock-converse": Sample(
        [_chat("user", [{"text": ASK}])], [BEDROCK], [BEDROCK_RESULT], [_chat("assistant", [{"text": DONE}])],
        wrapped=({"output": {"message": BEDROCK}}, {"output": {"message": _chat("assistant", [{"text": DONE}])}}),
    ),
    "gemini-contents": Sample(
        [{"role": "user", "parts": [{"text": ASK}]}], [GEMINI],
        [{"role": "user", "parts": [{"functionResponse": {"name": "look_up", "response": {"output": RESULT}}}]}],
        [{"role": "model", "parts": [{"text": DONE}]}], key="contents",
        wrapped=(_candidate(GEMINI), _candidate({"role": "model", "parts": [{"text": DONE}]})),
    ),
    "cohere-chat": Sample(
        PLAIN, [COHERE],
        [_chat("tool", [{"type": "document", "document": {"data": RESULT}}], tool_call_id="c1")],
        [_chat("assistant", [{"type": "text", "text": DONE}])],
        wrapped=({"id": "1", "message": COHERE},
                 {"id": "2", "message": _chat("assistant", [{"type": "text", "text": DONE}])}),
    ),
    "genai-parts": Sample(
        [{"role": "user", "parts": [{"type": "text", "content": ASK}]}],
        [{"role": "assistant", "parts": [
            {"type": "text", "content": LOOK},
            {"type": "tool_call", "id": "c1", "name": "look_up", "arguments": ARGUMENTS}]}],
        [{"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": RESULT}]}],
        [{"role": "assistant", "parts": [{"type": "text", "content": DONE}]}],
    ),
    "langchain": Sample(
        [{"type": "system", "content": SYSTEM}, {"type": "human", "content": ASK}],
        [{"type": "ai", "content": LOOK, "tool_calls": [{"name": "look_up", "args": ARGUMENTS, "id": "c1"}]}],
        [{"type": "tool", "content": RESULT, "tool_call_id": "c1", "name": "look_up"}],
        [{"type": "ai", "content": DONE}],
    ),
    "pydantic-ai": Sample(
        [{"kind": "request", "parts": [{"part_kind": "system-prompt", "content": SYSTEM},
                                       {"part_kind": "user-prompt", "content": ASK}]}],
        [{"kind": "response", "model_name": "m", "usage": {"input_tokens": 40, "output_tokens": 5},
          "parts": [{"part_kind": "text", "content": LOOK},
                    {"part_kind": "tool-call", "tool_name": "look_up", "args": ARGUMENTS, "tool_call_id": "c1"}]}],
        [{"kind": "request", "parts": [
            {"part_kind": "tool-return", "tool_name": "look_up", "content": RESULT, "tool_call_id": "c1"}]}],
        [{"kind": "response", "parts": [{"part_kind": "text", "content": DONE}]}],
    ),
    "vercel-ai": Sample(
        PLAIN,
        [_chat("assistant", [{"type": "text", "text": LOOK},
                             {"type": "tool-call", "toolCallId": "c1", "toolName": "look_up", "input": ARGUMENTS}])],
        [_chat("tool", [{"type": "tool-result", "toolCallId": "c1", "toolName": "look_up",
                         "output": {"type": "text", "value": RESULT}}])],
        [_chat("assistant", [{"type": "text", "text": DONE}])],
    ),
    "strands": Sample(
        [_strands(0, _chat("user", [{"text": ASK}]))], [_strands(1, BEDROCK)], [_strands(2, BEDROCK_RESULT)],
        [_strands(3, _chat("assistant", [{"text": DONE}]))],
    ),
    "agentdojo": Sample(
        [_chat("system", _dojo(SYSTEM)), _chat("user", _dojo(ASK))],
        [_chat("assistant", _dojo(LOOK), tool_calls=[DOJO])],
        [_chat("tool", _dojo(RESULT), tool_call_id="c1", tool_call=DOJO, error=None)],
        [_chat("assistant", _dojo(DONE), tool_calls=[])],
    ),
    "function-text": Sample(
        [PLAIN[0], {"role": "user", "content": ASK}], [_chat("assistant", TEXT_CALL)],
        [_chat("user", f"EXECUTION RESULT of [look_up]:\n{RESULT}")], [_chat("assistant", DONE)],
        wrapped=({"choices": [{"message": _chat("assistant", TEXT_CALL)}]},
                 {"choices": [{"message": _chat("assistant", DONE)}]}),
    ),
}  # fmt: skip
