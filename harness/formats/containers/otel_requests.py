"""What a span says of a request to a model, in the dialects that are in use.

- GenAI conventions: `gen_ai.input.messages` and `gen_ai.output.messages` with `parts` (JSON schemas copied in
  Arize-ai/openinference `tests/fixtures/genai_schemas`), as attributes or in an event;
- OpenInference: `llm.input_messages.N.message.*` (`spec/semantic_conventions.md`);
- OpenLLMetry: `gen_ai.prompt.N.*`, `gen_ai.completion.N.*`;
- messages as events of the span (`otel_events`);
- Google ADK: `gcp.vertex.agent.llm_request` and `llm_response`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from harness.formats import any_messages
from harness.formats.any_messages import opened
from harness.formats.assembly import Assembly
from harness.formats.containers.otel_events import messages_of
from harness.formats.containers.otel_spans import Span
from harness.formats.conversations import Logged, own_problems
from harness.formats.dialects import gemini_contents as google_contents
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.record import Record, records
from harness.transcript import Message, ToolCall, Usage

GENAI_INPUT, GENAI_OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
INFERENCE, LLMETRY = "llm.input_messages.", "gen_ai.prompt."
ADK = "gcp.vertex.agent.llm_request"
NOT_A_REQUEST = ("execute_tool", "invoke_agent", "create_agent", "embeddings", "invoke_workflow")
MOST_INDEX = 100_000


def is_request(span: Span) -> bool:
    """Whether a span is a request to a model that holds its messages."""
    attributes = span.attributes
    if attributes.get("gen_ai.operation.name") in NOT_A_REQUEST:
        return False
    kind = attributes.get("openinference.span.kind")
    if kind is not None and kind != "LLM":
        return False
    request = opened(attributes.get(ADK))
    if isinstance(request, dict) and isinstance(request.get("contents"), list):
        return True
    if _genai(span) is not None or any(key.startswith((INFERENCE, LLMETRY)) for key in attributes):
        return True
    return bool(messages_of(span)[0])


def is_boundary(span: Span) -> bool:
    """Whether what lies below a span is another agent's, or a tool's, and no copy of a request above it."""
    kind = span.attributes.get("openinference.span.kind")
    return kind in ("TOOL", "AGENT") or span.attributes.get("gen_ai.operation.name") in NOT_A_REQUEST


def logged(span: Span, source_name: str, usage: Usage | None) -> Logged:
    """The request of a span that is one."""
    prompt, answer = Assembly(source_name), Assembly(source_name)
    report = prompt.problems.append
    genai = _genai(span)
    request = opened(span.attributes.get(ADK))
    if genai is not None:
        _take_genai(Record(genai, span.place, report), prompt, answer)
        tools = _listed(genai.get("gen_ai.tool.definitions"))
    elif any(key.startswith(INFERENCE) for key in span.attributes):
        tree = _nested(span.attributes, "llm.")
        _take_inference(Record(tree, span.place, report), prompt, answer)
        tools = _inference_tools(tree)
    elif any(key.startswith(LLMETRY) for key in span.attributes):
        tree = _nested(span.attributes, "gen_ai.")
        _take_llmetry(Record(tree, span.place, report), prompt, answer)
        tools = _llmetry_tools(span)
    elif (spoken := messages_of(span))[0]:
        _take_chat(spoken, span, prompt, answer)
        tools = _listed(span.attributes.get("gen_ai.tool.definitions"))
    else:
        whole = request if isinstance(request, dict) else {}
        _take_adk(Record(whole, span.place, report), span, prompt, answer)
        config = whole.get("config")
        tools = google_contents.declarations(config.get("tools")) if isinstance(config, dict) else ()
    messages = [
        replace(
            message,
            time=span.end or None,
            started=span.start or None,
            message_id=_text(span, "gen_ai.response.id"),
            model=_text(span, "gen_ai.response.model", "gen_ai.request.model", "llm.model_name"),
            usage=usage or message.usage,
        )
        for message in answer.messages
    ]
    return Logged(prompt.messages, messages, tools or None, own_problems(prompt))


def _genai(span: Span) -> dict[str, Any] | None:
    for attributes in (span.attributes, *(fields for _, fields in span.events)):
        if isinstance(opened(attributes.get(GENAI_INPUT)), list):
            return attributes
    return None


def _take_genai(attributes: Record, prompt: Assembly, answer: Assembly) -> None:
    instructions = opened(attributes.raw("gen_ai.system_instructions"))
    if instructions:
        parts = instructions if isinstance(instructions, list) else [instructions]
        text = "".join(
            p if isinstance(p, str) else str(p.get("content", "")) for p in parts if isinstance(p, (str, dict))
        )
        prompt.add(Message("system", text))
    for key, assembly in ((GENAI_INPUT, prompt), (GENAI_OUTPUT, answer)):
        messages = opened(attributes.raw(key))
        for message in records(messages if isinstance(messages, list) else [], attributes.at(key), attributes.report):
            if isinstance(message.raw("parts"), list):
                _take_parts(assembly, message)
            else:
                any_messages.add(assembly, message, role="assistant" if assembly is answer else None)


def _take_parts(assembly: Assembly, message: Record) -> None:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    others = 0
    for part in message.records("parts"):
        kind = part.string("type")
        if kind == "text":
            texts.append(part.string("content"))
        elif kind in ("reasoning", "thinking"):
            thoughts.append(part.string("content"))
        elif kind == "tool_call":
            calls.append(ToolCall(part.string("name"), arguments_text(part.raw("arguments")), part.text("id")))
        elif kind == "tool_call_response":
            results.append(part)
        else:
            others += 1
    role = message.raw("role")
    if role == "assistant":
        said = Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=others)
        assembly.add(said)
    elif texts or others or not results:
        assembly.add(Message("system" if role == "system" else "user", "".join(texts), images=others))
    for result in results:
        value = result.raw("response") if "response" in result else result.raw("result")
        assembly.answer(
            arguments_text(value),
            call_id=result.text("id"),
            name=result.string("name"),
            is_json=value is not None and not isinstance(value, str),
        )


def _take_inference(tree: Record, prompt: Assembly, answer: Assembly) -> None:
    for key, assembly in (("input_messages", prompt), ("output_messages", answer)):
        for item in tree.records(key):
            message = item.record("message")
            value = dict(message.value)
            calls = [call.record("tool_call").value for call in message.records("tool_calls")]
            if calls:
                value["tool_calls"] = calls
            if "content" not in value and "contents" in value:
                value["content"] = [part.record("message_content").value for part in message.records("contents")]
            any_messages.add(
                assembly, Record(value, message.place, message.report), role="assistant" if assembly is answer else None
            )


def _take_llmetry(tree: Record, prompt: Assembly, answer: Assembly) -> None:
    for key, assembly in (("prompt", prompt), ("completion", answer)):
        for message in tree.records(key):
            value = {**message.value, "content": opened_parts(message.raw("content"))}
            calls = [{"id": call.raw("id"), "function": call.value} for call in message.records("tool_calls")]
            if calls:
                value["tool_calls"] = calls
            any_messages.add(
                assembly, Record(value, message.place, message.report), role="assistant" if assembly is answer else None
            )


def _take_chat(
    spoken: tuple[list[dict[str, Any]], dict[str, Any] | None], span: Span, prompt: Assembly, answer: Assembly
) -> None:
    messages, said = spoken
    for number, message in enumerate(messages):
        any_messages.add(prompt, Record(message, f"{span.place}.events[{number}]", prompt.problems.append))
    if said is not None:
        any_messages.add(answer, Record(said, f"{span.place}.choice", prompt.problems.append))


def opened_parts(content: Any) -> Any:
    """Parts that were recorded as JSON text; other text stays, whatever it looks like."""
    found = opened(content)
    is_parts = isinstance(found, list) and bool(found) and all(isinstance(p, dict) and "type" in p for p in found)
    return found if is_parts else content


def _take_adk(request: Record, span: Span, prompt: Assembly, answer: Assembly) -> None:
    config = request.record("config")
    instruction = google_contents.system_text(config.raw("system_instruction"))
    if instruction:
        prompt.add(Message("system", instruction))
    for content in request.records("contents"):
        google_contents.add_content(prompt, content)
    response = opened(span.attributes.get("gcp.vertex.agent.llm_response"))
    if not isinstance(response, dict):
        return
    said = Record(response, request.place, request.report)
    if isinstance(response.get("content"), dict):
        google_contents.add_content(answer, said.record("content"))
    usage = google_contents.usage_of(said.record("usage_metadata"))
    answer.messages = [replace(message, usage=usage) for message in answer.messages]


def _nested(attributes: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Dotted names under a prefix as nested objects, those with numbers as arrays."""
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        if not name.startswith(prefix):
            continue
        node = tree
        *way, last = name.removeprefix(prefix).split(".")[:20]
        for step in way:
            inner = node.get(step)
            if not isinstance(inner, dict):
                inner = node[step] = {}
            node = inner
        if not isinstance(node.get(last), dict):
            node[last] = value
    numbered: dict[str, Any] = _numbered(tree)
    return numbered


