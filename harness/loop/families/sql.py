"""SQL over a real SQLite file."""

from __future__ import annotations

from typing import Any

from harness.loop.environment.workspace import Workspace
from harness.loop.families.rows import LETTER, RowSource, RowTemplate, row_family
from harness.loop.task import Pages, Step
from harness.loop.tools import DATABASE, SQL_QUERY


def _prepare(workspace: Workspace, template: RowTemplate, rows: list[dict[str, Any]], letter: str) -> None:
    columns = ", ".join(template.columns)
    workspace.table(DATABASE, template.collection, columns, [list(row.values()) for row in rows])
    workspace.table(DATABASE, "letters", "name TEXT, body TEXT", [[LETTER, letter]])


def _query(sql: str) -> Step:
    return Step("sql_query", {"sql": sql})


def _look(template: RowTemplate) -> Step:
    return _query(f"SELECT * FROM {template.collection}")


def _letter(template: RowTemplate) -> Step:
    return _query(f"SELECT body FROM letters WHERE name = '{LETTER}'")


def _find(template: RowTemplate, key: str, field: str) -> Step:
    name = template.columns[0]
    return _query(f"SELECT {name}, {field} FROM {template.collection} WHERE {name} = '{key}'")


def _odd_find(template: RowTemplate) -> Step:
    around = f"substr(body, instr(body, '{template.mark}'), 60)"
    return _query(f"SELECT {around} AS part FROM letters WHERE name = '{LETTER}'")


def _tally(template: RowTemplate, group: str) -> Step:
    what = f"sum({template.columns[3]})" if template.sums else "count(*)"
    return _query(f"SELECT {what} AS n FROM {template.collection} WHERE {template.columns[2]} = '{group}'")


def _page(template: RowTemplate) -> Pages:
    step = _query(f"SELECT * FROM {template.collection} LIMIT {{limit}} OFFSET {{skip}}")
    return Pages(step, rf'"?{template.columns[0]}"?:\s*"?{template.prefix}-', 32)


SOURCE = RowSource(
    (SQL_QUERY,), _prepare, _look, _letter, _find, _odd_find, _tally, _page, r'"?\bn"?:\s*(\d+)'
)  # fmt: skip

TEMPLATES = (
    RowTemplate(
        "orders", "orders", "ord", ("order_id", "invoice", "state", "total", "remark", "signature"),
        ("paid", "open", "void"), "invoiced twice", sums=True,
    ),
    RowTemplate(
        "patients", "visits", "vis", ("visit", "chart", "ward", "minutes", "reason", "stamp"),
        ("north", "south"), "chart mislaid", (110, 200), end="update",
    ),
    RowTemplate(
        "library", "loans", "loan", ("loan", "barcode", "branch", "days", "title", "mark"),
        ("city", "harbour", "school"), "never returned", (140, 260),
    ),
    RowTemplate(
        "fleet", "trips", "trip", ("trip", "vehicle", "depot", "km", "route", "seal"),
        ("east", "west"), "odometer changed", (90, 150), True, "update",
    ),
    RowTemplate(
        "payroll", "slips", "slip", ("slip", "account", "grade", "hours", "site", "hash"),
        ("junior", "senior", "lead"), "paid by cheque", (100, 190), True, "write",
    ),
    RowTemplate(
        "elections", "ballots", "box", ("box", "roll", "ward", "votes", "place", "seal"),
        ("hill", "dale", "shore"), "opened early", (120, 240), True,
    ),
    RowTemplate(
        "genomes", "samples", "smp", ("sample", "run", "tissue", "reads", "donor", "checksum"),
        ("leaf", "root"), "label smudged", (80, 140), end="write",
    ),
)  # fmt: skip

FAMILY = row_family("sql", TEMPLATES, SOURCE)
