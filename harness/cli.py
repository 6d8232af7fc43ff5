"""The command line: parses and delegates.

Exit codes: 0 fine; 1 a gate failed; 2 wrong use or input that cannot be read at all; 3 a bug (with its traceback); 130
interrupted, resumable.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson

import harness
from harness.errors import HarnessError
from harness.runs.places import FileToWrite, FolderToWrite
from harness.show.console import print_anything
from harness.show.ended import NOT_OURS, refused, told
from harness.show.kind import gate_bad

FROM_0, FROM_1 = click.IntRange(0), click.IntRange(1)

paths_argument = click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
format_option = click.option(
    "--format", "format_name", metavar="NAME", help="Read as this format, whatever it looks like."
)
policy_option = click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="P",
    help="A policy: name or name:key=value,… (repeatable; see `harness list policies`).",
)
results_option = click.option(
    "--results",
    type=click.Path(path_type=Path),
    default=Path("results"),
    show_default=True,
    metavar="DIR",
    help="Where runs are kept.",
)
new_results_option = click.option(
    "--results",
    type=FolderToWrite(),
    default=Path("results"),
    show_default=True,
    metavar="DIR",
    help="Where runs are kept.",
)
report_dir_option = click.option(
    "--report-dir",
    type=FolderToWrite(),
    default=Path("reports"),
    show_default=True,
    metavar="DIR",
    help="Where reports go.",
)
secrets_option = click.option("--show-secrets", is_flag=True, help="Do not mask keys, tokens and mail addresses.")
same_work_option = click.option(
    "--keep-same-work", is_flag=True, help="Leave no transcript out for being the same work as another."
)
tokens_option = click.option(
    "--tokens", default="openai-chat-3-3", show_default=True, metavar="PROFILE", help="Token profile."
)


def say(text: str) -> None:
    """Text of any width, as wide as the terminal is; `--json` has it as it is."""
    from harness.report.table_text import fitted, width

    click.echo(fitted(text, width()))


def emit(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(
        orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY).decode("utf-8") + "\n"
    )


class Commands(click.Group):
    """The commands below, and one of every kind of run, made from its settings when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from harness.runs.kinds import kind_names

        return sorted({*super().list_commands(ctx), *kind_names()})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[:1] == ["bench"] and "--grid" in args:  # the way it is asked for beside a bench
            args = ["grid", *(arg for arg in args[1:] if arg != "--grid")]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from harness.runs.kinds import kind_named, kind_names
        from harness.show.kind import command_of

        if (ours := super().get_command(ctx, cmd_name)) or cmd_name not in kind_names():
            return ours
        return command_of(kind_named(cmd_name), emit)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(harness.__version__, prog_name="harness")
def cli() -> None:
    """What should an agent's context hold? Replay recordings under context policies, and see what each saves and
    hides."""


@cli.command()
@json_option
def discover(as_json: bool) -> None:
    """Agent sessions found on this computer.

    By tool, with sizes; nothing in them is read."""
    from harness.formats.discover import discover as look
    from harness.show.discover import found_record, found_text

    found = look(Path.home(), os.environ)
    emit([found_record(f) for f in found]) if as_json else click.echo(found_text(found))


@cli.command()
@paths_argument
@format_option
@click.option("--max-bad", type=FROM_0, metavar="N", help="Exit with 1 if more than N records cannot be read.")
@same_work_option
@json_option
def inspect(
    paths: tuple[Path, ...], format_name: str | None, max_bad: int | None, keep_same_work: bool, as_json: bool
) -> None:
    """What was recorded.

    Per transcript: requests, calls, results, bytes, what was already clipped, usage, problems."""
    from harness.formats.corpus import Intake, read_transcripts
    from harness.show.inspect import describe, inspection_text, intake_record

    intake = Intake()
    facts = [describe(t) for t in read_transcripts(list(paths), intake, format_name, keep_same_work)]
    if as_json:
        emit({"transcripts": facts} | intake_record(intake))
    else:
        click.echo(inspection_text(facts, intake))
    gate_bad(len(intake.problems), max_bad)
    if not facts:
        sys.exit(2)


@cli.command()
@paths_argument
@format_option
@tokens_option
@click.option("--skeleton", "as_skeleton", is_flag=True, help="Print keys, lengths and shapes to send, no text.")
@json_option
def audit(paths: tuple[Path, ...], format_name: str | None, tokens: str, as_skeleton: bool, as_json: bool) -> None:
    """Was it read right?

    Per transcript: the share of its text that was read, calls with results, growth of our prompt over the billed one;
    where every record went. A skeleton shows how a file is built and nothing that it says."""
    from harness.show.audit import audit_paths, audit_record, audit_text, skeletons
    from harness.tokens.counter import open_counter
    from harness.tokens.profiles import token_profile

    if as_skeleton:
        emit(list(skeletons(list(paths))))
        return
    profile = token_profile(tokens)
    found = audit_paths(list(paths), format_name, open_counter(profile.encoding), profile)
    emit(audit_record(found)) if as_json else click.echo(audit_text(found))
    if not found.audits:
        sys.exit(2)


