"""Streamed responses: server-sent events put together into the response that they stream.

Source: the streaming pages of OpenAI's chat completions and Responses APIs and of Anthropic's Messages API. Field
names are the events' own; what is not needed for a transcript (citations, signatures) is left out.
"""

from __future__ import annotations

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
    inputs: dict[int, str] = {}
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
            case "content_block_delta" if index in blocks:
                for key in ("text", "thinking"):
                    if isinstance(delta.get(key), str):
                        blocks[index][key] = _text(blocks[index], key) + delta[key]
                inputs[index] = inputs.get(index, "") + _text(delta, "partial_json")
            case "message_delta":
                usage = {**usage, **_object(event, "usage")}
    for index, text in inputs.items():
        if text:
            blocks[index]["input"] = _value(text)
    return {**message, "content": [blocks[i] for i in sorted(blocks)], "usage": usage}


def _chat(events: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
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
            if isinstance(delta.get(key), str):
                message[key] = _text(message, key) + delta[key]
        pieces = delta.get("tool_calls")
        for piece in pieces if isinstance(pieces, list) else []:
            if isinstance(piece, dict):
                _add_piece(calls, piece)
    if calls:
        message["tool_calls"] = [calls[i] for i in sorted(calls)]
    return {**response, "choices": [{"message": message}]}


def _add_piece(calls: dict[int, dict[str, Any]], piece: dict[str, Any]) -> None:
    index = piece.get("index")
    index = index if isinstance(index, int) else len(calls)
    call = calls.setdefault(index, {"id": None, "type": "function", "function": {"name": "", "arguments": ""}})
    call["id"] = piece.get("id") or call["id"]
    function = _object(piece, "function")
    for key in ("name", "arguments"):
        call["function"][key] += _text(function, key)


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
