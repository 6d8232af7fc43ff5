"""Contents of Google's generateContent API: `{role: user/model, parts: [...]}`, in either case style.

Source: googleapis/python-genai@6680718 `google/genai/types.py` (`Content`, `Part`), ai.google.dev; recorded by
tracers in snake case.

| field | what |
| --- | --- |
| `role` | user, model; function or user for results |
| `parts[].text`, `.thought` | text, reasoning if `thought` is true |
| `parts[].functionCall.{id,name,args}` | a call |
| `parts[].functionResponse.{id,name,response}` | a result |
| `parts[].executableCode.code`, `.codeExecutionResult.output` | a call that the server runs, and its result |
| `parts[].inlineData`, `.fileData` | media |

A `functionResponse` is a result: its
`response` is JSON, unless it holds nothing but one text (`output`, `result` or a content block).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Usage

TEXTS = ("output", "result", "error")
CALL, RESULT = ("functionCall", "function_call"), ("functionResponse", "function_response")
OF_SERVER = {"executableCode", "executable_code", "codeExecutionResult", "code_execution_result"}
MEDIA = {"inlineData", "inline_data", "fileData", "file_data"}
KNOWN = {"text", *CALL, *RESULT, *OF_SERVER, *MEDIA}


class GeminiContents:
    """Gemini contents: `parts` of text, `functionCall` and `functionResponse`, in camel or snake case."""

    name = "gemini-contents"

    def fit(self, message: dict[str, Any]) -> Fit:
        parts = message.get("parts")
        if not isinstance(parts, list) or "kind" in message or isinstance(message.get("content"), list):
            return Fit.NO
        role = message.get("role")
        if role not in ("user", "model", "function", "system", "assistant") and message.keys() - {"role", "parts"}:
            return Fit.NO
        return Fit.OWN if all(map(_is_part, parts)) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            add_content(assembly, message)


def _is_part(part: Any) -> bool:
    if isinstance(part, str):
        return True
    if not isinstance(part, dict) or "type" in part or "part_kind" in part:
        return False
    filled = {key for key, value in part.items() if value is not None}
    return not filled or bool(filled & (KNOWN | {"thought", "thoughtSignature", "thought_signature"}))


def add_content(assembly: Assembly, record: Record) -> None:
    """Read one content. A role that is not known is the user's, as the API takes it."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    images = 0
    for part in _parts(record):
        filled = {key for key, value in part.value.items() if value is not None}
        if call := _either(part, *CALL):
            arguments = arguments_text(call.raw("args"))
            calls.append(ToolCall(call.string("name"), arguments, call.text("id")))
        elif response := _either(part, *RESULT):
            results.append(response)
        elif code := _either(part, "executableCode", "executable_code"):
            calls.append(ToolCall("code_execution", code.string("code"), code.text("id")))
        elif outcome := _either(part, "codeExecutionResult", "code_execution_result"):
            results.append(Record({"name": "code_execution", "response": outcome.raw("output")}, outcome.place,
                                  outcome.report))  # fmt: skip
        elif filled & MEDIA:
            images += 1
        elif "text" in filled:
            (thoughts if part.raw("thought") is True else texts).append(part.string("text"))
        elif filled - {"thought", "thoughtSignature", "thought_signature"}:
            part.problem(f"a part of no known kind ({', '.join(sorted(filled))[:80]}): not read")
    if record.raw("role") in ("model", "assistant"):
        answer = Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=images)
        assembly.add(answer)
    elif texts or images or not results:
        role = "system" if record.raw("role") == "system" else "user"
        assembly.add(Message("system" if role == "system" else "user", "".join(texts), images=images))
    for result in results:
        _add_result(assembly, result)


def _parts(record: Record) -> Iterator[Record]:
    for i, part in enumerate(record.array("parts")):
        if isinstance(part, (str, dict)):
            value = {"text": part} if isinstance(part, str) else part
            yield Record(value, f"{record.at('parts')}[{i}]", record.report)
        else:
            record.wrong(f"parts[{i}]", part, "a part")


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
