"""Amazon's binary event streams, in which Bedrock's `converse_stream` answers.

Source: Smithy specification, `amazon-eventstream`: frames of total length, length of headers, a checksum, headers
(name, type, value), payload, a checksum. Checksums are not looked at: what does not parse is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.json_text import Unreadable, parse

PRELUDE, CHECKSUM, STRING = 12, 4, 7


def is_event_stream(data: bytes) -> bool:
    """Whether bytes begin with a frame whose lengths agree."""
    total, headers = _lengths(data)
    return PRELUDE + CHECKSUM <= total <= len(data) and 0 < headers <= total - PRELUDE - CHECKSUM


def _lengths(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[:4], "big"), int.from_bytes(data[4:8], "big")


def _frames(data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    while is_event_stream(data):
        total, length = _lengths(data)
        kind = _event_type(data[PRELUDE : PRELUDE + length])
        try:
            value = parse(data[PRELUDE + length : total - CHECKSUM])
        except Unreadable:
            value = None
        if isinstance(value, dict):
            yield kind, value
        data = data[total:]


def _event_type(headers: bytes) -> str:
    """The value of the header `:event-type`; all headers here are strings."""
    while len(headers) > 4:
        size = headers[0]
        name, rest = headers[1 : 1 + size], headers[1 + size :]
        if not rest or rest[0] != STRING:
            break
        length = int.from_bytes(rest[1:3], "big")
        if name == b":event-type":
            return rest[3 : 3 + length].decode("utf-8", "replace")
        headers = rest[3 + length :]
    return ""


def response_of_frames(data: bytes) -> dict[str, Any] | None:
    """The response that a stream of `converse_stream` makes up; `None` if it is of another kind."""
    blocks: dict[int, dict[str, Any]] = {}
    response: dict[str, Any] = {}
    for kind, event in _frames(data):
        index = event.get("contentBlockIndex")
        at = index if isinstance(index, int) else 0
        if kind == "contentBlockStart" and isinstance(event.get("start"), dict):
            use = event["start"].get("toolUse")
            result = event["start"].get("toolResult")
            if isinstance(use, dict):
                blocks[at] = {"toolUse": {**use, "input": ""}}
            elif isinstance(result, dict):
                blocks[at] = {"toolResult": {**result, "content": []}}
        elif kind == "contentBlockDelta" and isinstance(event.get("delta"), dict):
            _add(blocks.setdefault(at, {}), event["delta"])
        elif kind == "metadata":
            response["usage"] = event.get("usage")
        elif kind == "messageStart":
            response.setdefault("output", None)
    if "output" not in response:
        return None
    content = [_whole(blocks[at]) for at in sorted(blocks)]
    return {**response, "output": {"message": {"role": "assistant", "content": content}}}


def _add(block: dict[str, Any], delta: dict[str, Any]) -> None:
    text, use, thought = delta.get("text"), delta.get("toolUse"), delta.get("reasoningContent")
    result = delta.get("toolResult")
    if isinstance(text, str):
        block["text"] = block.get("text", "") + text
    elif isinstance(use, dict) and isinstance(use.get("input"), str):
        block.setdefault("toolUse", {"input": ""})["input"] += use["input"]
    elif isinstance(result, list):
        block.setdefault("toolResult", {"content": []})["content"] += result
    elif isinstance(thought, dict) and isinstance(thought.get("text"), str):
        inner = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})
        inner["reasoningText"]["text"] += thought["text"]


def _whole(block: dict[str, Any]) -> dict[str, Any]:
    use = block.get("toolUse")
    if not isinstance(use, dict):
        return block or {"text": ""}
    try:
        return {"toolUse": {**use, "input": parse(use["input"]) if use["input"] else {}}}
    except Unreadable:
        return block
