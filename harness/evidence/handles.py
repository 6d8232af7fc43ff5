"""Handles in the calls of a recording: which were given, and what the model wrote for them.

CAR shows a preview of each value and keeps the whole under a name that the model may pass on (`"$r3.rows"`). References
are told as right (the handle was given before, and its preview shows the path), untold (a path that the preview does
not show), wrong (a path that is not there, or a handle written otherwise) and invented (never given).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from harness.json.value import JsonValue, MalformedJson, parse_value
from harness.preview.recorded import RecordedPreview, recorded_preview
from harness.transcript import Transcript

Fate = Literal["right", "untold", "wrong", "invented"]
REFERENCE = re.compile(r"\$(r\d+)(?:\.(.*))?", re.DOTALL)
MISWRITTEN = re.compile(r"[\s\"'`$({\[<]*(r\d+)(?:\.[\w.]*)?[\s\"'`)}\]>]*|.*\$\{?(r\d+)\b.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Use:
    """One argument that names a handle. request: the message that makes the call. size: bytes of what a right one
    stands for, `None` where no preview states them."""

    request: int
    handle: str
    fate: Fate
    text: str
    size: int | None


def previews(transcript: Transcript) -> dict[int, RecordedPreview]:
    """The results that stand as previews, by message."""
    found = ((i, recorded_preview(m.result.content)) for i, m in enumerate(transcript.messages) if m.result is not None)
    return {i: seen for i, seen in found if seen is not None}


def uses(transcript: Transcript) -> list[Use]:
    """Every argument of a call that names a handle, in order."""
    shown = previews(transcript)
    known: dict[str, RecordedPreview] = {}
    found: list[Use] = []
    for i, message in enumerate(transcript.messages):
        if i in shown:
            known[shown[i].handle] = shown[i]
        if shown and not message.copied:
            for call in message.calls:
                found += (use for text in strings(parsed(call.arguments)) if (use := _use(i, text, known)) is not None)
    return found


def _use(request: int, text: str, known: dict[str, RecordedPreview]) -> Use | None:
    if match := REFERENCE.fullmatch(text):
        handle, path = match[1], match[2] or ""
        if handle not in known:
            return Use(request, handle, "invented", text, None)
        told = known[handle].names(path)
        fate: Fate = "untold" if told is None else "right" if told else "wrong"
        return Use(request, handle, fate, text, known[handle].size_of(path) if told else None)
    match = MISWRITTEN.fullmatch(text) if len(text) < 10_000 else None
    if match is not None and (handle := match[1] or match[2]) in known:
        return Use(request, handle, "wrong", text, None)
    return None


def parsed(arguments: str) -> JsonValue:
    """The arguments of a call; a text that is no JSON as it stands."""
    try:
        return parse_value(arguments)
    except MalformedJson:
        return arguments


def strings(value: JsonValue) -> Iterator[str]:
    """Every text in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
