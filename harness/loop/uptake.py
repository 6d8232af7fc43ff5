"""What a driver makes of handles: used, used wrongly, invented."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from harness.loop.task import Need, Step
from harness.loop.world import World
from harness.policies.car_read import READ_TOOL
from harness.policies.rendering import Rendering
from harness.preview import JsonValue

_REFERENCE = re.compile(r"\$(r\d+)(\..*)?")
_MISWRITTEN = re.compile(r"[\s\"'`$({\[<]*(r\d+)(?:\.[\w.]*)?[\s\"'`)}\]>]*")
"""A handle that was meant and is none, since it is not written `$r1`: `r1`, `${r1}`, `"$r1"`."""


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

    def resolve(self, world: World, step: Step) -> JsonValue:
        """A call's arguments with values for references, each counted. What the read tool is given stays a name."""
        given: JsonValue = dict(step.arguments)
        if step.name == READ_TOOL:
            name = str(step.arguments.get("handle", "")).removeprefix("$").partition(".")[0]
            if name in world.handles:
                self.used += 1
            else:
                self.invented += 1
            return given
        self._count(world, given)
        return world.values.resolve(given).params

    def _count(self, world: World, value: Any) -> None:
        if isinstance(value, dict):
            for item in value.values():
                self._count(world, item)
        elif isinstance(value, list):
            for item in value:
                self._count(world, item)
        elif isinstance(value, str) and (match := _REFERENCE.fullmatch(value)):
            try:
                world.values.lookup(value[1:])
                self.used += 1
            except KeyError:
                if match.group(1) in world.values.handles():
                    self.wrong += 1
                else:
                    self.invented += 1
        elif isinstance(value, str) and (match := _MISWRITTEN.fullmatch(value)):
            self.wrong += match.group(1) in world.values.handles()
