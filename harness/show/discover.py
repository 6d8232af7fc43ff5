"""`harness discover`: where agents on this computer keep their sessions."""

from __future__ import annotations

import time
from typing import Any

from harness.formats.discover import Found
from harness.text import count, size, table


def found_record(found: Found) -> dict[str, Any]:
    """One place, for a program."""
    return {
        "tool": found.tool,
        "format": found.format,
        "path": str(found.path),
        "files": found.files,
        "bytes": found.size,
        "newest": found.newest,
    }


def found_text(found: list[Found]) -> str:
    """The places as a table, the largest first, and what to do with them."""
    if not found:
        return "no agent sessions in the usual places; give harness inspect the folder that holds yours"
    ordered = sorted(found, key=lambda f: -f.size)
    rows = [(f.tool, count(f.files), size(f.size), _day(f.newest), f.path) for f in ordered]
    hint = f"next: harness replay {ordered[0].path}"
    return f"{table(rows, ('tool', 'files', 'size', 'newest', 'path'), right=(1, 2))}\n\n{hint}"


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
