"""A badge: the JSON of an endpoint badge of shields.io."""

from __future__ import annotations

from pathlib import Path

import orjson

from harness.nightly.outputs import Night
from harness.runs.groups import write_whole

COLOURS = {"fine": "brightgreen", "inconclusive": "lightgrey", "incomplete": "orange", "regression": "red"}


class Badge:
    """`badge.json`."""

    name = "badge"

    def export(self, night: Night, directory: Path) -> list[Path]:
        v = night.verdict
        worse = len(v.failures)
        message = f"{worse} worse" if worse else v.state
        badge = {"schemaVersion": 1, "label": f"nightly {v.suite}", "message": message, "color": COLOURS[v.state]}
        path = directory / "badge.json"
        write_whole(path, orjson.dumps(badge, option=orjson.OPT_INDENT_2) + b"\n")
        return [path]
