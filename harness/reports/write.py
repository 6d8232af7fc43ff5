"""Writing a report: every exporter asked for, into one folder a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from harness import Exporter
from harness.errors import HarnessError
from harness.registry import load
from harness.reports import EXPORTERS, GROUP
from harness.reports.report import Report
from harness.results.run import Run


def write_report(run: Run, reports: Path, names: Sequence[str], show_secrets: bool = False) -> list[Path]:
    """Write `reports/<run>/`; returns the files, those of the first exporter in front. Raises `HarnessError` for an
    unknown exporter before anything is written.

    show_secrets: print names as recorded, instead of masking keys, tokens and mail addresses in them.
    """
    exporters = [cast(Exporter, load(EXPORTERS, GROUP, name.strip())()) for name in names]
    if not run.policies or "corpus" not in run.manifest:
        command = run.manifest.get("command", "(unknown)")
        raise HarnessError(f"{run.directory}: a run of harness {command}; reports are made of runs of harness replay")
    directory = reports / run.id
    directory.mkdir(parents=True, exist_ok=True)
    report = Report(run, show_secrets)
    return [path for exporter in exporters for path in exporter.export(report, directory)]
