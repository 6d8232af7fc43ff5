"""OpenAI chat messages: one conversation a line, with `tools`, `model` and the cluster as `metadata.task`.

Cannot hold: whether a result was an error, its exit code and its whole value; encrypted parts; tokens kept for an hour.
Images are empty data URLs, so that their number stays. Reasoning goes into `reasoning_content`, as open models' servers
send it. An answer's id, model, time and usage stand in it as `id`, `model`, `timestamp` and `usage`, as many dumps have
them. A result is a string here; that it was recorded as JSON stands beside it as `"recorded_as": "json"`, a field of
this program's own, which its reader knows and others pass over.
"""

from __future__ import annotations

from typing import Any, ClassVar

from harness.export.parts import answered_id, call_id, iso_time, json_line, refuse_copied, refuse_rewritten
from harness.formats.dialects.openai_chat import RECORDED_AS
from harness.formats.json_text import parse
from harness.transcript import Message, Transcript, Usage

NO_IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}


class OpenAIMessagesExporter:
    name: ClassVar[str] = "openai-messages"
    suffix: ClassVar[str] = ".jsonl"

    def export(self, transcript: Transcript) -> bytes:
        refuse_rewritten(transcript, self.name)
        refuse_copied(transcript, self.name)
        line: dict[str, Any] = {"id": transcript.id}
        if transcript.model is not None:
            line["model"] = transcript.model
        if transcript.cluster:
            line["metadata"] = {"task": transcript.cluster}
        if transcript.tools is not None:
            line["tools"] = [parse(tool) for tool in transcript.tools]
        line["messages"] = [_message(transcript, i) for i in range(len(transcript.messages))]
        return json_line(line)


def _message(transcript: Transcript, index: int) -> dict[str, Any]:
    message = transcript.messages[index]
    if message.result is not None:
        written = {
            "role": "tool",
            "tool_call_id": answered_id(transcript, index),
            "content": _content(message.result.content, message.images),
        }
        return written | ({RECORDED_AS: "json"} if message.result.is_json else {}) | _time(message)
    if message.role != "assistant":
        return {"role": message.role, "content": _content(message.text, message.images)} | _time(message)
    return _answer(message, index) | _of_answer(message)


def _time(message: Message) -> dict[str, Any]:
    return {} if message.time is None else {"timestamp": iso_time(message.time)}


def _of_answer(message: Message) -> dict[str, Any]:
    """What is known of one answer beside its words."""
    known = {"id": message.message_id, "model": message.model, "usage": message.usage and _usage(message.usage)}
    return {name: value for name, value in known.items() if value} | _time(message)


def _usage(usage: Usage) -> dict[str, Any]:
    """`prompt_tokens` is the whole prompt, of which the details tell what the cache gave and took."""
    counts = {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}
    details = {"cached_tokens": usage.cached_tokens, "cache_creation_tokens": usage.cache_write_tokens}
    told = {name: count for name, count in details.items() if count is not None}
    found: dict[str, Any] = {name: count for name, count in counts.items() if count is not None}
    if usage.input_tokens is not None and usage.output_tokens is not None:
        found["total_tokens"] = usage.input_tokens + usage.output_tokens
    return found | ({"prompt_tokens_details": told} if told else {})


def _answer(message: Message, index: int) -> dict[str, Any]:
    calls = [
        {
            "id": call_id(call, index, position),
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for position, call in enumerate(message.calls)
    ]
    written: dict[str, Any] = {"role": "assistant", "content": _content(message.text, message.images)}
    if calls:
        written["content"] = written["content"] or None
        written["tool_calls"] = calls
    if message.reasoning:
        written["reasoning_content"] = message.reasoning
    return written


def _content(text: str, images: int) -> str | list[dict[str, Any]]:
    return text if not images else [{"type": "text", "text": text}, *[NO_IMAGE] * images]
