"""What several exporters need: arguments as an object, times as text, and a sentence for what cannot be
held."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import orjson

from harness.errors import HarnessError
from harness.transcript import ToolCall, Transcript

BARE_ARGUMENT = "input"


def json_line(value: object) -> bytes:
    """Compact JSON in UTF-8 with a line end; a lone surrogate is an escape, so that the file is UTF-8
    still."""
    try:
        return orjson.dumps(value) + b"\n"
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def arguments_object(call: ToolCall) -> dict[str, Any]:
    """The arguments as the JSON object that they are; other text (a bare command) under the key `input`."""
    try:
        found = json.loads(call.arguments)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {BARE_ARGUMENT: call.arguments}


def call_id(call: ToolCall, message: int, position: int) -> str:
    """The call's id; one made of its place where it has none."""
    return call.call_id if call.call_id is not None else f"call_{message}_{position}"


def answered_id(transcript: Transcript, index: int) -> str:
    """The id under which the result in message `index` is written."""
    result = transcript.messages[index].result
    assert result is not None
    if result.call is None:
        return result.call_id if result.call_id is not None else f"result_{index}"
    message, position = result.call
    return call_id(transcript.messages[message].calls[position], message, position)


def iso_time(seconds: float) -> str:
    """UTC, to the millisecond, or to the microsecond where that says more."""
    moment = datetime.fromtimestamp(seconds, UTC)
    exact = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=exact).removesuffix("+00:00") + "Z"


def refuse_rewritten(transcript: Transcript, format_name: str) -> None:
    """Raise `HarnessError` for a transcript whose prompt the recorder rewrote."""
    if transcript.cuts:
        raise HarnessError(
            f"{transcript.id}: its prompt was {transcript.cuts[0].kind} before message {transcript.cuts[0].at}, which "
            f"{format_name} cannot hold; export a recording whose prompt only grew"
        )


def refuse_copied(transcript: Transcript, format_name: str) -> None:
    """Raise `HarnessError` for a transcript that brings messages over from another recording."""
    if any(message.copied for message in transcript.messages):
        raise HarnessError(
            f"{transcript.id}: holds messages copied from another recording, which {format_name} cannot mark; export "
            "the recording that they come from"
        )
