"""A small run to try exporters on: recordings with hostile names and texts, replayed for real."""

from __future__ import annotations

import json
from pathlib import Path

from harness.api import replay
from harness.report.report import Report, report_of

HOSTILE = ("<script>alert(1)</script>", "=cmd|' /C calc'!A0", "a`b|c", "../../up", "\u202etxt", 'name, "quoted"')


def small_report(folder: Path) -> Report:
    """A report whose names of tools and tasks are hostile. folder: an empty one, for recordings and the run."""
    recordings = folder / "recordings"
    recordings.mkdir(parents=True)
    for number, name in enumerate(HOSTILE * 2):
        call = {"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}
        messages = [
            {"role": "user", "content": name},
            {"role": "assistant", "content": name, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c", "content": f"{name}\n" * 400},
            {"role": "assistant", "content": f"{name} {number}"},
        ]
        record = {"messages": messages, "model": name, "metadata": {"task": f"{name} {number}"}}
        (recordings / f"run-{number}.json").write_text(json.dumps(record), encoding="utf-8")
    return report_of(replay([recordings], ["head:bytes=500", "car"], folder / "results"))
