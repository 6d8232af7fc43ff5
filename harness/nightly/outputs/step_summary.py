"""The page on GitHub's summary of a job: appended to the file that `GITHUB_STEP_SUMMARY` names."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from harness.nightly.outputs import Night
from harness.nightly.outputs.page import page

MOST_BYTES = 1024 * 1024
"""GitHub takes 1 MiB a step."""


class StepSummary:
    """Nothing where the variable is not set."""

    name = "step-summary"

    def export(self, night: Night, directory: Path) -> list[Path]:
        target = os.environ.get("GITHUB_STEP_SUMMARY")
        if not target:
            return []
        path = Path(target)
        text = page(replace(night, reports={}))  # links into a folder lead nowhere from there
        if len(text.encode("utf-8", "replace")) > MOST_BYTES // 2:
            text = f"{night.verdict.state}: the page is too long for a summary; night.md has it\n"
        with path.open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
        return [path]