def _numbered(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    inner = {key: _numbered(value) for key, value in node.items()}
    numbers = [int(key) for key in inner if re.fullmatch(r"\d{1,6}", key)]
    if numbers and len(numbers) == len(inner) and max(numbers) < MOST_INDEX:
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def _inference_tools(tree: dict[str, Any]) -> tuple[str, ...]:
    tools = tree.get("tools")
    found = []
    for item in tools if isinstance(tools, list) else []:
        tool = item.get("tool") if isinstance(item, dict) else None
        schema = tool.get("json_schema") if isinstance(tool, dict) else None
        if schema is not None:
            found.append(schema if isinstance(schema, str) else compact(schema))
    return tuple(found)


def _llmetry_tools(span: Span) -> tuple[str, ...]:
    request = _nested(span.attributes, "llm.request.")
    functions = request.get("functions")
    found = []
    for function in functions if isinstance(functions, list) else []:
        if isinstance(function, dict):
            found.append(compact({key: opened(value) for key, value in function.items()}))
    return tuple(found)


def _listed(value: Any) -> tuple[str, ...]:
    tools = opened(value)
    return tuple(compact(tool) for tool in tools) if isinstance(tools, list) else ()


def _text(span: Span, *keys: str) -> str | None:
    return next((v for key in keys if isinstance(v := span.attributes.get(key), str) and v), None)
