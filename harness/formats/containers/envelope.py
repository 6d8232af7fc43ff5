"""What a request to a model and its response hold, whatever API they are of: system prompt, messages, tools, answer,
usage. Which dialect the messages are in is not looked at here.

| of a request | where |
| --- | --- |
| messages | `messages`, `input`, `contents`, ...: a list, a text, or JSON text; under `state`, `values`, ... |
| system prompt | `system`, `instructions`, `systemInstruction`, `config.system_instruction`, ... |
| tools | `tools`, `functions`, `toolConfig.tools`, `config.tools`, `kwargs.tools`, ... |

| of a response | where |
| --- | --- |
| answer | `choices[0].message`, `output` (items, text, `.message`), `candidates[0].content`, `message`, itself |
| id, model, time | `id`, `responseId`; `model`, `modelVersion`; `created`, `created_at` |
| usage | `usage`, `usageMetadata`, `llm_output.token_usage`, Ollama's counts |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.dialects import gemini_contents
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.record import Record
from harness.formats.usage import cohere_usage, contained, converse_usage, usage_of
from harness.transcript import Message, Usage

PROMPTS = ("messages", "input", "contents", "chat_history", "message_history", "all_messages", "history",
           "conversation", "prompt")  # fmt: skip
HOLDERS = ("values", "outputs", "output", "state", "inputs", "input", "kwargs")
SYSTEMS = (
    "system",
    "instructions",
    "systemInstruction",
    "system_instruction",
    "preamble",
    "gen_ai.system_instructions",
)
TOOLS = ("tools", "functions", "gen_ai.tool.definitions")
TOOL_HOLDERS = ("toolConfig", "config", "kwargs", "optional_params", "invocation_params", "model_parameters")
ANSWERS = ("choices", "generations", "candidates", "message", "output", "content", "completion", "response", "text")
OF_A_MESSAGE = ("role", "parts", "lc", "kind", "message_id", "tool_calls", "toolCalls")
DEEPEST = 8


def opened(value: Any) -> Any:
    """A value that was recorded as JSON text, parsed; any other as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse(value)
        except Unreadable:
            return value
    return value


def request_of(value: Any, place: str) -> dict[str, Any]:
    """A request as an object: of a list the messages, of a text the user's words, of one message just that."""
    value = opened(value)
    if isinstance(value, list):
        return {"messages": value}
    if isinstance(value, str):
        return {"input": value} if value else {}
    if not isinstance(value, dict):
        return {}
    return {"messages": [value]} if "role" in value and prompt_key(value) is None else value


def prompt_key(request: dict[str, Any]) -> str | None:
    """The key under which a request has its messages, `None` if it has none."""
    return next((key for key in PROMPTS if _is_prompt(opened(request.get(key)))), None)


def _is_prompt(value: Any) -> bool:
    return bool(value) and isinstance(value, (list, str))


def prompt_of(request: Record) -> list[Record]:
    """The messages of a request, in whatever dialect. What stands among them and is no object is a problem."""
    key = prompt_key(request.value)
    if key is None:
        held = next((r for h in HOLDERS if isinstance(r := request.raw(h), dict) and prompt_key(r) is not None), None)
        return [] if held is None else prompt_of(Record(held, request.place, request.report))
    value = opened(request.raw(key))
    if isinstance(value, str):
        return [Record({"role": "user", "content": value}, request.at(key), request.report)]
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]  # a batch of one, as LangChain's callbacks record it
    return list(Record({key: value}, request.place, request.report).records(key))


def system_of(request: Record) -> str:
    """The system prompt beside the messages, empty if there is none."""
    config = request.raw("config")
    for holder in (request.value, config if isinstance(config, dict) else {}):
        for key in SYSTEMS:
            text = _text(opened(holder.get(key)))
            if text:
                return text
    return ""


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return _text(next((value[key] for key in ("parts", "text", "content") if value.get(key)), None))
    return "".join(map(_text, value)) if isinstance(value, list) else ""


def tools_of(request: Record) -> tuple[str, ...] | None:
    """The tool definitions of a request, each as compact JSON; `None` where none were recorded."""
    for holder in (request.value, *(request.raw(key) for key in TOOL_HOLDERS)):
        for key in TOOLS if isinstance(holder, dict) else ():
            found = opened(holder.get(key))
            if isinstance(found, list):
                return tuple(definition for tool in found for definition in _definitions(tool))
            if found is not None and holder is request.value:
                request.wrong(key, found, "an array")
    return None


def _definitions(tool: Any) -> Iterator[str]:
    declared = gemini_contents.declarations([tool]) if isinstance(tool, dict) else ()
    yield from declared or (compact(opened(tool)),)


def answer_of(response: Any) -> list[dict[str, Any]]:
    """The messages of an answer, out of whatever a container recorded of the response."""
    return [_with_role(message) for message in _said(opened(response), 0) if isinstance(message, dict)]


def _said(value: Any, depth: int) -> list[Any]:
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}] if value else []
    if depth > DEEPEST or not value or not isinstance(value, (list, dict)):
        return []
    if isinstance(value, list):
        if isinstance(value[0], dict) and ("type" in value[0] or _is_message(value[0])):
            return value
        return _said(value[0], depth + 1)
    if _is_message(value):
        return [value]
    if isinstance(value.get("messages"), list):
        return list(value["messages"][-1:])
    for key in ANSWERS:
        found = _said(opened(value.get(key)), depth + 1)
        if found:
            return found
    return []


def _is_message(value: dict[str, Any]) -> bool:
    inner = value.get("data") or value.get("content")
    return any(key in value for key in OF_A_MESSAGE) or (value.get("type") in ("ai", "AIMessageChunk") and bool(inner))


def _with_role(message: dict[str, Any]) -> dict[str, Any]:
    told = any(message.get(key) is not None for key in ("role", "type", "lc", "kind", "message_id"))
    return message if told else {**message, "role": "assistant"}


def frame_of(response: Record) -> Message:
    """What a response says of itself around its answer: id, model, time, usage."""
    return Message(
        "assistant",
        message_id=_string(response, "id", "responseId", "response_id"),
        model=_string(response, "model", "modelVersion", "model_version", "modelId"),
        time=next((response.time(key) for key in ("created", "created_at") if response.raw(key) is not None), None),
        usage=usage_in(response),
    )


def usage_in(response: Record) -> Usage | None:
    """The usage that a response reports, in the shape of whichever API."""
    usage = response.raw("usage")
    if isinstance(usage, dict):
        record = response.record("usage")
        if "inputTokens" in record:
            return converse_usage(record)
        return cohere_usage(record) if "tokens" in record else usage_of(record)
    for key in ("usageMetadata", "usage_metadata"):
        found = response.raw(key)
        if isinstance(found, dict):
            snake = "input_tokens" in found
            return (usage_of if snake else gemini_contents.usage_of)(response.record(key))
    if "prompt_eval_count" in response or "eval_count" in response:
        return contained(response.integer("prompt_eval_count"), None, None, response.integer("eval_count"))
    inner = response.raw("llm_output")
    return usage_of(response.record("llm_output").record("token_usage")) if isinstance(inner, dict) else None


def _string(record: Record, *keys: str) -> str | None:
    return next((value for key in keys if isinstance(value := record.raw(key), str) and value), None)
