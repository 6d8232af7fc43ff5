"""Whether an agent can see again what a rendering leaves out: by what the policy leaves, with a tool that it has.

A file is read by any reader of files that the agent has, and of a line no more than the reader shows; a readable
handle comes with its tool, which the policy defines. Another call of the same tool and a handle that passes its value
on show nothing of what was kept: they are ways of recovery (`harness.evidence.recoveries`), not reach.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from harness.policies.rendering import Reach, Rendering
from harness.policies.units import utf8_length
from harness.tool_table import Toolset

Shown = Literal["yes", "unknown", "no"]
SHOWN: tuple[Shown, ...] = ("yes", "unknown", "no")
"""From the best to the worst."""


def shows_handle(tools: Toolset, reach: Reach) -> Shown:
    """Whether the agent can see what a handle keeps: a readable one comes with its tool, another needs a tool that
    shows parts of what is passed to it."""
    return "yes" if reach == "handle-read" or (reach == "handle-arg" and tools.shows_parts) else "no"


def shows_place(tools: Toolset, value: str, start: int, end: int) -> Shown:
    """Whether the agent can see characters `start` to `end` of a value that was spilled to a file."""
    line = value.rfind("\n", 0, start) + 1
    if end - line <= tools.line_limit:
        return "yes"
    return "unknown" if tools.unknown else "no"


class HiddenBytes(NamedTuple):
    """UTF-8 bytes that a rendering leaves out of what stood in the prompt: those that this agent cannot see again,
    and those of which that is unknown. The rest it can."""

    unreachable: int
    unknown: int


def hidden_bytes(tools: Toolset, view: Rendering, value: str, elided: int) -> HiddenBytes:
    """Of the `elided` bytes of a value. Of a file with lines longer than the agent's readers show, the parts of lines
    behind that."""
    if view.reach != "file":
        return HiddenBytes(0 if shows_handle(tools, view.reach) == "yes" else elided, 0)
    hidden = min(elided, _beyond(value, tools.line_limit))
    return HiddenBytes(0, hidden) if tools.unknown else HiddenBytes(hidden, 0)


def _beyond(value: str, limit: float) -> int:
    """Bytes of a value's lines behind a number of characters."""
    if len(value) <= limit:
        return 0
    shown = int(limit)
    return sum(utf8_length(line[shown:]) for line in value.split("\n") if len(line) > shown)
