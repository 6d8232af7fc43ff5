"""A JSON service on loopback that gives its records by pages."""

from __future__ import annotations

from typing import Any

from harness.loop.environment.service import Store
from harness.loop.environment.workspace import Workspace
from harness.loop.families.rows import LETTER, RowSource, RowTemplate, row_family
from harness.loop.task import Pages, Step
from harness.loop.tools import HTTP_GET


def _prepare(workspace: Workspace, template: RowTemplate, rows: list[dict[str, Any]], letter: str) -> Store:
    return Store({template.collection: rows, "letters": [{"id": LETTER, "body": letter}], "outcomes": []})


def _get(path: str) -> Step:
    return Step("http_get", {"path": path})


def _look(template: RowTemplate) -> Step:
    return _get(f"/{template.collection}?per_page=200")


def _letter(template: RowTemplate) -> Step:
    return _get(f"/letters/{LETTER}")


def _find(template: RowTemplate, key: str, field: str) -> Step:
    return _get(f"/{template.collection}/{key}")


def _odd_find(template: RowTemplate) -> None:
    """The service cannot search a letter."""


def _tally(template: RowTemplate, group: str) -> Step | None:
    return None if template.sums else _get(f"/{template.collection}?{template.columns[2]}={group}&per_page=1")


def _total(template: RowTemplate) -> Step:
    return _get(f"/{template.collection}?per_page=1")


def _page(template: RowTemplate) -> Pages:
    step = _get(f"/{template.collection}?page={{page}}&per_page={{limit}}")
    return Pages(step, rf'"?id"?:\s*"?{template.prefix}-', 32)


SOURCE = RowSource(
    (HTTP_GET,), _prepare, _look, _letter, _find, _odd_find, _tally, _page, r'"?total"?:\s*(\d+)', _total
)

TEMPLATES = (
    RowTemplate(
        "tickets", "tickets", "tck", ("id", "thread", "status", "age", "subject", "token"),
        ("open", "waiting", "solved"), "escalate at once", end="post",
    ),
    RowTemplate(
        "invoices", "invoices", "inv", ("id", "reference", "state", "amount", "payee", "digest"),
        ("due", "paid"), "wrong currency", (90, 170), True, "post",
    ),
    RowTemplate(
        "devices", "devices", "dev", ("id", "serial", "zone", "uptime", "label", "fingerprint"),
        ("attic", "cellar", "yard"), "replace the fuse", (100, 190),
    ),
    RowTemplate(
        "shipments", "shipments", "shp", ("id", "waybill", "leg", "weight", "goods", "seal"),
        ("sea", "rail", "road"), "damaged on arrival", (80, 160), True,
    ),
    RowTemplate(
        "members", "members", "mem", ("id", "card", "club", "points", "town", "pin"),
        ("gold", "silver"), "card was stolen", (110, 190), end="post",
    ),
    RowTemplate(
        "flights", "flights", "flt", ("id", "locator", "cabin", "miles", "gate", "tag"),
        ("first", "business", "economy"), "bag went astray", (90, 180), True,
    ),
    RowTemplate(
        "parcels", "parcels", "prc", ("id", "barcode", "service", "grams", "shop", "proof"),
        ("express", "economy"), "left with a neighbour", (100, 190), end="write",
    ),
)  # fmt: skip

FAMILY = row_family("service", TEMPLATES, SOURCE)
