"""Names that can be written: half a surrogate pair in an id, a model or a tool's name becomes U+FFFD.

Texts stay as recorded, since evidence and token counts know what to do with them; names go into tables, journals and
pages, which are UTF-8.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.json.value import well_formed
from harness.transcript import Message, Transcript

OF_TRANSCRIPT = (
    *("id", "cluster", "model", "parent", "run", "session", "forked_from"),
    *("task", "repetition", "agent", "version"),
)
OF_MESSAGE = ("message_id", "model")
OF_CALL = ("name", "call_id")


def with_writable_names(transcript: Transcript) -> Transcript:
    """The transcript itself where nothing has to be replaced, which is nearly always."""
    messages = tuple(map(_message, transcript.messages))
    changed = _changed(transcript, OF_TRANSCRIPT)
    if any(new is not old for new, old in zip(messages, transcript.messages, strict=True)):
        changed["messages"] = messages
    return replace(transcript, **changed) if changed else transcript


def _message(message: Message) -> Message:
    changed = _changed(message, OF_MESSAGE)
    calls = tuple(_named(call) for call in message.calls)
    if any(new is not old for new, old in zip(calls, message.calls, strict=True)):
        changed["calls"] = calls
    if message.result is not None and (result := _named(message.result)) is not message.result:
        changed["result"] = result
    return replace(message, **changed) if changed else message


def _named(one: Any) -> Any:
    changed = _changed(one, OF_CALL)
    return replace(one, **changed) if changed else one


def _changed(one: Any, names: tuple[str, ...]) -> dict[str, Any]:
    found = {}
    for name in names:
        value = getattr(one, name)
        if value and not value.isascii() and (written := well_formed(value)) != value:
            found[name] = written
    return found
