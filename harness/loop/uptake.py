"""What a driver makes of handles: used, used wrongly, invented."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

from harness.loop.task import Need, Step
from harness.policies.car_read import READ_TOOL
from harness.policies.rendering import Rendering
from harness.preview import JsonValue, SessionValues

_REFERENCE = re.compile(r"\$(r\d+)(\..*)?")
_MISWRITTEN = re.compile(r"[\s\"'`$({\[<]*(r\d+)(?:\.[\w.]*)?[\s\"'`)}\]>]*")
"""A handle that was meant and is none, since it is not written `$r1`: `r1`, `${r1}`, `"$r1"`."""


class Kept(Protocol):
    """What a policy holds for a run: values for references, and values whose handles a tool can read."""

    @property
    def values(self) -> SessionValues: ...

    @property
    def handles(self) -> dict[str, JsonValue]: ...


@dataclass
class Uptake:
    """Counts over one run. offered: results that came with a handle. needed: those of them that were cut, where the
    task needs what a handle would have brought: for one that is read any hidden part, for one that is passed on the
    whole. used: references that stood for a value, and handles that were read. wrong: a handle that exists with a path
    that does not, or written otherwise than as a reference. invented: a handle that never was."""

    offered: int = 0
    needed: int = 0
    used: int = 0
    wrong: int = 0
    invented: int = 0

    def offer(self, view: Rendering, need: Need) -> None:
        """A result has arrived as `view`, in a task of this need."""
        if view.handle is None:
            return
        self.offered += 1
        serves = need != "preview" if view.reach == "handle-read" else need == "whole"
        self.needed += serves and view.elided_bytes > 0

    def resolve(self, kept: Kept, step: Step) -> JsonValue:
        """A call's arguments with values for references, each counted. What the read tool is given stays a name."""
        given: JsonValue = dict(step.arguments)
        if step.name == READ_TOOL:
            name = str(step.arguments.get("handle", "")).removeprefix("$").partition(".")[0]
            if name in kept.handles:
                self.used += 1
            else:
                self.invented += 1
            return given
        self._count(kept, given)
        return kept.values.resolve(given).params

    def _count(self, kept: Kept, value: Any) -> None:
        if isinstance(value, dict):
            for item in value.values():
                self._count(kept, item)
        elif isinstance(value, list):
            for item in value:
                self._count(kept, item)
        elif isinstance(value, str) and (match := _REFERENCE.fullmatch(value)):
            try:
                kept.values.lookup(value[1:])
                self.used += 1
            except KeyError:
                if match.group(1) in kept.values.handles():
                    self.wrong += 1
                else:
                    self.invented += 1
        elif isinstance(value, str) and (match := _MISWRITTEN.fullmatch(value)):
            self.wrong += match.group(1) in kept.values.handles()
