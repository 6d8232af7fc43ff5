"""The events of an Anthropic message, or a whole one, put together into an envelope.

Source: docs of the Messages API, "Streaming Messages" (2023-06-01): message_start, content_block_start, _delta and
_stop, message_delta with the reason and the usage so far, message_stop, error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from harness.engines.call_in_text import CALL_IN_TEXT, call_in_text
from harness.engines.overflow import is_overflow
from harness.engines.turn import EngineFailure
from harness.engines.wire_names import WireNames

READ: Final = ("input_tokens", "cache_creation_input_tokens")
"""Tokens that were read in this turn; `cache_read_input_tokens` came from the cache."""


@dataclass
class _Block:
    kind: str
    text: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class AnthropicAnswer:
    """What has come so far. pieces: in how many events something that the model wrote came."""

    pieces: int = 0
    _blocks: dict[int, _Block] = field(default_factory=dict)
    _stop: str | None = None
    _error: str | None = None
    _usage: dict[str, int] = field(default_factory=dict)

    def add(self, event: Mapping[str, Any]) -> None:
        """One event, or a whole message. What is not as the protocol has it is passed over."""
        match event.get("type"):
            case "message":
                self._add_message(event)
            case "message_start":
                self._add_usage(_object(event, "message"))
            case "content_block_start":
                self._blocks[_index(event)] = self._block(_object(event, "content_block"))
            case "content_block_delta":
                self._add_delta(self._blocks.setdefault(_index(event), _Block("text")), _object(event, "delta"))
            case "message_delta":
                self._stop = _text(_object(event, "delta"), "stop_reason") or self._stop
                self._add_usage(event)
            case "error":
                self._error = _text(_object(event, "error"), "message") or "error"

    def _add_message(self, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        for number, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict):
                self._blocks[number] = self._block(block)
        self.pieces += bool(self._blocks)
        self._stop = _text(message, "stop_reason") or self._stop
        self._add_usage(message)

    def _block(self, block: Mapping[str, Any]) -> _Block:
        given = block.get("input")
        arguments = orjson.dumps(given).decode("utf-8") if isinstance(given, dict) and given else ""
        return _Block(
            _text(block, "type"), _text(block, "text") or _text(block, "thinking"), _text(block, "name"), arguments
        )

    def _add_delta(self, block: _Block, delta: Mapping[str, Any]) -> None:
        said = _text(delta, "text") + _text(delta, "thinking")
        part = _text(delta, "partial_json")
        block.text += said
        block.arguments += part
        self.pieces += bool(said or part)

    def _add_usage(self, record: Mapping[str, Any]) -> None:
        for name, value in _object(record, "usage").items():
            if isinstance(value, int) and not isinstance(value, bool):
                self._usage[name] = value

    @property
    def is_torn(self) -> bool:
        """Whether it ended before the server said that it had."""
        return self._stop is None and self._error is None

    def check_fits(self) -> None:
        """Raises an `EngineFailure`, if what came is an error that speaks of a prompt that is too long."""
        if self._error is not None and is_overflow(self._error):
            raise EngineFailure("overflow", self._error[:500])

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens read in this turn: without those that the server took from its cache."""
        known = [self._usage[name] for name in READ if name in self._usage]
        return sum(known) if "input_tokens" in self._usage else None

    @property
    def cached_tokens(self) -> int | None:
        return self._usage.get("cache_read_input_tokens")

    @property
    def output_tokens(self) -> int | None:
        return self._usage.get("output_tokens")

    def written(self, names: WireNames) -> bytes:
        """The envelope with the calls. An answer that was cut off, or in whose text a call stands that the server did
        not read, is a failure with what there is."""
        used = [block for block in self._blocks.values() if block.kind == "tool_use"]
        calls = [_call(block, names) for block in used]
        text = "".join(block.text for block in self._blocks.values() if block.kind == "text")
        thought = "".join(block.text for block in self._blocks.values() if block.kind == "thinking")
        envelope: dict[str, Any] = {"type": "call" if used else "respond"}
        if self._error is not None:
            envelope |= {"success": False, "error": self._error}
        elif self._stop == "max_tokens":
            envelope |= _failed("truncated", "the token budget was too small")
        elif self._stop is None:
            envelope |= _failed("incomplete", "the answer stopped before its end")
        elif None in calls:
            envelope |= _failed("malformed_calls", "what was written is no call")
        elif self._stop == "refusal":
            envelope |= _failed("refused", "the server would not let the model answer")
        elif not calls and (attempt := call_in_text(text, names.known)):
            envelope |= _failed(CALL_IN_TEXT, f"the server left {attempt} in the text")
        else:
            envelope |= {"success": True, "function_calls": calls}
        if not envelope["success"]:
            envelope["partial_calls"] = [{"name": block.name, "arguments": block.arguments} for block in used]
        envelope |= {"response": text} if text else {}
        envelope |= {"reasoning": thought} if thought else {}
        return orjson.dumps(envelope)


def _failed(code: str, reason: str) -> dict[str, Any]:
    return {"success": False, "error_code": code, "reason": reason}


def _call(block: _Block, names: WireNames) -> dict[str, Any] | None:
    try:
        arguments = orjson.loads(block.arguments or "{}")
    except orjson.JSONDecodeError:
        return None
    return {"name": names.own(block.name), "arguments": arguments} if isinstance(arguments, dict) else None


def _object(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _index(event: Mapping[str, Any]) -> int:
    value = event.get("index")
    return value if isinstance(value, int) else 0
