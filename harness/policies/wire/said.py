"""A request to a model in plain terms, the same for every dialect, so that what was sent and what arrived compare."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.transcript import Role


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Item:
    """One message: a tool's result is one of its own, whatever it shares a message with on the wire."""

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    call_id: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What it is matched by: the ids of its calls, or its role and its text."""
        if self.role == "tool":
            return "tool", self.call_id
        if self.calls:
            return "assistant", *(call.id for call in self.calls)
        return self.role, self.text


@dataclass(frozen=True, slots=True)
class Said:
    """tools: name -> definition as compact JSON. streams: whether the answer was asked for piece by piece."""

    model: str
    items: tuple[Item, ...]
    tools: Mapping[str, str]
    streams: bool = False


class Dialect(Protocol):
    """How one API writes a request and its answer. path: below the host, of what is posted."""

    path: str

    def body(self, said: Said) -> dict[str, Any]:
        """The request."""

    def read(self, body: Mapping[str, Any]) -> Said:
        """The same backwards. Raises `ValueError` for what is no request of this dialect."""

    def answer(self, item: Item, model: str) -> dict[str, Any]:
        """A whole answer."""

    def stream(self, item: Item, model: str) -> list[tuple[str, dict[str, Any] | str]]:
        """The same as server-sent events: name (empty for none) and data."""


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def parsed(arguments: str) -> dict[str, Any]:
    """Arguments as an object; a text that is none under a name of its own."""
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        found = arguments
    return found if isinstance(found, dict) else {"input": found}


def text_of(content: object) -> str:
    """The text of a content: a text, or parts of which those with text count."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        raise ValueError("content is neither a text nor a list of parts")
    return "\n".join(str(part.get("text", "")) if isinstance(part, Mapping) else str(part) for part in content)


def schema_of(tool: str) -> tuple[str, str, dict[str, Any]]:
    """Name, description and schema of a recorded definition, in whichever dialect it stands."""
    try:
        found = json.loads(tool)
    except ValueError:
        found = {}
    found = found if isinstance(found, dict) else {}
    function = found.get("function")
    inner: dict[str, Any] = function if isinstance(function, dict) else found
    schema = inner.get("parameters") or inner.get("input_schema") or inner.get("inputSchema") or {"type": "object"}
    return str(inner.get("name") or ""), str(inner.get("description") or ""), schema
