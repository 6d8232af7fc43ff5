"""What is known of tools by their names (`table.toml`). What is not known is no, but for reading files: there
*unknown* is said (METHOD, section 1).

Several agents may use one name. Where the format of a recording tells the agent, its own row holds; else only what
all of them say of it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from harness.transcript import ToolCall, Transcript

WHOLE_LINES = float("inf")
"""The line limit of a reader that cuts none."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A row of the table, whose head explains the columns. narrows: arguments that make it give back less. when: per
    argument the values with which `read_only` and `narrows` hold. line_limit: characters of a line that it shows.
    known: whether the table has it.
    """

    returns_json: bool = False
    read_only: bool = False
    reads_files: bool = False
    line_limit: float = WHOLE_LINES
    narrows: frozenset[str] = frozenset()
    when: Mapping[str, frozenset[str]] = field(default_factory=dict)
    shows_parts: bool = False
    spanless: bool = False
    known: bool = True

    def changes_nothing(self, call: ToolCall) -> bool:
        """Whether this call surely writes nothing: calling it again gives the same."""
        return self.spanless or (self.read_only and self._holds(call))

    def can_be_narrowed(self, call: ToolCall) -> bool:
        """Whether calling it again, with other arguments, surely may bring back a part of what this call gave."""
        return self.read_only and bool(self.narrows) and self._holds(call)

    def _holds(self, call: ToolCall) -> bool:
        if not self.when:
            return True
        given = _object(call.arguments)
        return all(given.get(name) in values for name, values in self.when.items())

    def both(self, other: Tool) -> Tool:
        """What holds of either."""
        return Tool(
            returns_json=self.returns_json and other.returns_json,
            read_only=self.read_only and other.read_only,
            reads_files=self.reads_files and other.reads_files,
            line_limit=min(self.line_limit, other.line_limit),
            narrows=self.narrows | other.narrows if self.narrows and other.narrows else frozenset(),
            when={**self.when, **other.when},
            shows_parts=self.shows_parts and other.shows_parts,
            spanless=self.spanless and other.spanless,
        )


UNKNOWN = Tool(known=False)


@dataclass(frozen=True, slots=True)
class Row:
    """What one agent's tools of some names are like. formats: recordings that only this agent makes."""

    names: tuple[str, ...]
    formats: tuple[str, ...]
    tool: Tool


@cache
def rows() -> tuple[Row, ...]:
    """The table as it is written."""
    text = (files("harness.tool_table") / "table.toml").read_text(encoding="utf-8")
    return tuple(_row(row) for row in tomllib.loads(text)["tool"])


def _row(row: Mapping[str, Any]) -> Row:
    about = ("agent", "source", "names", "formats", "narrows", "when")
    flags = {key: value for key, value in row.items() if key not in about}
    when = {name: frozenset(values) for name, values in row.get("when", {}).items()}
    tool = Tool(narrows=frozenset(row.get("narrows", ())), when=when, **flags)
    return Row(tuple(row["names"]), tuple(row.get("formats", ())), tool)


@cache
def tool_table(format: str = "") -> Mapping[str, Tool]:
    """All known tools by name, as the agent has them whose recordings are of a format."""
    shared: dict[str, Tool] = {}
    own: dict[str, Tool] = {}
    for row in rows():
        for name in row.names:
            shared[name] = shared[name].both(row.tool) if name in shared else row.tool
            if format in row.formats:
                own[name] = own[name].both(row.tool) if name in own else row.tool
    return MappingProxyType({**shared, **own})


def tool(name: str, format: str = "") -> Tool:
    """What is known of a tool, in recordings of a format."""
    return tool_table(format).get(name, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Toolset:
    """What an agent can see again with the tools that it has.

    readers: tools that read files, with the characters of a line that each shows. unknown: whether it has a tool of
    which the table does not know whether it reads files. shows_parts: whether one shows parts of a value passed to it.
    """

    readers: Mapping[str, float]
    unknown: bool
    shows_parts: bool

    @property
    def line_limit(self) -> float:
        """Characters of a line that some reader shows; 0 where no tool is known to read files."""
        return max(self.readers.values(), default=0.0)


def toolset(transcript: Transcript) -> Toolset:
    """The tools that a transcript's agent has: those that it was offered and those that it called."""
    called = {call.name for message in transcript.messages for call in message.calls}
    had = {name: tool(name, transcript.format) for name in sorted(called | set(offered(transcript)))}
    return Toolset(
        readers={name: one.line_limit for name, one in had.items() if one.reads_files},
        unknown=any(not one.known for one in had.values()),
        shows_parts=any(one.shows_parts for one in had.values()),
    )


def offered(transcript: Transcript) -> list[str]:
    """Names of the recorded tool definitions, in whichever shape."""
    found: list[str] = []
    for text in transcript.tools or ():
        definition = _object(text)
        inner = definition.get("function", definition)
        name = inner.get("name") if isinstance(inner, dict) else None
        if isinstance(name, str):
            found.append(name)
    return found


def with_json_results(transcript: Transcript) -> Transcript:
    """The transcript, its results marked as JSON whose tool returns JSON by the table and that parse as JSON.

    (METHOD, section 1: the table decides; an error message of such a tool stays a text.)
    """
    table = tool_table(transcript.format)
    messages = list(transcript.messages)
    changed = False
    for i, message in enumerate(messages):
        result = message.result
        if result is None or result.is_json or not table.get(result.name, UNKNOWN).returns_json:
            continue
        if _is_json(result.value):
            messages[i] = replace(message, result=replace(result, is_json=True))
            changed = True
    return replace(transcript, messages=tuple(messages)) if changed else transcript


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
