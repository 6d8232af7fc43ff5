"""Messages as events of a span: `gen_ai.user.message` and its kin, of the conventions before 1.37.

The body of an event is its attributes, the JSON text in `gen_ai.event.content`, or (as pydantic-ai writes it) an
element of the JSON list in the span's attribute `events`.
"""

from __future__ import annotations

from typing import Any

from harness.formats.containers.envelope import opened
from harness.formats.containers.otel_spans import Span
from harness.formats.dialects.bedrock_converse import BedrockConverse

ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
CHOICE = "gen_ai.choice"
_BLOCKS = BedrockConverse()


def messages_of(span: Span) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """The prompt's messages and the answer, in the shape of chat completions."""
    prompt: list[dict[str, Any]] = []
    answer: dict[str, Any] | None = None
    for name, body in _events(span):
        if name in ROLES:
            prompt.append(_message(body, ROLES[name]))
        elif name == CHOICE and answer is None:
            inner = opened(body.get("message"))
            held = {"content": inner} if isinstance(inner, list) else inner
            answer = _message(held if isinstance(held, dict) else body, "assistant")
    return prompt, answer


def _events(span: Span) -> list[tuple[str, dict[str, Any]]]:
    listed = opened(span.attributes.get("events"))
    if isinstance(listed, list):
        return [(str(e.get("event.name")), e) for e in listed if isinstance(e, dict)]
    found = []
    for name, attributes in span.events:
        body = opened(attributes.get("gen_ai.event.content"))
        found.append((name, body if isinstance(body, dict) else attributes))
    return found


def _message(body: dict[str, Any], role: str) -> dict[str, Any]:
    content = opened(body.get("content"))
    if _BLOCKS.fit({"role": "user", "content": content}):  # as Strands writes them; its results are the user's
        return {"role": "user" if role == "tool" else role, "content": content}
    message: dict[str, Any] = {"role": role, "content": body.get("content")}
    calls = opened(body.get("tool_calls"))
    if isinstance(calls, list):
        message["tool_calls"] = calls
    if role == "tool":
        message["tool_call_id"] = body.get("id")
        message["name"] = body.get("name")
    return message
