"""`harness discover`: where agents on this computer keep their sessions."""

from __future__ import annotations

import time
from typing import Any

from harness.formats.discover import Found
from harness.text import count, harmless, size, table


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
        return "no agent sessions in the usual places; give harness inspect the folder that holds yours"
    ordered = sorted(found, key=lambda f: (f.format is None, -f.size))
    rows = [
        (f.tool, f.format or f"not read: {f.why}", count(f.files), size(f.size), _day(f.newest), harmless(str(f.path)))
        for f in ordered
    ]
    text = table(rows, ("tool", "format", "files", "size", "newest", "path"), right=(2, 3))
    if ordered[0].format is None:
        return text
    return f"{text}\n\nnext: harness replay {harmless(str(ordered[0].path))}"


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