@cli.command()
@paths_argument
@click.option("--as", "target", required=True, metavar="FORMAT", help="Write this format (`harness list converters`).")
@click.option("--to", "folder", required=True, type=FolderToWrite(), metavar="DIR", help="A new or empty folder.")
@format_option
@click.option("--max-bad", type=FROM_0, metavar="N", help="Exit with 1 if more than N are not written or not read.")
@same_work_option
@json_option
def convert(
    paths: tuple[Path, ...],
    target: str,
    folder: Path,
    format_name: str | None,
    max_bad: int | None,
    keep_same_work: bool,
    as_json: bool,
) -> None:
    """Recordings in another format, one file a transcript.

    Each file is read back: what the other format did not keep is listed with its number. Texts are written as they
    are, secrets among them."""
    from harness.export.convert import convert as write
    from harness.formats.corpus import Intake
    from harness.show.convert import conversion_record, conversion_text

    intake = Intake()
    found = write(list(paths), target, folder, intake, format_name, keep_same_work)
    if as_json:
        emit(conversion_record(found, intake))
    else:
        say(conversion_text(found, intake, target, folder))
    gate_bad(len(found.refused) + len(intake.problems), max_bad)
    if not found.written:
        sys.exit(2)


@cli.command()
@click.argument("place", metavar="FILE[#ID]")
@policy_option
@click.option("--request", type=FROM_1, metavar="K", help="Number of the request, from 1; the last if not given.")
@format_option
@tokens_option
@click.option("--html", "html_file", type=FileToWrite(), metavar="FILE", help="Write a page instead.")
@secrets_option
@json_option
def show(
    place: str,
    policies: tuple[str, ...],
    request: int | None,
    format_name: str | None,
    tokens: str,
    html_file: Path | None,
    show_secrets: bool,
    as_json: bool,
) -> None:
    """A prompt as the model would see it under a policy.

    With a second --policy, the difference between the two. --json gives the text as it is, with the places of what the
    answer takes."""
    from harness.policies.spec import make_policy
    from harness.show.show import difference_text, find_transcript, mask_for, prompt_text, view_prompt
    from harness.show.show_html import write_page
    from harness.tokens.counter import open_counter
    from harness.tokens.profiles import token_profile

    if len(policies) > 2:
        raise HarnessError("show takes one policy, or two to compare")
    chosen = [make_policy(p) for p in policies or ("identity",)]
    profile = token_profile(tokens)
    counter = open_counter(profile.encoding)
    transcript = find_transcript(place, format_name)
    views = [view_prompt(transcript, p, request, counter, profile) for p in chosen]
    mask = None if show_secrets else mask_for(transcript)
    if html_file:
        click.echo(write_page(html_file, transcript.id, views, mask))
    elif as_json:
        emit([v.to_record() for v in views])
    else:
        say(prompt_text(views[0], mask) if len(views) == 1 else difference_text(views[0], views[1], mask))


@cli.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--policy", default="car", show_default=True, metavar="P", help="The policy that renders it.")
@click.option("--text", "as_text", is_flag=True, help="Take the input as text even if it is JSON.")
@json_option
def preview(file: Any, policy: str, as_text: bool, as_json: bool) -> None:
    """One value, as a policy renders it.

    A JSON value (or text) in, what the model would see of it out."""
    from harness.show.preview import preview_input, preview_text

    shown = preview_input(file.read(), policy, as_text)
    emit(shown) if as_json else say(preview_text(shown))


def suite_options(command: Callable[..., None]) -> Callable[..., None]:
    """What `run` and `nightly` both take."""
    for add in reversed(
        (
            click.argument("suite_file", metavar="SUITE.toml", type=click.Path(path_type=Path)),
            click.option("--only", multiple=True, metavar="PART", help="Only this part (repeatable)."),
            click.option("--limit", type=FROM_1, metavar="N", help="Only N tasks of each task file."),
            click.option("--shuffle", type=int, metavar="SEED", help="Run the parts in a random order."),
            click.option("--dry-run", is_flag=True, help="Check the suite and say what it would run."),
            click.option(
                "--jobs", type=FROM_0, default=1, show_default=True, metavar="N", help="Processes; 0 for one a core."
            ),
        )
    ):
        command = add(command)
    return command


