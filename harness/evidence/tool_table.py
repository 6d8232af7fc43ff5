"""What is known of tools by their names (`tool_table.toml`). What is not known is no.

Several agents may use one name. Then only what all of them say of it holds.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from harness.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Tool:
    """narrows: arguments that make it give back less. The others are explained in the table."""

    returns_json: bool = False
    read_only: bool = False
    narrows: frozenset[str] = frozenset()
    shows_parts: bool = False
    spanless: bool = False

    @property
    def can_be_narrowed(self) -> bool:
        """Whether calling it again, with other arguments, may bring back a part of what it gave."""
        return self.read_only and bool(self.narrows)

    def both(self, other: Tool) -> Tool:
        """What holds of either."""
        return Tool(
            returns_json=self.returns_json and other.returns_json,
            read_only=self.read_only and other.read_only,
            narrows=self.narrows | other.narrows if self.narrows and other.narrows else frozenset(),
            shows_parts=self.shows_parts and other.shows_parts,
            spanless=self.spanless and other.spanless,
        )


UNKNOWN = Tool()


@cache
def tool_table() -> Mapping[str, Tool]:
    """All known tools by name."""
    text = (files("harness.evidence") / "tool_table.toml").read_text(encoding="utf-8")
    found: dict[str, Tool] = {}
    for row in tomllib.loads(text)["tool"]:
        flags = {key: value for key, value in row.items() if key not in ("agent", "source", "names", "narrows")}
        tool = Tool(narrows=frozenset(row.get("narrows", ())), **flags)
        for name in row["names"]:
            found[name] = found[name].both(tool) if name in found else tool
    return MappingProxyType(found)


def tool(name: str) -> Tool:
    """What is known of a tool."""
    return tool_table().get(name, UNKNOWN)


def shows_parts(transcript: Transcript) -> bool:
    """Whether the agent has a tool, among those that it called or was offered, that shows parts of a stored value."""
    called = {call.name for message in transcript.messages for call in message.calls}
    return any(tool(name).shows_parts for name in called | set(offered(transcript)))


def offered(transcript: Transcript) -> list[str]:
    """Names of the recorded tool definitions, in whichever shape."""
    found: list[str] = []
    for text in transcript.tools or ():
        try:
            definition = json.loads(text)
        except ValueError:
            continue
        if isinstance(definition, dict):
            inner = definition.get("function", definition)
            name = inner.get("name") if isinstance(inner, dict) else None
            if isinstance(name, str):
                found.append(name)
    return found
