"""Messages of OpenTelemetry's GenAI conventions: `parts` that say their type.

Source: open-telemetry/semantic-conventions `docs/gen-ai/gen-ai-input-messages.json` (v1.37), copied in
Arize-ai/openinference `tests/fixtures/genai_schemas`.

| field | what |
| --- | --- |
| `role` | system, user, assistant, tool |
| `parts[].{type: text, content}` | text |
| `parts[].{type: reasoning, content}` | reasoning (some write `thinking`) |
| `parts[].{type: tool_call, id, name, arguments}` | a call |
| `parts[].{type: tool_call_response, id, response}` | a result (pydantic-ai writes `result`) |
| `parts[].{type: blob, uri, file, image, ...}` | media |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

THOUGHTS = ("reasoning", "thinking")
MEDIA = ("blob", "uri", "file", "image", "audio", "video", "document", "image-url", "binary")
CALLS = ("tool_call", "server_tool_call")
RESULTS = ("tool_call_response", "server_tool_call_response")
GIVEN = ("response", "result", "server_tool_call_response")


class GenAIParts:
    """GenAI parts: OpenTelemetry's messages, `parts` of type `text`, `tool_call`, `tool_call_response`."""

    name = "genai-parts"

    def fit(self, message: dict[str, Any]) -> Fit:
        parts = message.get("parts")
        if not isinstance(parts, list) or not parts or "kind" in message:
            return Fit.NO
        return Fit.OWN if all(map(_is_part, parts)) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            _add_message(assembly, message)


def _is_part(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "text" or kind in THOUGHTS:
        return "content" in part
    return kind in MEDIA or kind in CALLS or kind in RESULTS


def _add_message(assembly: Assembly, message: Record) -> None:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    images = 0
    for part in message.records("parts"):
        kind = part.string("type")
        if kind == "text":
            texts.append(part.string("content"))
        elif kind in THOUGHTS:
            thoughts.append(part.string("content"))
        elif kind in CALLS:
            calls.append(ToolCall(part.string("name"), arguments_text(part.raw("arguments")), part.text("id")))
        elif kind in RESULTS:
            results.append(part)
        elif kind in MEDIA:
            images += 1
        else:
            part.problem(f"a part of the unknown kind {kind!r:.40} ({', '.join(map(str, part.value))[:80]}): not read")
    role = message.raw("role")
    if role in ("assistant", "model"):
        said = Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=images)
        assembly.add(said)
    elif texts or images or not results:
        assembly.add(Message("system" if role == "system" else "user", "".join(texts), images=images))
    for result in results:
        value = next((result.raw(key) for key in GIVEN if key in result), None)
        assembly.answer(
            arguments_text(value),
            call_id=result.text("id"),
            name=result.string("name"),
            is_json=value is not None and not isinstance(value, str),
        )
