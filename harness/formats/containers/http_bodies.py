"""Bodies of recorded HTTP requests and responses: parsed, as text, compressed, in base64, or streamed."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

from harness.formats.containers.aws_events import is_event_stream, response_of_frames
from harness.formats.containers.event_streams import is_stream, response_of
from harness.formats.containers.exchange import Exchange
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.record import Report, kind_of
from harness.transcript import Problem

LARGEST_BODY = 1 << 30


def exchange(
    asked: Any, answered: Any, place: str, report: Report, time: float | None = None, started: float | None = None
) -> Exchange:
    """The request to a model in two bodies; one without messages if it is to something else. A streamed answer to a
    request with messages that cannot be put together is a problem."""
    request, response = body_of(asked), body_of(answered)
    if request is not None and response is None and _is_streamed(answered):
        report(Problem(place, "a streamed answer of no known kind: not read"))
    if request is not None and not isinstance(answered, (str, bytes, dict, list, type(None))):
        report(Problem(place, f"the answer is {kind_of(answered)}, not a body: not read"))
    return Exchange(request or {}, response, place, time=time, started=started)


def body_of(content: Any) -> dict[str, Any] | None:
    """The JSON object that a body is or streams, `None` if it is none."""
    if isinstance(content, dict):
        return content
    data = unpacked(content) if isinstance(content, bytes) else content
    if isinstance(data, bytes) and is_event_stream(data):
        return response_of_frames(data)
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    if not isinstance(text, str) or not text.strip():
        return None
    if is_stream(text):
        return response_of(text)
    try:
        value = parse(text)
    except Unreadable:
        return None
    if isinstance(value, list) and value and all(isinstance(v, dict) and "candidates" in v for v in value):
        return response_of("\n".join(f"data: {line}" for line in map(compact, value)))
    return value if isinstance(value, dict) else None


def _is_streamed(content: Any) -> bool:
    data = unpacked(content) if isinstance(content, bytes) else content
    if isinstance(data, bytes):
        return is_event_stream(data) or is_stream(data[:100].decode("utf-8", "replace"))
    return isinstance(data, str) and is_stream(data)


def unpacked(data: bytes) -> bytes:
    """Bytes as they were before they were compressed by gzip, if they were."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return zlib.decompressobj(wbits=31).decompress(data, LARGEST_BODY)
    except zlib.error:
        return b""


def from_base64(text: Any) -> bytes | None:
    try:
        return base64.b64decode(text, validate=False) if isinstance(text, (str, bytes)) else None
    except (ValueError, binascii.Error):
        return None
