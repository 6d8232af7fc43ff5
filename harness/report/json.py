"""One JSON file, for programs: what `--json` prints, of every part, and what each key is."""

from __future__ import annotations

from pathlib import Path

import orjson

from harness.report.report import Report


class Json:
    """`report.json`: first screen and tables of every part as plain values, with what each key is."""

    name = "json"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "report.json"
        parts = {part.place or "run": {"run": part.run.id} | part.record() for part in report.parts}
        path.write_bytes(orjson.dumps(parts, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")
        return [path]
