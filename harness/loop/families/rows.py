"""Builds tasks on JSON rows: from a database or from a service."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.loop.ends import End, end_step, end_tool, end_words, is_value, prepare_end, reached, same_whole
from harness.loop.environment.dice import Dice
from harness.loop.environment.service import Store
from harness.loop.environment.words import sentence
from harness.loop.environment.workspace import Workspace
from harness.loop.records import CODE, SEAL, Record, code, make_records
from harness.loop.task import Family, Goal, Need, Pages, Procedure, Step, Task
from harness.loop.tools import LoopTool
from harness.loop.world import World

LETTER = "letter"
"""Key of the long text that tasks of the need `line` look into."""


@dataclass(frozen=True)
class RowTemplate:
    """collection: table or path. columns: what key, code, group, number, note and seal are called. groups: values of
    the group. mark: what the odd line of the letter says. sums: the aggregate is a sum, else a count."""

    name: str
    collection: str
    prefix: str
    columns: tuple[str, str, str, str, str, str]
    groups: tuple[str, ...]
    mark: str
    count: tuple[int, int] = (90, 180)
    sums: bool = False
    end: End = "answer"

    def row(self, record: Record) -> dict[str, Any]:
        values = (record.key, record.code, record.group, record.number, record.note, record.seal)
        return dict(zip(self.columns, values, strict=True))


@dataclass(frozen=True)
class RowSource:
    """How a family's tools show rows. look, letter: the first step for rows and for the letter. find: one field of one
    row. odd_find: the odd line alone, if a tool can. total: gives the number of all rows alone, where the first answer
    states it and its preview shows no row. tally: count or sum alone, if a tool can. page: the rows by pages.
    prepare: puts rows and letter into the world."""

    tools: tuple[LoopTool, ...]
    prepare: Callable[[Workspace, RowTemplate, list[dict[str, Any]], str], Store | None]
    look: Callable[[RowTemplate], Step]
    letter: Callable[[RowTemplate], Step]
    find: Callable[[RowTemplate, str, str], Step]
    odd_find: Callable[[RowTemplate], Step | None]
    tally: Callable[[RowTemplate, str], Step | None]
    page: Callable[[RowTemplate], Pages]
    tally_pattern: str
    total: Callable[[RowTemplate], Step] | None = None


def row_family(name: str, templates: tuple[RowTemplate, ...], source: RowSource) -> Family:
    """A family of these templates."""
    by_name = {template.name: template for template in templates}

    def make(template: str, need: Need, seed: int) -> Task:
        return _Rows(name, by_name[template], source, need, seed).task()

    return Family(name, tuple(by_name), make)


class _Rows:
    def __init__(self, family: str, template: RowTemplate, source: RowSource, need: Need, seed: int) -> None:
        self.family, self.template, self.source, self.need, self.seed = family, template, source, need, seed
        dice = Dice(f"loop {family} {template.name} {need} {seed}")
        self.records = make_records(dice, dice.between(*template.count), template.prefix, template.groups, 1)
        self.odd_code = code(dice)
        self.group = dice.pick(template.groups)
        lines = [f"{sentence(dice)} Ref {code(dice)}." for _ in range(70)]
        lines.insert(35, f"Mind: {template.mark}, see {self.odd_code}.")
        self.letter = "\n".join(lines)
        middle = len(self.records) // 2
        at = {"preview": 0, "field": 0}.get(need, dice.between(middle - 15, middle + 15))
        self.chosen = self.records[at]
        self.end: End = "write" if need == "whole" else template.end

    def task(self) -> Task:
        t = self.template
        return Task(
            f"{self.family}/{t.name}/{self.need}/{self.seed}",
            self.family,
            t.name,
            self.need,
            self.seed,
            f"{self.question()} {end_words(self.end)}",
            self.procedure(),
            (*self.source.tools, *end_tool(self.end)),
            self.prepare,
            self.check,
        )

    def question(self) -> str:
        t = self.template
        key, code_name, group, number, _, seal = t.columns
        if self.asks_total:
            return f"How many {t.collection} are there in all?"
        match self.need:
            case "preview" | "row":
                return f"What is the {code_name} in {t.collection} where {key} is {self.chosen.key}?"
            case "field":
                return f"What is the {seal} in {t.collection} where {key} is {self.chosen.key}?"
            case "line":
                return f"The letter kept beside {t.collection} says somewhere {t.mark!r}. Which code follows it?"
            case "aggregate":
                what = f"Add up {number} over" if t.sums else "Count"
                return f"{what} all {t.collection} whose {group} is {self.group}."
            case "whole":
                return f"Take all {t.collection} as the first tool call gives them, unchanged."

    def procedure(self) -> Procedure:
        t, s = self.template, self.source
        key, code_name, group, number, _, seal = t.columns
        look, then, pages = s.look(t), end_step(self.end), s.page(t)
        row = rf'"?{key}"?:\s*"?{re.escape(self.chosen.key)}\b[^{{}}]*?'
        if self.asks_total and s.total is not None:
            return Procedure(look, "find", s.tally_pattern, "total", s.total(t), "", then=then)
        match self.need:
            case "preview" | "row":
                pattern = rf'{row}"?{code_name}"?:\s*"?{CODE}'
                find = s.find(t, self.chosen.key, code_name)
                return Procedure(look, "find", pattern, self.chosen.key, find, "", pages, then)
            case "field":
                pattern = rf'{row}"?{seal}"?:\s*"?{SEAL}'
                find = s.find(t, self.chosen.key, seal)
                return Procedure(look, "find", pattern, self.chosen.key, find, "", pages, then)
            case "line":
                pattern = rf"{re.escape(t.mark)}, see {CODE}"
                return Procedure(s.letter(t), "find", pattern, t.mark, s.odd_find(t), then=then)
            case "aggregate":
                goal: Goal = "sum" if t.sums else "count"
                each = rf'"?{group}"?:\s*"?{self.group}"?,\s*"?{number}"?:\s*(\d+)'
                return Procedure(look, goal, each, "", s.tally(t, self.group), s.tally_pattern, pages, then)
            case "whole":
                return Procedure(look, "whole", pages=pages, then=end_step(self.end))

    def rows(self) -> list[dict[str, Any]]:
        return [self.template.row(record) for record in self.records]

    def prepare(self, workspace: Workspace) -> Store | None:
        workspace.root.mkdir(exist_ok=True)
        store = self.source.prepare(workspace, self.template, self.rows(), self.letter)
        prepare_end(self.end, workspace)
        return store

    @property
    def asks_total(self) -> bool:
        return self.need == "preview" and self.source.total is not None

    def expected(self) -> str:
        if self.asks_total:
            return str(len(self.records))
        match self.need:
            case "field":
                return self.chosen.seal
            case "line":
                return self.odd_code
            case "aggregate":
                numbers = [r.number for r in self.records if r.group == self.group]
                return str(sum(numbers) if self.template.sums else len(numbers))
            case _:
                return self.chosen.code

    def check(self, world: World, answer: str) -> bool:
        left = reached(self.end, world, answer)
        return same_whole(left, self.rows()) if self.need == "whole" else is_value(left, self.expected())
