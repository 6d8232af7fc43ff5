"""What every kind of run promises."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import orjson

from harness.report.report import report_of
from harness.report.write import write_report
from harness.runs import life
from harness.runs.journal import NAME
from harness.runs.kind import Kind
from harness.runs.run import Run
from harness.settings import Settings


def check_kind(kind: Kind[Any], settings: Settings) -> Run:
    """Run twice, its measured columns are equal; cut off after any record, it goes on to the same tables; it is
    reported, cited, and judged by figures that it names. Returns the first run, whose folder is gone."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        first, second = (Run(life.run(kind, settings, folder / name)) for name in ("first", "second"))
        for name in kind.tables:
            assert measured(first, name) == measured(second, name), f"{kind.name}: {name} is another when run again"
        check_resuming(kind, first, folder / "cut")
        assert kind.settings.from_record(settings.to_record()) == settings, f"{kind.name}: settings change on the way"
        for figure in kind.figures(first):
            assert figure.name in kind.better, f"{kind.name}: nobody says which way {figure.name} is better"
        part = report_of(first).parts[0]
        assert part.screen().headline if hasattr(part, "screen") else part.title
        assert f"harness {kind.name}" in part.citation().facts["command"]
        assert part.text().strip()
        orjson.dumps(part.record(), option=orjson.OPT_SERIALIZE_NUMPY)
        written = write_report(first, folder / "reports", ["html", "md", "csv", "json"])
        assert all(path.stat().st_size for path in written if path.suffix != ".csv")
        return first


def measured(run: Run, name: str) -> bytes:
    """The columns of a table that are not live, as CSV."""
    columns = [column.name for column in run.kind.tables[name] if column.kind != "live"]
    return run.table(name)[columns].to_csv(index=False).encode("utf-8", "surrogatepass")


def check_resuming(kind: Kind[Any], whole: Run, folder: Path) -> None:
    """Cut off after each of its records in turn, a run goes on to the tables of `whole`."""
    lines = (whole.directory / NAME).read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines) + 1):
        directory = folder / f"after-{kept}" / whole.id
        directory.mkdir(parents=True)
        (directory / NAME).write_bytes(b"".join(lines[:kept]) + (lines[kept][:-5] if kept < len(lines) else b""))
        again = Run(life.resume(kind, directory))
        for name in kind.tables:
            same = measured(again, name) == measured(whole, name)
            assert same, f"{kind.name}: cut off after {kept} of {len(lines)} records, {name} is another"
