"""What a span says of a request to a model, in the attributes that are in use.

| instrumentation | prompt | answer |
| --- | --- | --- |
| GenAI conventions | `gen_ai.input.messages`, `gen_ai.system_instructions` | `gen_ai.output.messages` |
| OpenInference (`spec/semantic_conventions.md`) | `llm.input_messages.N.message.*` | `llm.output_messages.*` |
| OpenLLMetry | `gen_ai.prompt.N.*` | `gen_ai.completion.N.*` |
| conventions before 1.37 | events of the span (`otel_events`) | `gen_ai.choice` |
| Google ADK | `gcp.vertex.agent.llm_request` | `gcp.vertex.agent.llm_response` |
| Vercel AI SDK (vercel/ai@ed857f5) | `ai.prompt.messages` | `ai.response.text`, `ai.response.toolCalls` |
| OpenInference and MLflow, raw | `input.value`, `mlflow.spanInputs` | `output.value`, `mlflow.spanOutputs` |

The messages are in whatever dialect the application speaks.
"""

from __future__ import annotations

import re
from typing import Any

from harness.formats.containers.envelope import opened, prompt_key, request_of
from harness.formats.containers.exchange import Exchange
from harness.formats.containers.otel_events import messages_of
from harness.formats.containers.otel_spans import Span
from harness.formats.json_text import compact
from harness.transcript import Usage

GENAI_INPUT, GENAI_OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
INFERENCE, LLMETRY = "llm.input_messages.", "gen_ai.prompt."
ADK, ADK_ANSWER = "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response"
VERCEL = "ai.prompt.messages"
RAW = (("input.value", "output.value"), ("mlflow.spanInputs", "mlflow.spanOutputs"))
RAW_KINDS = ("LLM", "CHAT_MODEL")
NOT_A_REQUEST = ("execute_tool", "invoke_agent", "create_agent", "embeddings", "invoke_workflow")
MOST_INDEX = 100_000
Asked = tuple[dict[str, Any], Any]  # a request, and its response


def is_request(span: Span) -> bool:
    """Whether a span is a request to a model that holds its messages."""
    if span.attributes.get("gen_ai.operation.name") in NOT_A_REQUEST:
        return False
    kind = span.attributes.get("openinference.span.kind")
    return kind in (None, "LLM") and _asked(span) is not None


def is_boundary(span: Span) -> bool:
    """Whether what lies below a span is another agent's, or a tool's, and no copy of a request above it."""
    kind = span.attributes.get("openinference.span.kind")
    return kind in ("TOOL", "AGENT") or span.attributes.get("gen_ai.operation.name") in NOT_A_REQUEST


def exchange_of(span: Span, usage: Usage | None) -> Exchange:
    """The request of a span that is one."""
    request, response = _asked(span) or ({}, None)
    return Exchange(
        request,
        response,
        span.place.partition(": ")[2],
        time=span.end or None,
        started=span.start or None,
        answer_id=_text(span, "gen_ai.response.id", "ai.response.id"),
        model=_text(
            span, "gen_ai.response.model", "ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id"
        ),
        usage=usage,
        tools=_tools(span, request),
    )


def _asked(span: Span) -> Asked | None:
    """The request and the response in a span's attributes, of the instrumentation that says most."""
    attributes = span.attributes
    genai = _genai(span)
    if genai is not None:
        instructions = genai.get("gen_ai.system_instructions")
        request = {"system": instructions, "messages": opened(genai.get(GENAI_INPUT))}
        return request, opened(genai.get(GENAI_OUTPUT))
    if any(key.startswith(INFERENCE) for key in attributes):
        tree = _nested(attributes, "llm.")
        return {"messages": _inference(tree, "input_messages")}, _inference(tree, "output_messages")
    if any(key.startswith(LLMETRY) for key in attributes):
        tree = _nested(attributes, "gen_ai.")
        return {"messages": _llmetry(tree, "prompt")}, _llmetry(tree, "completion")
    messages, answer = messages_of(span)
    if messages:
        return {"messages": messages}, answer
    request = opened(attributes.get(ADK))
    if isinstance(request, dict) and isinstance(request.get("contents"), list):
        return request, opened(attributes.get(ADK_ANSWER))
    if isinstance(opened(attributes.get(VERCEL)), list):
        return {"messages": opened(attributes[VERCEL])}, _vercel_answer(attributes)
    return _raw(span)


def _raw(span: Span) -> Asked | None:
    kind = opened(span.attributes.get("openinference.span.kind", span.attributes.get("mlflow.spanType")))
    kind = kind.strip('"') if isinstance(kind, str) else kind
    for given, made in RAW if kind in RAW_KINDS else ():
        request = request_of(span.attributes.get(given), "")
        if prompt_key(request) is not None:
            return request, opened(span.attributes.get(made))
    return None


def _genai(span: Span) -> dict[str, Any] | None:
    for attributes in (span.attributes, *(fields for _, fields in span.events)):
        if isinstance(opened(attributes.get(GENAI_INPUT)), list):
            return attributes
    return None


def _inference(tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = []
    for item in _objects(tree.get(key)):
        message = item.get("message")
        if not isinstance(message, dict):
            continue
        value = {**message, "content": _as_content(message)}
        calls = [call["tool_call"] for call in _objects(message.get("tool_calls")) if "tool_call" in call]
        found.append({**value, "tool_calls": calls} if calls else value)
    return found


def _as_content(message: dict[str, Any]) -> Any:
    if "content" in message or "contents" not in message:
        return message.get("content")
    return [part["message_content"] for part in _objects(message["contents"]) if "message_content" in part]


def _llmetry(tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = []
    for message in _objects(tree.get(key)):
        value = {**message, "content": opened_parts(message.get("content"))}
        calls = [{"id": call.get("id"), "function": call} for call in _objects(message.get("tool_calls"))]
        found.append({**value, "tool_calls": calls} if calls else value)
    return found


def _vercel_answer(attributes: dict[str, Any]) -> dict[str, Any]:
    text, calls = attributes.get("ai.response.text"), opened(attributes.get("ai.response.toolCalls"))
    content = [{"type": "text", "text": text}] if isinstance(text, str) and text else []
    for call in _objects(calls):
        content.append({**call, "type": "tool-call", "input": opened(call.get("input", call.get("args")))})
    return {"role": "assistant", "content": content}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _tools(span: Span, request: dict[str, Any]) -> tuple[str, ...] | None:
    genai = _genai(span)
    if genai is not None:
        return _listed(genai.get("gen_ai.tool.definitions"))
    if any(key.startswith(INFERENCE) for key in span.attributes):
        return _inference_tools(_nested(span.attributes, "llm.")) or None
    if any(key.startswith(LLMETRY) for key in span.attributes):
        return _llmetry_tools(span) or None
    for key in ("gen_ai.tool.definitions", "ai.prompt.tools"):
        if key in span.attributes:
            return _listed(span.attributes[key])
    return None


def opened_parts(content: Any) -> Any:
    """Parts that were recorded as JSON text; other text stays, whatever it looks like."""
    found = opened(content)
    is_parts = isinstance(found, list) and bool(found) and all(isinstance(p, dict) and "type" in p for p in found)
    return found if is_parts else content


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


def _listed(value: Any) -> tuple[str, ...] | None:
    tools = opened(value)
    return tuple(compact(opened(tool)) for tool in tools) if isinstance(tools, list) and tools else None


def _text(span: Span, *keys: str) -> str | None:
    return next((v for key in keys if isinstance(v := span.attributes.get(key), str) and v), None)
