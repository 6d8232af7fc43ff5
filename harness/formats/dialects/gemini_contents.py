"""Contents of Google's generateContent API: `{role: user/model, parts: [...]}`, in either case style.

Source: ai.google.dev, `Content` and `Part`; recorded by tracers in snake case. A `functionResponse` is a result: its
`response` is JSON, unless it holds nothing but one text (`output`, `result` or a content block).
"""

from __future__ import annotations

from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Usage

TEXTS = ("output", "result", "error")


def add_content(assembly: Assembly, record: Record) -> None:
    """Read one content. A role that is not known is the user's, as the API takes it."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    others = 0
    for part in record.records("parts"):
        if "text" in part:
            (thoughts if part.raw("thought") is True else texts).append(part.string("text"))
        elif call := _either(part, "functionCall", "function_call"):
            arguments = arguments_text(call.raw("args"))
            calls.append(ToolCall(call.string("name"), arguments, call.text("id")))
        elif response := _either(part, "functionResponse", "function_response"):
            results.append(response)
        elif part.value:
            others += 1
    if record.raw("role") in ("model", "assistant"):
        answer = Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=others)
        assembly.add(answer)
    elif texts or others or not results:
        role = "system" if record.raw("role") == "system" else "user"
        assembly.add(Message("system" if role == "system" else "user", "".join(texts), images=others))
    for result in results:
        _add_result(assembly, result)


def _either(part: Record, camel: str, snake: str) -> Record | None:
    for key in (camel, snake):
        if isinstance(part.raw(key), dict):
            return part.record(key)
    return None


def _add_result(assembly: Assembly, result: Record) -> None:
    value = result.raw("response")
    text = only_text(value)
    assembly.answer(
        arguments_text(value) if text is None else text,
        call_id=result.text("id"),
        name=result.string("name"),
        is_json=text is None,
    )


def only_text(value: Any) -> str | None:
    """The text of a response that holds nothing else; `None` if it is more than a text."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        return inner if key in TEXTS and isinstance(inner, str) else None
    return None


def system_text(value: Any) -> str:
    """The text of a `systemInstruction`: a string, a content, or a list of parts."""
    if isinstance(value, str):
        return value
    parts = value.get("parts") if isinstance(value, dict) else value
    found = [p.get("text") if isinstance(p, dict) else p for p in parts] if isinstance(parts, list) else []
    return "".join(text for text in found if isinstance(text, str))


def declarations(value: Any) -> tuple[str, ...]:
    """The function declarations in a request's `tools`."""
    found: list[str] = []
    for tool in value if isinstance(value, list) else []:
        if not isinstance(tool, dict):
            continue
        inner = tool.get("functionDeclarations", tool.get("function_declarations"))
        found += [compact(declaration) for declaration in inner] if isinstance(inner, list) else [compact(tool)]
    return tuple(found)


def usage_of(record: Record) -> Usage | None:
    """`usageMetadata`: the prompt's count holds what was read from the cache, but not what tools of the provider put
    into it (`toolUsePromptTokenCount`); thoughts are output."""
    prompt, cached, said, thought, tool = (
        record.integer(camel if camel in record else snake)
        for camel, snake in (
            ("promptTokenCount", "prompt_token_count"),
            ("cachedContentTokenCount", "cached_content_token_count"),
            ("candidatesTokenCount", "candidates_token_count"),
            ("thoughtsTokenCount", "thoughts_token_count"),
            ("toolUsePromptTokenCount", "tool_use_prompt_token_count"),
        )
    )
    whole = None if prompt is None else prompt + (tool or 0)
    return contained(whole, cached, None, None if said is None else said + (thought or 0))
