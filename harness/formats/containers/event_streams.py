"""Streamed responses: server-sent events put together into the response that they stream.

Source: the streaming pages of OpenAI's chat completions and Responses APIs, of Anthropic's Messages API, of Google's
streamGenerateContent, and of Cohere's chat. Field
names are the events' own; what is not needed for a transcript (citations, signatures) is left out.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from harness.formats.json_text import Unreadable, compact, parse


def response_of(body: str) -> dict[str, Any] | None:
    """The response in a body of server-sent events; `None` if it holds none that is known."""
    events = _events(body)
    for event in reversed(events):
        if isinstance(event.get("response"), dict) and event["response"].get("object") == "response":
            return _whole_response(event["response"], events)
    if any(event.get("type") == "message_start" for event in events):
        return _anthropic(events)
    if any("choices" in event for event in events):
        return _chat(events)
    if any("candidates" in event for event in events):
        return _gemini(events)
    if any(event.get("type") == "message-start" for event in events):
        return _cohere(events)
    return None


def is_stream(body: str) -> bool:
    start = body.lstrip()[:7]
    return start.startswith(("event:", "data:", ": "))


def _events(body: str) -> list[dict[str, Any]]:
    found = []
    for line in body.splitlines():
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if data.startswith("{"):
            try:
                value = parse(data)
            except Unreadable:
                continue
            if isinstance(value, dict):
                found.append(value)
    return found


def _whole_response(response: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """The last state of a response; where the stream broke off, with the items that were done."""
    if response.get("output"):
        return response
    done = [e["item"] for e in events if e.get("type") == "response.output_item.done" and "item" in e]
    return {**response, "output": done}


def _anthropic(events: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[tuple[int, str], list[str]] = defaultdict(list)
    usage: dict[str, Any] = {}
    for event in events:
        index = event.get("index")
        index = index if isinstance(index, int) else 0
        delta = _object(event, "delta")
        match event.get("type"):
            case "message_start":
                message = _object(event, "message")
                usage = {**usage, **_object(message, "usage")}
            case "content_block_start":
                blocks[index] = dict(_object(event, "content_block"))
                for key in ("text", "thinking"):
                    pieces[index, key] = [_text(blocks[index], key)]
            case "content_block_delta":
                for key in ("text", "thinking", "partial_json"):
                    pieces[index, key].append(_text(delta, key))
            case "message_delta":
                usage = {**usage, **_object(event, "usage")}
    for (index, key), parts in pieces.items():
        text = "".join(parts)
        if text and index in blocks:
            blocks[index]["input" if key == "partial_json" else key] = _value(text) if key == "partial_json" else text
    return {**message, "content": [blocks[i] for i in sorted(blocks)], "usage": usage}


def _gemini(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Chunks of `streamGenerateContent`: their parts one after another, the last usage."""
    parts: list[Any] = []
    response: dict[str, Any] = {}
    for event in events:
        response |= {key: value for key, value in event.items() if key != "candidates" and value is not None}
        candidates = event.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        content = _object(first, "content") if isinstance(first, dict) else {}
        found = content.get("parts")
        parts += found if isinstance(found, list) else []
    return {**response, "candidates": [{"content": {"role": "model", "parts": parts}}]}


def _cohere(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Events of Cohere's chat: text, plan and calls in pieces."""
    text, plan, thought, usage = "", "", "", dict[str, Any]()
    calls: dict[int, dict[str, Any]] = {}
    for event in events:
        delta = _object(event, "delta")
        message = _object(delta, "message")
        content, call = _object(message, "content"), _object(message, "tool_calls")
        text += _text(content, "text")
        thought += _text(content, "thinking")
        plan += _text(message, "tool_plan")
        if call:
            index = event.get("index")
            _add_piece(calls, {**call, "index": index if isinstance(index, int) else 0})
        usage = _object(delta, "usage") or usage
    said: dict[str, Any] = {"role": "assistant", "content": [{"type": "text", "text": text}] if text else []}
    said["content"] = ([{"type": "thinking", "thinking": thought}] if thought else []) + said["content"]
    if plan:
        said["tool_plan"] = plan
    if calls:
        said["tool_calls"] = [_whole_call(calls[i]) for i in sorted(calls)]
    first = next((event for event in events if event.get("type") == "message-start"), {})
    return {"id": first.get("id"), "message": said, "usage": usage}


def _chat(events: list[dict[str, Any]]) -> dict[str, Any]:
    said: dict[str, list[str]] = defaultdict(list)
    calls: dict[int, dict[str, Any]] = {}
    response: dict[str, Any] = {}
    for event in events:
        for key in ("id", "model", "created", "usage"):
            if event.get(key) is not None:
                response[key] = event[key]
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        delta = _object(choice, "delta")
        for key in ("content", "reasoning_content", "reasoning", "refusal"):
            if _text(delta, key):
                said[key].append(_text(delta, key))
        pieces = delta.get("tool_calls")
        for piece in pieces if isinstance(pieces, list) else []:
            if isinstance(piece, dict):
                _add_piece(calls, piece)
    message: dict[str, Any] = {"role": "assistant", "content": None}
    message |= {key: "".join(parts) for key, parts in said.items()}
    if calls:
        message["tool_calls"] = [_whole_call(calls[i]) for i in sorted(calls)]
    return {**response, "choices": [{"message": message}]}


def _add_piece(calls: dict[int, dict[str, Any]], piece: dict[str, Any]) -> None:
    index = piece.get("index")
    index = index if isinstance(index, int) else len(calls)
    call = calls.setdefault(index, {"id": None, "name": [], "arguments": []})
    call["id"] = piece.get("id") or call["id"]
    function = _object(piece, "function")
    for key in ("name", "arguments"):
        call[key].append(_text(function, key))


def _whole_call(call: dict[str, Any]) -> dict[str, Any]:
    function = {key: "".join(call[key]) for key in ("name", "arguments")}
    return {"id": call["id"], "type": "function", "function": function}


def _object(value: dict[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _value(text: str) -> Any:
    try:
        return parse(text)
    except Unreadable:
        return {"input": compact(text)}
