"""Handles that a program puts in place of what it leaves out, and whether this agent has the tool that they are for."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

from harness.policies.tools import covers
from harness.policies.wire.said import schema_of
from harness.transcript import Transcript


def advertised(text: str, value: str) -> tuple[str, ...]:
    """The tools by which a text says that more can be had, where the value itself does not say so."""
    found: list[str] = []
    for pattern, tool in _patterns():
        before = Counter(match[0] for match in pattern.finditer(value))
        for match in pattern.finditer(text):
            before[match[0]] -= 1
            if before[match[0]] < 0:
                found.append(tool or match["tool"])
    return tuple(dict.fromkeys(found))


def tools_of(transcript: Transcript) -> frozenset[str]:
    """The tools that an agent is known to have: defined, or called in this transcript."""
    defined = {schema_of(tool)[0] for tool in transcript.tools or ()}
    return frozenset(defined | {call.name for message in transcript.messages for call in message.calls})


def has(tool: str, tools: frozenset[str]) -> bool:
    """Whether one of an agent's tools is the one, also where a server's name stands before it."""
    if tool.startswith("@"):
        return any(covers((tool,), name) for name in tools)
    return any(name == tool or name.endswith(f"_{tool}") for name in tools)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    data = tomllib.loads(files(__package__ or "").joinpath("advertised.toml").read_text(encoding="utf-8"))
    return tuple((re.compile(handle["pattern"]), handle["tool"]) for handle in data["handle"])
