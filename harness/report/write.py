"""Writing a report: every exporter asked for, into one folder a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from harness import Exporter
from harness.registry import load
from harness.report import EXPORTERS, GROUP
from harness.report.part import Part
from harness.report.report import Report, report_of, report_of_all
from harness.runs.run import Run


def write_report(run: Run, reports: Path, names: Sequence[str], show_secrets: bool = False) -> list[Path]:
    """Write `reports/<run>/`; returns the files, those of the first exporter in front. Raises `HarnessError` for an
    unknown exporter, and for a run of which no report is made, before anything is written.

    show_secrets: print names as recorded, instead of masking keys, tokens and mail addresses in them.
    """
    exporters = _exporters(names)
    return _write(report_of(run, show_secrets), reports, exporters)


def write_part(part: Part, reports: Path, names: Sequence[str]) -> list[Path]:
    """The same for a run whose part is made already."""
    exporters = _exporters(names)
    return _write(Report(part.run.id, "", [part]), reports, exporters)


def write_suite_report(
    name: str, suite: str, runs: Mapping[str, Run], reports: Path, names: Sequence[str], show_secrets: bool = False
) -> list[Path]:
    """Write `reports/<name>/`: one report of all runs of a suite, by part. Like `write_report` in everything else."""
    exporters = _exporters(names)
    return _write(report_of_all(name, f"Suite {suite}", runs, show_secrets), reports, exporters)


def _exporters(names: Sequence[str]) -> list[Exporter]:
    return [cast(Exporter, load(EXPORTERS, GROUP, name.strip())()) for name in names]


def _write(report: Report, reports: Path, exporters: list[Exporter]) -> list[Path]:
    directory = reports / report.name
    directory.mkdir(parents=True, exist_ok=True)
    written = [path for exporter in exporters for path in exporter.export(report, directory)]
    for part in report.parts:
        for name, text in part.files().items():
            path = directory / part.place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written
