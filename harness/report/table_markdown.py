"""A table in Markdown, fit to be pasted into a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report.markup import code, escaped, pipe_table
from harness.report.screen import Screen
from harness.report.table import Cell, Table


def table_markdown(table: Table) -> str:
    """Its rows, each group under its heading."""
    parts = []
    for heading, rows in table.groups():
        parts += [f"**{escaped(heading)}**"] if heading else []
        parts.append(pipes(table, rows))
    return "\n\n".join(parts)


def answers_markdown(screen: Screen) -> str:
    """What is to be seen first: the subjects across where they are few, else down."""
    answers = screen.answers
    if not screen.across:
        return table_markdown(answers)
    heads = [f"{code(name)} {escaped(said)}".strip() for name, said in screen.heads()]
    asked = [(answers.heading(column), cells) for column, cells in screen.questions()]
    rows = [[escaped(question), *map(_cell, cells)] for question, cells in asked]
    return pipe_table([f"{escaped(answers.title)} ({answers.kind})", *heads], rows)


def pipes(table: Table, rows: Sequence[Sequence[Cell]]) -> str:
    """The figures alone."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    left = [not c.unit.figure for c in table.columns]
    return pipe_table([escaped(h) for h in table.headings], cells, left)


def _cell(cell: Cell) -> str:
    shown = code(cell.text) if cell.column.unit.code and cell.text and cell.value is not None else escaped(cell.text)
    return f"**{shown}**" if cell.column.main and cell.text else shown
