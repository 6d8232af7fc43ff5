"""`harness discover`: where agents on this computer keep their sessions."""

from __future__ import annotations

import time
from typing import Any

from harness.formats.discover import Found
from harness.report.table import Column, Table
from harness.report.table_text import grid, prose, width
from harness.report.units import BYTES, COUNT
from harness.text import harmless


def found_record(found: Found) -> dict[str, Any]:
    """One place, for a program."""
    return {
        "tool": found.tool,
        "format": found.format,
        "not_read_because": found.why or None,
        "path": str(found.path),
        "files": found.files,
        "bytes": found.size,
        "newest": found.newest,
    }


def found_text(found: list[Found]) -> str:
    """The places as a table, the largest first, and what to do with them."""
    if not found:
        return prose("no agent sessions in the usual places; give harness inspect the folder that holds yours", width())
    ordered = sorted(found, key=lambda f: (f.format is None, -f.size))
    rows = [found_record(f) | {"day": _day(f.newest), "read": f.format or f"not read: {f.why}"} for f in ordered]
    shown = Table("found", "", "", columns=COLUMNS, data=rows)
    text = grid(shown, shown.rows, width())
    return text if ordered[0].format is None else f"{text}\n\nnext: harness replay {harmless(str(ordered[0].path))}"


COLUMNS = (
    Column("tool", "tool"),
    Column("read", "format"),
    Column("files", "files", COUNT),
    Column("bytes", "size", BYTES),
    Column("day", "newest"),
    Column("path", "path"),
)


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
