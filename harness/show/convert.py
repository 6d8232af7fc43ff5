"""`harness convert`: what was written, and what the other format did not keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.export.convert import Conversion
from harness.formats.corpus import Intake
from harness.report.table import Column, Table
from harness.report.table_text import grid, prose, width
from harness.report.units import COUNT
from harness.show.inspect import intake_lines, intake_record
from harness.text import harmless, number

COLUMNS = (
    Column("part", "of the recordings"),
    Column("had", "there were", COUNT),
    Column("kept", "came back", COUNT, absent="0"),
    Column("lost", "not kept", COUNT, absent="0"),
)


def conversion_record(found: Conversion, intake: Intake) -> dict[str, Any]:
    """All of it, for a program."""
    return {
        "written": [{"file": str(path), "transcript": name} for path, name in found.written],
        "refused": [{"transcript": name, "why": why} for name, why in found.refused],
        "parts": _rows(found),
    } | intake_record(intake)


def _rows(found: Conversion) -> list[dict[str, Any]]:
    return [
        {"part": part, "had": sums.had, "kept": sums.kept, "lost": sums.had - sums.kept}
        for part, sums in found.kept.items()
    ]


def conversion_text(found: Conversion, intake: Intake, format_name: str, folder: Path, most: int = 20) -> str:
    """What the format did not keep first, then what it refused, then where the files are."""
    parts = []
    rows = _rows(found)
    lost = [row for row in rows if row["lost"]]
    if lost:
        shown = Table("lost", "", "", columns=COLUMNS, data=lost)
        parts.append(
            f"{format_name} did not keep, as reading the files back shows:\n\n{grid(shown, shown.rows, width())}"
        )
    if whole := [row["part"] for row in rows if not row["lost"]]:
        parts.append(prose(f"all came back of: {', '.join(whole)}", width(), ""))
    if found.refused:
        said = [f"  {harmless(name)}: {harmless(why)}" for name, why in found.refused[:most]]
        more = [f"  and {len(found.refused) - most} more (--json has all)"] if len(found.refused) > most else []
        parts.append("\n".join(["not written:", *said, *more]))
    parts += intake_lines(intake)
    parts.append(
        f"{number(len(found.written), 'file')} in {harmless(str(folder))}" if found.written else "nothing was written"
    )
    return "\n\n".join(parts)
