"""The command of a kind of run: its options, progress while it runs, the summary and the report's path at its end.

What the summary needs is imported after the work is done: on Linux a process counts the memory of the one that started
it among its own peak (`ru_maxrss`), and engines report that figure.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from harness.errors import HarnessError
from harness.runs.directory import find_unfinished, list_runs
from harness.runs.kind import Forecast, Kind
from harness.runs.life import resume, run, settings_of
from harness.runs.places import FolderToWrite
from harness.settings import from_options, is_given, with_options
from harness.show.ended import going_on, reporting, resuming, told
from harness.text import aside, number

if TYPE_CHECKING:
    from harness.report.part import Part

EXPORTERS = ("html", "md", "csv")
Emit = Callable[[Any], None]


def command_of(kind: Kind[Any], emit: Emit) -> click.Command:
    """The command of a kind. emit: prints a record as JSON."""
    about = kind.settings, kind.how

    def callback(
        resume: str | None,
        max_bad: int | None,
        show_secrets: bool,
        results: Path,
        report_dir: Path,
        whole: bool,
        as_json: bool,
        **given: Any,
    ) -> None:
        named = is_given(kind.settings, click.get_current_context())
        how = from_options(kind.how, given)
        if resume and named:
            raise HarnessError(f"--resume goes on with a run as it was begun: leave {', '.join(named)} away")
        if resume:
            directory = find_unfinished(results, resume, kind.name, aside)
            if not agreed(kind.forecast(settings_of(kind, directory), how), as_json, emit):
                return
            directory = go_on(kind, directory, how)
        else:
            settings = from_options(kind.settings, given)
            if not agreed(kind.forecast(settings, how), as_json, emit):
                return
            directory = begin(kind, settings, results, how)
        if nothing_was_whole(directory):
            end_of_budget(directory)
        shown = as_record(emit) if as_json else show_whole if whole else show
        with told(report_dir, lambda: reporting(directory, results)):
            problems = finish(kind, directory, report_dir, shown, show_secrets)
        gate_bad(len(problems), max_bad)
        end_of_bugs(problems)
        end_of_budget(directory)

    command = click.Command(kind.name, callback=callback, help=kind.help, params=_life())
    return with_options(*about)(command)


def agreed(found: Forecast | None, as_json: bool, emit: Emit) -> bool:
    """Whether the work is to begin. What a dry run wants to know is said, and nothing begins. Who would be charged
    without a budget is asked; raises `HarnessError` where nobody can be."""
    if found is None:
        return True
    if found.dry:
        emit(found.record) if as_json else click.echo(found.text)
        return False
    if found.metered and not found.limited:
        aside(found.text)
        if not is_asked():
            raise HarnessError("this costs money: give --max-usd or --max-total-tokens, or --yes to go on without")
        return click.confirm("This costs money. Go on without a budget (--max-usd)?", err=True)
    return True


def is_asked() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty()


def _life() -> list[click.Parameter]:
    """The options that every kind of run has."""
    return [
        click.Option(["--resume"], metavar="RUN", help="Go on with an unfinished run, or `last`."),
        click.Option(
            ["--max-bad"],
            type=click.IntRange(0),
            metavar="N",
            help="Exit with 1 if more than N records cannot be read.",
        ),
        click.Option(["--show-secrets"], is_flag=True, help="Do not mask keys, tokens and mail addresses."),
        click.Option(
            ["--results"],
            type=FolderToWrite(),
            default="results",
            show_default=True,
            metavar="DIR",
            help="Where runs are kept.",
        ),
        click.Option(
            ["--report-dir"],
            type=FolderToWrite(),
            default="reports",
            show_default=True,
            metavar="DIR",
            help="Where reports go.",
        ),
        click.Option(["--all", "whole"], is_flag=True, help="Print every table, not the summary alone."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for a program."),
    ]


def begin(kind: Kind[Any], settings: Any, results: Path, how: Any) -> Path:
    """A new run, with a progress bar on a terminal only. Returns its directory."""
    known = frozenset(run.name for run in list_runs(results))
    with Bar(kind) as bar, told(results, lambda: resuming(kind.name, results, known)):
        return run(kind, settings, results, how, bar.progress)


def go_on(kind: Kind[Any], directory: Path, how: Any) -> Path:
    """The rest of an unfinished run."""
    with Bar(kind) as bar, told(directory, lambda: going_on(kind.name, directory, directory.parent)):
        return resume(kind, directory, how, bar.progress)


class Bar(tqdm):  # type: ignore[type-arg]
    """Progress, on a terminal only."""

    def __init__(self, kind: Kind[Any]) -> None:
        super().__init__(
            unit=kind.unit, unit_scale=kind.unit == "B", desc=kind.name, disable=not sys.stderr.isatty(), leave=False
        )

    def progress(self, done: int, total: int | None) -> None:
        self.total = total
        self.update(done - self.n)


Write = Callable[[], Path]
Shown = Callable[["Part", Path, Write], None]
"""Prints a part of a report and has it written; the run's folder and the report's file stand last."""


def show(part: Part, run: Path, write: Write) -> None:
    """The summary for a terminal, which nobody has to wait for until the report is written."""
    click.echo(f"{part.text()}\n\nrun     {run}")
    click.echo(f"report  {write()}")


def show_whole(part: Part, run: Path, write: Write) -> None:
    """Every table for a terminal."""
    click.echo(f"{part.whole_text()}\n\nrun     {run}")
    click.echo(f"report  {write()}")


def as_record(emit: Emit) -> Shown:
    """For a program."""
    return lambda part, run, write: emit(part.record() | {"run": str(run), "report": str(write())})


def finish(kind: Kind[Any], directory: Path, report_dir: Path, shown: Shown, show_secrets: bool) -> list[Any]:
    """Write the report, show the summary. Returns what could not be read. Raises `HarnessError` if there
    was nothing to do."""
    from harness.report.write import write_part
    from harness.runs.run import Run

    found = Run(directory)
    if why := kind.empty(found):
        raise HarnessError(why)
    part = kind.report(found, "", show_secrets)
    shown(part, directory, lambda: write_part(part, report_dir, EXPORTERS)[0])
    return list(found.manifest.get("problems", ()))


def end_of_bugs(problems: Sequence[Mapping[str, Any]]) -> None:
    """Exit with 3, at the very end, where a reader had a bug: it cost its source, and everything else stands."""
    if bugs := [problem for problem in problems if problem.get("traceback")]:
        aside(str(bugs[0]["traceback"]).rstrip())
        aside(f"{number(len(bugs), 'source')} left out for a bug, the first {bugs[0]['place']}")
        sys.exit(3)


def nothing_was_whole(directory: Path) -> bool:
    """Whether a run stopped at its budget before there was anything to report."""
    from harness.runs.manifest import read_manifest

    manifest = read_manifest(directory)
    return "stopped" in manifest and not any(manifest["rows"].values())


def end_of_budget(directory: Path) -> None:
    """Exit with 1 where a run stopped at its budget."""
    from harness.runs.manifest import read_manifest

    stopped = read_manifest(directory).get("stopped")
    if stopped:
        aside(
            f"stopped by the {stopped['why']} after {stopped['done']} of {stopped['of']}; what was paid is kept: go on "
            f"with --resume {directory.name} and a larger one"
        )
        sys.exit(1)


def gate_bad(bad: int, most: int | None) -> None:
    """Exit with 1 if more records than `most` could not be read."""
    if most is not None and bad > most:
        aside(f"{number(bad, 'record')} could not be read, more than --max-bad {most}")
        sys.exit(1)