@cli.command(name="run")
@suite_options
@new_results_option
@report_dir_option
def run_command(
    suite_file: Path,
    only: tuple[str, ...],
    limit: int | None,
    shuffle: int | None,
    dry_run: bool,
    jobs: int,
    results: Path,
    report_dir: Path,
) -> None:
    """All that a suite names, one part after the other.

    SUITE.toml is a file, or the name of a bundled suite (`harness list suites`); the report's path last."""
    from harness.bundled import bundled_suite
    from harness.nightly.carry_out import Options
    from harness.nightly.read import read_suite
    from harness.show.suite import plan_text, run_suite

    suite = read_suite(bundled_suite(suite_file)).only(only)
    if dry_run:
        say(plan_text(suite))
        return
    run_suite(suite, results, report_dir, Options(jobs or os.cpu_count() or 1, limit, shuffle, only))


@cli.command(name="nightly")
@suite_options
@click.option(
    "--accept", "accepting", is_flag=True, help="Make the newest run of the suite its baseline; runs nothing."
)
@click.option("--why", default="", metavar="TEXT", help="With --accept: the reason, kept in annotations.toml.")
@click.option("--strict", is_flag=True, help="Exit with 1 if anything is inconclusive.")
@new_results_option
@report_dir_option
@json_option
def nightly_command(
    suite_file: Path,
    only: tuple[str, ...],
    limit: int | None,
    shuffle: int | None,
    dry_run: bool,
    accepting: bool,
    why: str,
    strict: bool,
    jobs: int,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """Run a suite and compare it with its baseline.

    The last line says what got worse, by how much, and why. SUITE.toml is a file, or the name of a bundled suite."""
    from harness.bundled import bundled_suite
    from harness.nightly.carry_out import Options
    from harness.nightly.read import read_suite
    from harness.show.nightly import accept_nightly, run_nightly
    from harness.show.suite import plan_text

    suite = read_suite(bundled_suite(suite_file)).only(only)
    if accepting != bool(why.strip()):
        raise HarnessError("--accept and --why go together: say why the newest run is to be the baseline")
    if dry_run:
        say(plan_text(suite))
    elif accepting:
        accept_nightly(suite, results, why, time.time())
    else:
        options = Options(jobs or os.cpu_count() or 1, limit, shuffle, only)
        sys.exit(run_nightly(suite, results, report_dir, options, strict, emit if as_json else None))


@cli.command()
@click.argument("report")
@results_option
@json_option
def reproduce(report: str, results: Path, as_json: bool) -> None:
    """Run the cited command of a report again, and compare.

    REPORT is an index.html or report.md, their folder, or a run. What follows exactly from the input must be equal to
    the byte; live figures are listed as not compared. Exits with 1 where something differs or nothing is proved, with 2
    where what the run reads is not what it was."""
    from harness.show.reproduce import reproduce as again
    from harness.text import aside

    found = again(report, results, aside)
    if as_json:
        emit([one.to_record() for one in found])
    else:
        click.echo("\n\n".join("\n".join(one.lines()) for one in found))
    sys.exit(0 if all(one.verdict == "reproduced" for one in found) else 1)


@cli.command()
@click.argument("url")
@click.option("--model", default="", metavar="NAME", help="As the server calls it; its first if left out.")
@click.option("--key", default="OPENAI_API_KEY", metavar="VARIABLE", help="The environment variable with the key.")
@click.option(
    "--seconds", type=float, default=60.0, show_default=True, help="Without a byte until a request has failed."
)
@json_option
def server(url: str, model: str, key: str, seconds: float, as_json: bool) -> None:
    """Does a server carry tool calls as it should?

    Ten requests with two tools: index, id, names, buffered deltas, calls in text, truncation, parallel calls, streaming
    and not, JSON schema, refusal. Exits with 1 where a check breaks."""
    from harness.show.server import checked, rows, text

    found = checked(url, model, key, seconds)
    emit(rows(found)) if as_json else click.echo(text(found))
    sys.exit(1 if any(check.state == "breaks" for check in found) else 0)


@cli.command()
@click.argument("run", default="last")
@results_option
@json_option
def verify(run: str, results: Path, as_json: bool) -> None:
    """Is a run still what it was when it was made?

    Every file against the hashes in its manifest, and the manifest against its seal. Exits with 2 where something
    changed, or where the run is from before there were seals."""
    from harness.runs.directory import find_run
    from harness.runs.seal import verify as compare_files
    from harness.show.verify import verdict, verified_record, verified_text

    found = compare_files(find_run(results, run))
    emit(verified_record(found)) if as_json else say(verified_text(found))
    sys.exit(0 if verdict(found) == "sealed" else 2)


@cli.command()
@click.argument("run_a")
@click.argument("run_b")
@results_option
@json_option
def compare(run_a: str, run_b: str, results: Path, as_json: bool) -> None:
    """What differs between two runs, and what that changed.

    On what they have in common, or not at all."""
    from harness.runs.directory import find_run
    from harness.runs.run import Run
    from harness.show.compare import compare_runs, compare_text

    found = compare_runs(Run(find_run(results, run_a)), Run(find_run(results, run_b)))
    emit(found.to_record()) if as_json else click.echo(compare_text(found))


@cli.command()
@click.option("--suite", default="", metavar="NAME", help="Only the nights of this suite.")
@results_option
@report_dir_option
@json_option
def history(suite: str, results: Path, report_dir: Path, as_json: bool) -> None:
    """Figures over the nights.

    Their steps, history.csv, and a plot a figure."""
    from harness.show.history import history_record, show_history

    if as_json:
        emit(history_record(results, suite))
    else:
        show_history(results, suite, report_dir)


@cli.command()
@click.argument("run", default="last")
@click.option(
    "--format",
    "formats",
    default="html,md,csv",
    show_default=True,
    metavar="NAMES",
    help="Exporters, joined by commas.",
)
@click.option(
    "--pages",
    type=FROM_0,
    default=0,
    metavar="N",
    help="Also the N requests of each policy most at risk, as pages with their text.",
)
@click.option("--policy", "policies", multiple=True, metavar="P", help="Pages of this policy only (repeatable).")
@click.option("--against", default="", metavar="Q", help="Pages only of requests of which Q shows everything.")
@secrets_option
@results_option
@report_dir_option
def report(
    run: str,
    formats: str,
    pages: int,
    policies: tuple[str, ...],
    against: str,
    show_secrets: bool,
    results: Path,
    report_dir: Path,
) -> None:
    """Write the report of a finished run again.

    RUN is a name, the start of one, a path, or `last`; or the name of the report that `harness run` printed, for all
    that the suite ran."""
    from harness.show.report import written_report

    names = formats.split(",")
    with told(report_dir, lambda: "the run is whole, the same command writes its report"):
        written = written_report(results, run, report_dir, names, pages, show_secrets, policies, against)
    for path in written:
        click.echo(path)


@cli.command()
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="CASES.jsonl...")
@json_option
def conformance(cases: tuple[Path, ...], as_json: bool) -> None:
    """Check this build against golden cases.

    They come from the reference implementations, one JSON object a line."""
    from harness.conformance import format_report, run_cases

    outcome = run_cases(list(cases))
    if as_json:
        emit(
            {
                "passed": outcome.passed,
                "failed": outcome.failed,
                "failures": [vars(f) for f in outcome.failures],
            }
        )
    else:
        say(format_report(outcome))
    sys.exit(1 if outcome.failed else 0)


