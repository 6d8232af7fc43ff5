"""Tasks for engines: tools, turns, and the calls that are right. `harness.bench.tasks` reads them from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from harness.engines.envelope import Call
from harness.grounding.span import Span
from harness.json.value import JsonValue

Unspoken = Literal["default", "implied"]
"""Why a right value stands nowhere in the input: the schema states it, or the words imply it ("lights out")."""


@dataclass(frozen=True, slots=True)
class ExpectedCall(Call):
    """A call that is right, and what else would be. Paths are those of `harness.bench.paths`.

    accept: further values for a path, beside the one in `arguments`. optional: paths that may be left out.
    spans: where each value stands in the input. unspoken: why one stands nowhere in it.
    """

    accept: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    spans: Mapping[str, Span] = field(default_factory=dict)
    unspoken: Mapping[str, Unspoken] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to an engine.

    input: what the user says. expected: the calls that are right; none, if no call is. alternatives: other lists of
    calls that are as right. ordered: whether the order of the calls matters. kind: what the turn tests. comparison: how
    values are compared (`harness.bench.comparing`). context: the messages before it (role, content). today: the day on
    which "tomorrow" was said. policy and value: under which policy which value was shown in the context; hidden:
    whether that policy hides what the call needs.
    """

    input: str
    expected: tuple[ExpectedCall, ...] = ()
    alternatives: tuple[tuple[ExpectedCall, ...], ...] = ()
    ordered: bool = False
    kind: str = "single"
    comparison: Literal["folded", "bfcl"] = "folded"
    context: tuple[Mapping[str, Any], ...] = ()
    today: date | None = None
    policy: str | None = None
    value: str | None = None
    hidden: bool | None = None

    @property
    def text(self) -> str:
        """All that the engine sees, a paragraph each: the contents of the messages before, and the input."""
        before = (str(message.get("content") or "") for message in self.context)
        return "\n\n".join([*filter(None, before), self.input])

    @property
    def needs_call(self) -> bool:
        return bool(self.expected)


@dataclass(frozen=True, slots=True)
class Task:
    """Turns over the same tools. family: home, phone, ...; for BFCL the category.

    tools: name, description, parameters (a JSON schema), in the order in which they are declared. synonyms: per value
    further words that say it, for grounding. system: a system prompt of its own; None for that of the run.
    """

    id: str
    family: str
    tools: tuple[Mapping[str, Any], ...]
    turns: tuple[Turn, ...]
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    system: str | None = None
