"""Make the task files and the table of their counts.

    python -m tasks.engine.make tasks/engine

The turns are written by hand in `tasks/engine/maker/`, one file a family; the long texts and the tool results around
some of them come from a seed. The same bytes every time.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from tasks.engine.maker import distraction, results
from tasks.engine.maker.markup import Line, record
from tasks.engine.maker.tools import EVERYTHING, FAMILIES

SEED = 20261130
Record = dict[str, Any]
_TABLE = re.compile(r"(?<=<!-- counts -->\n).*?(?=<!-- end -->)", re.DOTALL)


def files() -> dict[str, list[Record]]:
    """By name of the file: its lines."""
    made = {f"{family}.jsonl": _family(family) for family in FAMILIES}
    made["results.jsonl"] = _results()
    made["tiny.jsonl"] = _tiny()
    return made


def _family(family: str) -> list[Record]:
    written: Sequence[Line] = import_module(f"tasks.engine.maker.{family}").TURNS
    return _lines(family, family, [*written, *distraction.lines(SEED)[family]], FAMILIES[family])


def _results() -> list[Record]:
    by_family = results.lines(SEED)
    made: list[Record] = [{"tools": [tool for family in by_family for tool in FAMILIES[family]]}]
    for family, lines in by_family.items():
        made += _lines("result", family, lines, FAMILIES[family])[1:]
    return made


def _tiny() -> list[Record]:
    tiny = import_module("tasks.engine.maker.tiny")
    tools = {tool["name"]: tool for tool in tiny.TOOLS}
    made: list[Record] = [{"tools": tiny.TOOLS}]
    for number, (line, names) in enumerate(tiny.lines(SEED), start=1):
        made.append(_task(f"tiny-{number:03}", "tiny", names, record(line, tools)))
    return made


def _lines(prefix: str, family: str, lines: Iterable[Line], tools: Sequence[Record]) -> list[Record]:
    """The line that defines the tools, and a task for each turn."""
    own, everything = ([tool["name"] for tool in group] for group in (tools, EVERYTHING))
    lines = list(lines)
    widest = EVERYTHING if any(line.kind == "many_tools" for line in lines) else tools
    by_name = {tool["name"]: tool for tool in widest}
    made: list[Record] = [{"tools": list(widest)}]
    count: Counter[str] = Counter()
    for line in sorted(lines, key=lambda line: line.kind == "many_tools"):  # tools are declared as rarely as can be
        count[line.kind] += 1
        names = everything if line.kind == "many_tools" else own
        name = (
            f"{prefix}-{line.kind}-{count[line.kind]:02}"
            if prefix == family
            else f"{prefix}-{family}-{count[line.kind]:02}"
        )
        made.append(_task(name, family, names, record(line, by_name)))
    return made


def _task(name: str, family: str, tools: Sequence[str], turn: Record) -> Record:
    return {"id": name, "family": family, "tools": list(tools), "turns": [turn]}


def table(made: dict[str, list[Record]]) -> str:
    """How many turns of each kind there are in each file."""
    counts = Counter(
        (turn["kind"], name.removesuffix(".jsonl"))
        for name, lines in made.items()
        for line in lines
        for turn in line.get("turns", ())
    )
    columns = [name.removesuffix(".jsonl") for name in made]
    rows = [f"| kind | {' | '.join(columns)} | all |", f"| --- |{' ---: |' * (len(columns) + 1)}"]
    for kind in dict.fromkeys(kind for kind, _ in counts):
        cells = [counts[kind, column] for column in columns]
        rows.append(f"| {kind} | {' | '.join(str(cell or '') for cell in cells)} | {sum(cells)} |")
    sums = [sum(count for (_, column), count in counts.items() if column == name) for name in columns]
    rows.append(f"| **all** | {' | '.join(map(str, sums))} | **{sum(sums)}** |")
    return "\n".join(rows) + "\n"


def text(lines: Iterable[Record]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def readme(before: str, made: dict[str, list[Record]]) -> str:
    """The page about the tasks with its table renewed."""
    return _TABLE.sub(lambda _: table(made), before)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tasks.engine.make", description="Make the task files and the table of their counts."
    )
    parser.add_argument("out_dir", type=Path, help="folder to write the .jsonl files into; its README.md is renewed")
    folder = parser.parse_args().out_dir
    made = files()
    for name, lines in made.items():
        folder.joinpath(name).write_text(text(lines), encoding="utf-8")
    page = folder / "README.md"
    page.write_text(readme(page.read_text(encoding="utf-8"), made), encoding="utf-8")
    print(table(made), end="")


if __name__ == "__main__":
    main()
