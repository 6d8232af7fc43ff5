"""A task of the live loop: a question, an environment made from a seed, and a checker.

`Procedure` is what anybody who understands the question would do, made of the question alone: which tool to call first,
how the answer reads where it stands, which narrower call would show it. It knows nothing of the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from harness.loop.tools import LoopTool
from harness.loop.world import Prepare, World

Need = Literal["preview", "field", "row", "line", "aggregate", "whole"]
NEEDS: Final[tuple[Need, ...]] = get_args(Need)
"""What a task needs of the first result: what a preview shows; a hidden field; a hidden row; a hidden line in the
middle; a count or sum over all of it; all of it passed to another tool."""

FOUND: Final = "{found}"
"""Stands in a step or an answer for what was found."""

Goal = Literal["find", "count", "sum", "whole"]


@dataclass(frozen=True)
class Step:
    """A tool call; texts in its arguments may hold `{found}`, or in `Pages` `{offset}`, `{limit}` and `{page}`."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def filled(self, **values: Any) -> Step:
        """The step with values for what stands in braces; a text that is nothing else becomes the value itself."""
        return Step(self.name, {key: _filled(value, values) for key, value in self.arguments.items()})


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, values) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    for name, given in values.items():
        if value == f"{{{name}}}":
            return given
        value = value.replace(f"{{{name}}}", str(given))
    return value


@dataclass(frozen=True)
class Pages:
    """The first call page by page. rows: pattern that matches once a row. size: rows to start with."""

    step: Step
    rows: str
    size: int

    def at(self, offset: int, limit: int) -> Step:
        """The page of `limit` rows after the first `offset`, which is a multiple of it."""
        return self.step.filled(offset=offset + 1, skip=offset, limit=limit, page=offset // limit + 1)


@dataclass(frozen=True)
class Procedure:
    """pattern: `find` has one group, `count` matches once a row that counts, `sum` has the number as its group.

    landmark: a text that stands near the answer, if the question names one. narrowed: a call that gives the answer
    alone; narrowed_pattern: how it reads there. then: what to do with what was found.
    """

    look: Step
    goal: Goal
    pattern: str = ""
    landmark: str = ""
    narrowed: Step | None = None
    narrowed_pattern: str = ""
    pages: Pages | None = None
    then: Step | None = None


@dataclass(frozen=True)
class Task:
    """check: whether the end state and the final answer are right."""

    id: str
    family: str
    template: str
    need: Need
    seed: int
    question: str
    procedure: Procedure
    tools: tuple[LoopTool, ...]
    prepare: Prepare
    check: Callable[[World, str], bool]


@dataclass(frozen=True)
class Family:
    """Templates by name; `make` builds the task of a template, a need and a seed."""

    name: str
    templates: tuple[str, ...]
    make: Callable[[str, Need, int], Task]