@cli.command(name="list")
@click.argument("what")
@results_option
@json_option
def list_command(what: str, results: Path, as_json: bool) -> None:
    """What there is to choose from.

    WHAT is one of: formats, dialects, marks, policies, engines, exporters, converters, tokenizers, prices, caches,
    tasks, suites, kinds, runs."""
    from harness.show.listing import listing, listing_text

    rows = listing(what, results)
    emit(rows) if as_json else click.echo(listing_text(rows))


@cli.command()
@click.argument("sort", type=click.Choice(["format", "policy", "engine", "exporter", "kind"]))
@click.argument("name")
@click.option("--to", "folder", type=click.Path(path_type=Path), default=".", metavar="DIR", help="Where it goes.")
def new(sort: str, name: str, folder: Path) -> None:
    """A package to start from, with its contract's tests.

    A format, policy, engine, exporter or kind of run.

    `pip install -e NAME` makes it known; `pytest NAME` tries what all of its sort promise."""
    from harness.show.new import write_new

    written = write_new(sort, name, folder)
    click.echo("\n".join(map(str, written)))
    click.echo(f"\npip install -e {folder / name} && pytest {folder / name}")


@cli.command()
@json_option
def doctor(as_json: bool) -> None:
    """What is installed, what is missing, how to get it.

    Exits with 1 if something is broken; what is missing is needed only for what stands beside it."""
    from harness.show.doctor import checks, checks_text

    found = checks()
    emit(found) if as_json else click.echo(checks_text(found))
    sys.exit(1 if any(c["state"] == "broken" for c in found) else 0)


def _interrupt(number: int, frame: object) -> NoReturn:
    """Being asked to end is an interruption like any other: what was begun is closed, what was finished is kept."""
    raise KeyboardInterrupt


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    gc.set_threshold(50_000, 20, 20)  # thousands of classes are imported, which is no garbage: a tenth of a short run
    print_anything()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        sys.exit(cli.main(arguments, prog_name="harness", standalone_mode=False) or 0)
    except HarnessError as error:
        click.echo(f"harness: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in NOT_OURS:
            traceback.print_exc()
            sys.exit(3)
        click.echo(f"harness: {refused(error)}, then the same command", err=True)
        sys.exit(2)
    except Exception:  # noqa: BLE001 - the last resort: a bug keeps its traceback and gets its own exit code
        traceback.print_exc()
        sys.exit(3)
