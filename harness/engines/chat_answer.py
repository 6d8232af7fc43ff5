"""The events of a chat completion, put together into an envelope."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from harness.engines.call_in_text import CALL_IN_TEXT, call_in_text
from harness.engines.overflow import is_overflow
from harness.engines.turn import EngineFailure
from harness.engines.wire_names import WireNames

Calls = list[dict[str, Any]]


@dataclass
class _CallParts:
    id: str
    index: int | None
    name: str = ""
    arguments: str = ""


@dataclass
class ChatAnswer:
    """What has come so far. pieces: in how many events something that the model wrote came."""

    pieces: int = 0
    _error: str | None = None
    _text: str = ""
    _reasoning: str = ""
    _calls: list[_CallParts] = field(default_factory=list)
    _finish: str | None = None
    _usage: Mapping[str, Any] = field(default_factory=dict)
    _timings: Mapping[str, Any] = field(default_factory=dict)

    def add(self, event: Mapping[str, Any]) -> None:
        """One event of a stream, or a whole answer. What is not as the protocol has it is passed over."""
        self._usage = _object(event, "usage") or self._usage
        self._timings = _object(event, "timings") or self._timings
        if "error" in event and event["error"] is not None:
            said = event["error"]
            self._error = str(said.get("message", said) if isinstance(said, dict) else said)
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        self._finish = choice.get("finish_reason") or self._finish
        delta = _object(choice, "delta") or _object(choice, "message")
        said, thought = _text(delta, "content"), _text(delta, "reasoning_content") or _text(delta, "reasoning")
        self._text += said
        self._reasoning += thought
        calls = delta.get("tool_calls")
        parts = [part for part in calls if isinstance(part, dict)] if isinstance(calls, list) else []
        for position, part in enumerate(parts):
            self._add_call(position, part)
        self.pieces += bool(said or thought or parts)

    @property
    def began(self) -> bool:
        """Whether anything that the model wrote has come."""
        return self.pieces > 0

    @property
    def is_torn(self) -> bool:
        """Whether it ended before the server said that it had."""
        return self._finish is None and self._error is None

    def written(self, names: WireNames) -> bytes:
        """The envelope with the calls that the server read."""
        return self.envelope(self.tool_calls(names), names=names.known)

    def check_fits(self) -> None:
        """Raises an `EngineFailure`, if what came is an error that speaks of a prompt that is too long."""
        if self._error is not None and is_overflow(self._error):
            raise EngineFailure("overflow", self._error[:500])

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens read in this turn: without those that the server took from its cache."""
        whole = _count(self._usage, "prompt_tokens")
        cached = _count(_object(self._usage, "prompt_tokens_details"), "cached_tokens")
        return None if whole is None else whole - (cached or 0)

    @property
    def cached_tokens(self) -> int | None:
        return _count(_object(self._usage, "prompt_tokens_details"), "cached_tokens")

    @property
    def output_tokens(self) -> int | None:
        return _count(self._usage, "completion_tokens")

    def tool_calls(self, names: WireNames) -> Calls | None:
        """The calls as the protocol has them; None if arguments are no JSON object."""
        calls = [{"name": names.own(call.name), "arguments": _arguments(call)} for call in self._calls]
        return None if any(call["arguments"] is None for call in calls) else calls

    def text_calls(self) -> Calls | None:
        """The calls of a model that was told to write a JSON list of them; None if it wrote something else."""
        try:
            found = orjson.loads(self._text)
        except orjson.JSONDecodeError:
            return None
        return found if isinstance(found, list) and all(isinstance(call, dict) for call in found) else None

    def envelope(self, calls: Calls | None, names: Collection[str] = ()) -> bytes:
        """The envelope with these calls. Without calls, or of an answer that was cut off, a failure with what there
        is. So is an answer without calls in whose text one of a tool of these names stands: the model made an attempt,
        which the server did not read."""
        written: dict[str, Any] = {"type": "call" if calls else "respond"}
        if self._error is not None:
            written |= {"success": False, "error": self._error}
        elif self._finish == "length":
            written |= {"success": False, "error_code": "truncated", "reason": "the token budget was too small"}
        elif self._finish is None:
            written |= {"success": False, "error_code": "incomplete", "reason": "the answer stopped before its end"}
        elif calls is None:
            written |= {"success": False, "error_code": "malformed_calls", "reason": "what was written is no call"}
        elif not calls and (attempt := call_in_text(self._text, names)):
            written |= {
                "success": False,
                "error_code": CALL_IN_TEXT,
                "reason": f"the server left {attempt} in the text",
            }
        else:
            written |= {"success": True, "function_calls": calls}
        if not written["success"]:
            written["partial_calls"] = [{"name": call.name, "arguments": call.arguments} for call in self._calls]
        if self._text:
            written["response"] = self._text
        if self._reasoning:
            written["reasoning"] = self._reasoning
        for ours, theirs in (("prefill_tps", "prompt_per_second"), ("decode_tps", "predicted_per_second")):
            rate = self._timings.get(theirs)
            if isinstance(rate, int | float) and not isinstance(rate, bool):
                written[ours] = rate
        return orjson.dumps(written)

    def _add_call(self, position: int, part: Mapping[str, Any]) -> None:
        function = _object(part, "function")
        name = _text(function, "name")
        call = self._call_of(part.get("index"), _text(part, "id"), name, position)
        # Some servers say the whole name again in every part.
        call.name += "" if name == call.name else name
        arguments = function.get("arguments")
        if isinstance(arguments, dict):  # as some servers have it, although the protocol has a text
            arguments = orjson.dumps(arguments).decode("utf-8")
        call.arguments += arguments if isinstance(arguments, str) else ""

    def _call_of(self, index: object, told_id: str, name: str, position: int) -> _CallParts:
        """The call that a part belongs to: by its id where it has one, since some servers number all calls 0 or none;
        else by its number; else the last one, or a new one if it bears a name."""
        numbered = index if isinstance(index, int) else None
        if told_id:
            same = [c for c in self._calls if c.id == told_id and (numbered is None or c.index in (None, numbered))]
        elif numbered is not None:
            same = [c for c in self._calls if c.index == numbered]
        elif name or position:
            same = []
        else:
            same = self._calls
        if same:
            return same[-1]
        self._calls.append(_CallParts(told_id, numbered))
        return self._calls[-1]


def _arguments(call: _CallParts) -> dict[str, Any] | None:
    try:
        found = orjson.loads(call.arguments or "{}")
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _object(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _count(record: Mapping[str, Any], key: str) -> int | None:
    value = record.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
