"""`harness reproduce`: the command that a report cites, run again, and what of it comes out the same.

Tables are compared column by column of the kinds that follow exactly from the input (measured, estimated, recorded,
keys); live ones are listed as not compared. Reports are compared where nothing live is in them.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq

from harness.errors import HarnessError
from harness.report.csv import csv_text
from harness.report.masks import masked
from harness.report.report import report_of
from harness.report.table_text import fitted, width
from harness.report.write import write_report
from harness.runs import life
from harness.runs.directory import find_run
from harness.runs.groups import read_groups
from harness.runs.inputs import changed, digests
from harness.runs.run import Run
from harness.runs.schema import LATER, Column

LIVE = "live"
PAGES = {"index.html": "html", "report.md": "md"}


@dataclass
class Reproduced:
    """One run held against the same command run again. equal, differs: what was compared, in words. not_compared: what
    is live, by table."""

    run: str
    command: str
    equal: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)
    not_compared: dict[str, list[str]] = field(default_factory=dict)
    measured: int = 0

    @property
    def verdict(self) -> str:
        if self.differs:
            return f"not reproduced: {len(self.differs)} differ"
        if not self.measured:
            return "proves nothing: the run has no measured column, all that it holds is live"
        return "reproduced"

    def to_record(self) -> dict[str, Any]:
        """For a program."""
        return asdict(self) | {"verdict": self.verdict}

    def lines(self) -> Iterator[str]:
        """For a terminal; the command in one line, so that it can be copied."""
        yield f"run      {self.run}"
        yield f"command  {self.command}"
        said = [f"  {line}" for line in self.equal]
        said += [f"  {name}: not compared (live): {', '.join(columns)}" for name, columns in self.not_compared.items()]
        said += [f"  DIFFERS: {line}" for line in self.differs]
        yield from (fitted(line, width()) for line in said)
        yield self.verdict


def reproduce(place: str, results: Path, say: Callable[[str], None]) -> list[Reproduced]:
    """Every run of a report, made again in a folder that is thrown away. place: a report's page or folder, or a run.

    Raises `HarnessError` where the run is not there, or what it reads is not what it was.
    """
    folder, names = _runs_of(place, results)
    runs = [Run(find_run(results, name)) for name in names]
    for run in runs:
        _check_inputs(run)
    found = []
    for run in runs:
        say(f"again: {run.command()}")
        with tempfile.TemporaryDirectory() as beside:
            found.append(_again(run, folder if len(runs) == 1 else None, Path(beside)))
    return found


def _runs_of(place: str, results: Path) -> tuple[Path | None, list[str]]:
    """The folder of a report, and the runs that it is of."""
    path = Path(place)
    if (path / "manifest.json").exists():
        return None, [place]
    if path.is_file() and path.name in PAGES:
        path = path.parent
    groups = {group.name: list(group.runs.values()) for group in read_groups(results)}
    if any((path / page).is_file() for page in PAGES):
        return path, groups.get(path.resolve().name, [path.resolve().name])
    if path.exists():
        raise HarnessError(f"{place}: neither a report ({', '.join(PAGES)}) nor a run")
    return None, groups.get(place, [place])


def _check_inputs(run: Run) -> None:
    if "inputs" not in run.manifest:
        raise HarnessError(f"{run.directory}: made before runs held the hashes of their inputs; make it again")
    before, settings = run.manifest["inputs"], run.settings()
    if began := run.manifest.get("cwd"):
        missing = [path for path in before if not Path(path).exists()]
        if missing:
            raise HarnessError(f"{', '.join(missing)}: not there; the run was made in {began}, go there")
    if other := changed(before, digests(settings)):
        raise HarnessError(f"{', '.join(other)}: changed since run {run.id} (by SHA-256); put it back as it was")


def _again(run: Run, folder: Path | None, beside: Path) -> Reproduced:
    again = Run(life.run(run.kind, run.settings(), beside / "results"))
    _check_engines(run, again)
    found = Reproduced(run.id, run.command())
    for name, columns in run.kind.tables.items():
        _compare_table(found, name, columns, run.directory, again.directory)
    if folder is not None:
        _compare_report(found, run, again, folder, beside / "reports")
    return found


def _check_engines(run: Run, again: Run) -> None:
    """An engine is an input too, known by the hashes of its files once it has run."""
    before, now = _hashes(run), _hashes(again)
    for label, hashes in before.items():
        if other := changed(hashes, now.get(label, {})):
            raise HarnessError(f"engine {label}: its {', '.join(other)} changed since run {run.id} (by SHA-256)")


def _hashes(run: Run) -> dict[str, dict[str, str]]:
    engines = [*run.manifest.get("engines", ()), *run.manifest.get("identities", ())]
    return {e["label"]: e["identity"]["hashes"] for e in engines if e["identity"]}


def _compare_table(found: Reproduced, name: str, columns: Sequence[Column], before: Path, after: Path) -> None:
    if name in LATER and not (before / f"{name}.parquet").exists():
        return
    kept = [c.name for c in columns if c.kind != LIVE]
    rows = pq.ParquetFile(before / f"{name}.parquet").metadata.num_rows
    if live := [c.name for c in columns if c.kind == LIVE and rows]:
        found.not_compared[f"{name}.parquet"] = live
    found.measured += sum(c.kind in ("measured", "estimated") for c in columns)
    if not kept:
        return
    # Rows of a live table may come in another order of what is live; the keys order them.
    keys = [c.name for c in columns if c.kind == "key"]
    old, new = (_part(place / f"{name}.parquet", kept, keys if live else []) for place in (before, after))
    said = f"{name}.parquet: {len(kept)} columns, {len(old[0])} rows"
    if old[1] == new[1] and csv_text(old[0]) == csv_text(new[0]):
        found.equal.append(f"{said}, equal to the byte, as Parquet and as CSV")
        return
    other = [c for c in kept if len(old[0]) != len(new[0]) or not old[0][c].equals(new[0][c])]
    found.differs.append(f"{said}, then {len(new[0])} rows; in {', '.join(other) or 'bytes alone'}")


def _part(path: Path, columns: list[str], order: list[str]) -> tuple[pd.DataFrame, bytes]:
    """Some columns as a frame, and as the bytes of a Parquet file of their own."""
    table = pq.read_table(path, columns=columns)
    if order:
        table = table.sort_by([(name, "ascending") for name in order])
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    return table.to_pandas(), stream.getvalue()


def _compare_report(found: Reproduced, run: Run, again: Run, folder: Path, reports: Path) -> None:
    """The pages, with what is the run's own masked; they are not compared where live figures stand in them."""
    pages = [page for page in PAGES if (folder / page).is_file()]
    if found.not_compared:
        found.not_compared["pages"] = pages
        return
    write_report(again, reports, [PAGES[page] for page in pages])
    citations = [[part.citation() for part in report_of(each).parts] for each in (run, again)]
    for page in pages:
        old, new = (
            masked((place / page).read_text(encoding="utf-8"), cited)
            for place, cited in zip((folder, reports / again.id), citations, strict=True)
        )
        where = next(
            (n for n, (a, b) in enumerate(zip(old.splitlines(), new.splitlines(), strict=False), 1) if a != b), 0
        )
        if old == new:
            found.equal.append(f"{page}: equal once run id, dates, machine and versions are masked")
        else:
            found.differs.append(f"{page}, line {where}")
