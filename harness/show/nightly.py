"""`harness nightly`: the night, its reports, one line and an exit code."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.nightly.carry_out import Options
from harness.nightly.night import accept, nightly
from harness.nightly.read import Suite
from harness.nightly.verdicts import verdicts
from harness.runs.manifest import read_manifest
from harness.show.ended import told
from harness.show.kind import end_of_bugs
from harness.text import aside, one_line

if TYPE_CHECKING:
    from harness.nightly.verdict import Verdict

MOST_SAID = 3


def run_nightly(
    suite: Suite, results: Path, report_dir: Path, options: Options, strict: bool, emit: Callable[[Any], None] | None
) -> int:
    """Run, compare, report; the verdict's line comes last. Returns the exit code."""
    written: list[Path] = []
    with resumable(results):
        verdict = nightly(
            suite, results, options, aside, then=lambda found: written.extend(_write(suite, results, report_dir, found))
        )
    if emit:
        emit(verdict.to_record() | {"written": [str(p) for p in written], "exit": verdict.exit_code(strict)})
    else:
        click.echo("\n".join(str(p) for p in written))
        for line in next_steps(verdict, suite):
            click.echo(one_line(line))
        click.echo(one_line(verdict.line()))
    code = verdict.exit_code(strict)
    if not code:
        end_of_bugs([problem for name in verdict.runs.values() for problem in _problems(results / name)])
    return code


def _problems(run: Path) -> list[dict[str, Any]]:
    return list(read_manifest(run).get("problems", ()))


def next_steps(verdict: Verdict, suite: Suite) -> list[str]:
    """What a reader of the terminal can do, or wants to know before the verdict."""
    from harness.nightly.verdict import BASELINE, ways_to_accept

    accept = shlex.join(["harness", "nightly", str(suite.place), "--accept", "--why"]) + " '…'"
    if verdict.lacks_baseline:
        return [f"to make this night the baseline: {accept}"]
    if verdict.state == "incomplete":
        restore = "put back what is gone, or accept the night without it"
        return [*verdict.missing[:MOST_SAID], f"{restore}: {accept}"]
    if verdict.state == "regression":
        shown = [m.hidden.command for c in verdict.changes if c.fails for m in c.movers if m.hidden]
        steps = [f"to see what is hidden: {command}" for command in shown[:1]]
        return [*steps, *(f"to accept it: {accept}" if way == BASELINE else way for way in ways_to_accept(verdict))]
    unsure = [j for j in verdict.judged if j.state == "inconclusive"]
    more = [f"and {len(unsure) - MOST_SAID} more that are inconclusive"] if len(unsure) > MOST_SAID else []
    return [f"{j.key}: {j.why}" for j in unsure[:MOST_SAID]] + more


def accept_nightly(suite: Suite, results: Path, why: str, now: float) -> None:
    """Make the newest run of the suite its baseline, and say what to commit."""
    with told(results, lambda: "the same command accepts it"):
        group = accept(suite, results, why, now)
    click.echo(f"accepted {group.name}: {why}")
    click.echo(f"to keep it with the project, commit {results / 'annotations.toml'} and {results / 'baseline'}")


@contextmanager
def resumable(results: Path) -> Iterator[None]:
    """SIGTERM like SIGINT, and a full disk as a sentence: what was finished is kept, the same command goes on."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        with told(results, lambda: "the same command goes on with what was finished"):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _write(suite: Suite, results: Path, report_dir: Path, verdict: Any) -> list[Path]:
    from harness.nightly.outputs import Night, write_night
    from harness.report.write import write_report
    from harness.runs.run import Run

    folder = report_dir / "nightly" / suite.name
    reports: dict[str, str] = {}
    for part in suite.parts:
        if suite.report:
            run = Run(results / verdict.runs[part.name])
            if not run.kind.empty(run):
                first = write_report(run, report_dir, suite.report)[0]
                reports[part.name] = Path(os.path.relpath(first, folder)).as_posix()
    return write_night(Night(verdict, reports, verdicts(results, suite.name)), folder)
