"""Builds tasks on text: lines or sections that hold one record each, and one odd line among them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from harness.loop.ends import End, end_step, end_tool, end_words, is_value, prepare_end, reached, same_whole
from harness.loop.environment.dice import Dice
from harness.loop.environment.workspace import Workspace
from harness.loop.records import CODE, FIELDS, SEAL, Record, code, make_records
from harness.loop.task import Family, Goal, Need, Pages, Procedure, Step, Task
from harness.loop.tools import LoopTool
from harness.loop.world import World


@dataclass(frozen=True)
class TextTemplate:
    """line: one record, with {key}, {code}, {group}, {number}, {note}, {seal}, {n}; key before code, seal last.

    odd: the odd line, with {code} behind `mark`. amount: pattern of a record's number, with GROUP for the group asked
    for. header: what stands before the records. nouns: what a record, its code, its seal, its group and its number are
    called. sums: the aggregate is a sum, else a count. end: how the task ends.
    """

    name: str
    path: str
    prefix: str
    groups: tuple[str, ...]
    line: str
    mark: str
    odd: str
    amount: str
    nouns: tuple[str, str, str, str, str]
    count: tuple[int, int] = (120, 260)
    header: str = ""
    sums: bool = False
    end: End = "answer"


@dataclass(frozen=True)
class TextSource:
    """How a family's tools show a text. within: pattern of what may stand between a key and its code. key: pattern of a
    key where its record begins. write: puts the records into the workspace. look, find, tally, page: the steps; tally
    may be missing. odd_find: the step that finds the odd line."""

    tools: tuple[LoopTool, ...]
    within: str
    key: str
    write: Callable[[Workspace, TextTemplate, list[str]], None]
    look: Callable[[TextTemplate], Step]
    find: Callable[[TextTemplate, str], Step]
    odd_find: Callable[[TextTemplate, str], Step]
    tally: Callable[[TextTemplate, str], Step]
    page: Callable[[TextTemplate], Pages]
    shown: Callable[[World, TextTemplate], str]


def text_family(name: str, templates: tuple[TextTemplate, ...], source: TextSource) -> Family:
    """A family of these templates."""
    by_name = {template.name: template for template in templates}

    def make(template: str, need: Need, seed: int) -> Task:
        return _Text(name, by_name[template], source, need, seed).task()

    return Family(name, tuple(by_name), make)


class _Text:
    def __init__(self, family: str, template: TextTemplate, source: TextSource, need: Need, seed: int) -> None:
        self.family, self.template, self.source, self.need, self.seed = family, template, source, need, seed
        dice = Dice(f"loop {family} {template.name} {need} {seed}")
        self.records = make_records(dice, dice.between(*template.count), template.prefix, template.groups, 14)
        self.odd_code = code(dice)
        self.group = dice.pick(template.groups)
        self.chosen = self._choose(dice)
        self.end: End = "write" if need == "whole" else template.end

    def _choose(self, dice: Dice) -> Record:
        at = {"preview": 0, "field": 1}.get(self.need)
        middle = len(self.records) // 2
        return self.records[dice.between(middle - 15, middle + 15) if at is None else at]

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
        thing, code_name, seal_name, group_name, number_name = t.nouns
        match self.need:
            case "preview" | "row":
                return f"In {t.path}, what is the {code_name} of {thing} {self.chosen.key}?"
            case "field":
                return f"In {t.path}, what is the {seal_name} of {thing} {self.chosen.key}?"
            case "line":
                return f"In {t.path}, one entry says {t.mark!r}. Which {code_name} does it name?"
            case "aggregate":
                what = f"the {number_name}s of all {thing}s" if t.sums else f"all {thing}s"
                verb = "Add up" if t.sums else "Count"
                return f"{verb} {what} in {t.path} whose {group_name} is {self.group}."
            case "whole":
                return f"Take what the first tool call shows of {t.path}, the whole of it, unchanged."

    def procedure(self) -> Procedure:
        t, s = self.template, self.source
        look, then, pages = s.look(t), end_step(self.end), s.page(t)
        key = s.key.replace("KEY", re.escape(self.chosen.key))
        match self.need:
            case "preview" | "row":
                pattern = f"{key}{s.within}{CODE}"
                return Procedure(look, "find", pattern, self.chosen.key, s.find(t, self.chosen.key), "", pages, then)
            case "field":
                pattern = f"{key}{s.within}{SEAL}"
                return Procedure(look, "find", pattern, self.chosen.key, s.find(t, self.chosen.key), "", pages, then)
            case "line":
                pattern = rf"{re.escape(t.mark)}[^\n]*?{CODE}"
                return Procedure(look, "find", pattern, t.mark, s.odd_find(t, t.mark), "", pages, then)
            case "aggregate":
                goal: Goal = "sum" if t.sums else "count"
                each = t.amount.replace("GROUP", self.group)
                tally = None if t.sums else s.tally(t, each)
                return Procedure(look, goal, each, "", tally, r"(\d+) lines match", pages, then)
            case "whole":
                return Procedure(look, "whole", pages=pages, then=end_step(self.end))

    def lines(self) -> list[str]:
        t = self.template
        lines = [t.line.format(**{name: getattr(r, name) for name in FIELDS}, t=self.clock(r.n)) for r in self.records]
        lines.insert(len(lines) // 2 + 18, t.odd.format(code=self.odd_code, t=self.clock(len(lines) // 2 + 18)))
        return lines

    def clock(self, n: int) -> str:
        second = 60 * 60 + n * 47
        return f"2025-03-{4 + self.seed % 20:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"

    def prepare(self, workspace: Workspace) -> None:
        workspace.root.mkdir(exist_ok=True)
        self.source.write(workspace, self.template, self.lines())
        prepare_end(self.end, workspace)

    def expected(self) -> str:
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
        if self.need == "whole":
            return same_whole(left, self.source.shown(world, self.template))
        return is_value(left, self.expected())
