"""The command line: parses and delegates.

Exit codes: 0 fine; 1 a gate failed; 2 wrong use or input that cannot be read at all; 3 a bug (with its traceback); 130
interrupted, resumable.
"""

from __future__ import annotations

import errno
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson

import harness
from harness.errors import HarnessError
from harness.show.places import FileToWrite, FolderToWrite

NOT_OURS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR}
    | {errno.EIO, errno.ENAMETOOLONG, errno.ELOOP}
)
"""What the operating system refuses for reasons that the user can mend: full, read-only or forbidden places."""

FROM_0, FROM_1, SECONDS = click.IntRange(0), click.IntRange(1), click.FloatRange(0, min_open=True)

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


def emit(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(
        orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY).decode("utf-8") + "\n"
    )


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
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
    _gate_bad(len(intake.problems), max_bad)
    if not facts:
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
        click.echo(prompt_text(views[0], mask) if len(views) == 1 else difference_text(views[0], views[1], mask))


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
    emit(shown) if as_json else click.echo(preview_text(shown))


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="PATH...")
@policy_option
@format_option
@tokens_option
@click.option("--prices", default="auto", show_default=True, metavar="MODEL",
              help="Whose prices to apply; auto: each request's own model's.")  # fmt: skip
@click.option(
    "--cache",
    default="auto",
    show_default=True,
    metavar="PROFILE",
    help="Rules of the prefix cache; auto: the model's.",
)
@click.option(
    "--window",
    type=FROM_1,
    default=200_000,
    show_default=True,
    metavar="N",
    help="The model's context window in tokens.",
)
@click.option("--jobs", type=FROM_0, default=1, show_default=True, metavar="N", help="Processes; 0 for one a core.")
@click.option("--resume", "resume_run", metavar="RUN", help="Go on with an unfinished run, or `last`.")
@click.option("--max-bad", type=FROM_0, metavar="N", help="Exit with 1 if more than N records cannot be read.")
@same_work_option
@secrets_option
@new_results_option
@report_dir_option
@json_option
def replay(
    paths: tuple[Path, ...],
    policies: tuple[str, ...],
    format_name: str | None,
    tokens: str,
    prices: str,
    cache: str,
    window: int,
    jobs: int,
    resume_run: str | None,
    max_bad: int | None,
    keep_same_work: bool,
    show_secrets: bool,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """Replay recordings under policies.

    One run into the results folder, a summary here, the report's path last."""
    from harness.replay.settings import DEFAULT_POLICIES, ReplaySettings
    from harness.show.replay import finish_replay, run_replay

    if bool(paths) == bool(resume_run):
        raise HarnessError("name recordings to replay, or an unfinished run with --resume (not both)")
    settings = ReplaySettings(
        tuple(map(str, paths)), policies or DEFAULT_POLICIES, format_name, tokens, prices, cache, window, keep_same_work
    )
    directory = run_replay(settings, results, resume_run, jobs or os.cpu_count() or 1)
    bad = finish_replay(directory, report_dir, emit if as_json else None, show_secrets)
    _gate_bad(bad, max_bad)


@cli.command()
@click.option(
    "--engine", "engines", multiple=True, metavar="E", help="An engine: name or name:key=value,… (repeatable)."
)
@click.option(
    "--tasks",
    multiple=True,
    metavar="FILE",
    help="A task file, or a name that `harness list tasks` shows (repeatable).",
)
@click.option(
    "--repetitions", type=FROM_1, default=5, show_default=True, metavar="N", help="How often every task is asked."
)
@click.option(
    "--max-tokens", type=FROM_1, default=256, show_default=True, metavar="N", help="Budget of a turn in tokens."
)
@click.option(
    "--timeout",
    type=SECONDS,
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds after which a turn has failed.",
)
@click.option("--first", type=FROM_0, default=0, metavar="N", help="Only N tasks of each --tasks, spread over it.")
@click.option("--system", default="", metavar="TEXT", help="The system prompt.")
@click.option("--resume", "resume_run", metavar="RUN", help="Go on with an unfinished run, or `last`.")
@secrets_option
@new_results_option
@report_dir_option
@json_option
def bench(
    engines: tuple[str, ...],
    tasks: tuple[str, ...],
    repetitions: int,
    max_tokens: int,
    timeout: float,
    first: int,
    system: str,
    resume_run: str | None,
    show_secrets: bool,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """Measure engines on tasks, interleaved.

    How fast, how much memory, how often right and grounded; the report's path last."""
    from harness.bench.settings import BenchSettings
    from harness.bundled import bundled_tasks
    from harness.show.bench import finish_bench, run_bench

    if bool(engines and tasks) == bool(resume_run):
        raise HarnessError("name engines and tasks, or an unfinished run with --resume (not both)")
    files = tuple(map(bundled_tasks, tasks))
    settings = BenchSettings(engines, files, repetitions, max_tokens, timeout, first=first, system=system)
    finish_bench(run_bench(settings, results, resume_run), report_dir, emit if as_json else None, show_secrets)


@cli.command(name="loop")
@click.option(
    "--driver",
    "drivers",
    multiple=True,
    metavar="D",
    help="A driver: reader:temperament=careful|hasty|forgetful, or an engine (repeatable).",
)
@policy_option
@click.option("--tasks", "families", multiple=True, metavar="FAMILY", help="Only this family of tasks (repeatable).")
@click.option(
    "--seeds",
    type=FROM_0,
    default=0,
    metavar="N",
    help="Seeds of every template (1, or what --first needs); 6 give all needs.",
)
@click.option("--first", type=FROM_0, default=0, metavar="N", help="Only N tasks, drawn from all.")
@click.option("--record", type=FolderToWrite(), metavar="DIR", help="Write every transcript into a folder.")
@click.option("--resume", "resume_run", metavar="RUN", help="Go on with an unfinished run, or `last`.")
@tokens_option
@secrets_option
@new_results_option
@report_dir_option
@json_option
def loop_command(
    drivers: tuple[str, ...],
    policies: tuple[str, ...],
    families: tuple[str, ...],
    seeds: int,
    first: int,
    record: Path | None,
    resume_run: str | None,
    tokens: str,
    show_secrets: bool,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """Drive agents through tasks under policies.

    What passes, what it takes, and how far off the estimate is; the report's path last."""
    from harness.loop.settings import DEFAULT_DRIVERS, DEFAULT_POLICIES, LoopSettings
    from harness.show.loop import finish_loop, run_loop

    settings = LoopSettings(
        drivers or DEFAULT_DRIVERS, policies or DEFAULT_POLICIES, families, seeds, first, tokens=tokens
    )
    directory = run_loop(settings, results, resume_run, record)
    finish_loop(directory, report_dir, emit if as_json else None, show_secrets)


@cli.command(name="redrive")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="PATH...")
@click.option(
    "--engine", "engines", multiple=True, metavar="E", help="An engine: name or name:key=value,… (repeatable)."
)
@policy_option
@format_option
@tokens_option
@click.option(
    "--window",
    type=FROM_0,
    default=0,
    metavar="N",
    help="Tokens of the engine's context, if it does not say.",
)
@click.option(
    "--max-tokens", type=FROM_1, default=256, show_default=True, metavar="N", help="Budget of an answer in tokens."
)
@click.option(
    "--timeout",
    type=SECONDS,
    default=120.0,
    show_default=True,
    metavar="S",
    help="Seconds after which a turn has failed.",
)
@click.option("--first", type=FROM_0, default=0, metavar="N", help="Only the first N transcripts.")
@click.option(
    "--limit",
    type=FROM_0,
    default=0,
    metavar="N",
    help="Only N requests of each transcript, drawn by --seed.",
)
@click.option(
    "--seed", default=1, show_default=True, metavar="N", help="Draws requests, and the order of the policies in each."
)
@click.option(
    "--record",
    type=FileToWrite(),
    metavar="FILE",
    help="Add every envelope to a file.",
)
@click.option("--resume", "resume_run", metavar="RUN", help="Go on with an unfinished run, or `last`.")
@secrets_option
@new_results_option
@report_dir_option
@json_option
def redrive_command(
    paths: tuple[Path, ...],
    engines: tuple[str, ...],
    policies: tuple[str, ...],
    format_name: str | None,
    tokens: str,
    window: int,
    max_tokens: int,
    timeout: float,
    first: int,
    limit: int,
    seed: int,
    record: Path | None,
    resume_run: str | None,
    show_secrets: bool,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """An engine at every recorded request, under policies.

    It chooses the next action, which is held against the recording; the report's path last."""
    from harness.redrive.settings import DEFAULT_POLICIES, RedriveSettings
    from harness.show.redrive import finish_redrive, run_redrive

    if bool(paths and engines) == bool(resume_run):
        raise HarnessError("name recordings and engines, or an unfinished run with --resume (not both)")
    settings = RedriveSettings(
        tuple(map(str, paths)),
        engines,
        policies or DEFAULT_POLICIES,
        format_name,
        tokens,
        window,
        max_tokens,
        timeout,
        first,
        limit,
        seed,
    )
    directory = run_redrive(settings, results, resume_run, record)
    finish_redrive(directory, report_dir, emit if as_json else None, show_secrets)


@cli.command(name="run")
@click.argument("suite_file", metavar="SUITE.toml", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="PART", help="Only this part (repeatable).")
@click.option("--limit", type=FROM_1, metavar="N", help="Only N tasks of each task file.")
@click.option("--shuffle", type=int, metavar="SEED", help="Run the parts in a random order.")
@click.option("--dry-run", is_flag=True, help="Check the suite and say what it would run.")
@click.option("--jobs", type=FROM_0, default=1, show_default=True, metavar="N", help="Processes; 0 for one a core.")
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
        click.echo(plan_text(suite))
        return
    run_suite(suite, results, report_dir, Options(jobs or os.cpu_count() or 1, limit, shuffle, only))


@cli.command(name="nightly")
@click.argument("suite_file", metavar="SUITE.toml", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="PART", help="Only this part (repeatable).")
@click.option("--limit", type=FROM_1, metavar="N", help="Only N tasks of each task file.")
@click.option("--shuffle", type=int, metavar="SEED", help="Run the parts in a random order.")
@click.option("--dry-run", is_flag=True, help="Check the suite and say what it would run.")
@click.option(
    "--accept", "accepting", is_flag=True, help="Make the newest run of the suite its baseline; runs nothing."
)
@click.option("--why", default="", metavar="TEXT", help="With --accept: the reason, kept in annotations.toml.")
@click.option("--strict", is_flag=True, help="Exit with 1 if anything is inconclusive.")
@click.option("--jobs", type=FROM_0, default=1, show_default=True, metavar="N", help="Processes; 0 for one a core.")
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
        click.echo(plan_text(suite))
    elif accepting:
        accept_nightly(suite, results, why, time.time())
    else:
        options = Options(jobs or os.cpu_count() or 1, limit, shuffle, only)
        sys.exit(run_nightly(suite, results, report_dir, options, strict, emit if as_json else None))


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
    emit(found) if as_json else click.echo(compare_text(found))


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


@cli.command(name="tune")
@paths_argument
@click.option("--policy", default="car", show_default=True, metavar="P", help="The policy to tune.")
@click.option("--against", default="", metavar="P", help="The default to compare with; else --policy as written.")
@click.option("--vary", multiple=True, metavar="NAME=LOW:HIGH[:STEP]", help="A setting and its range (repeatable).")
@click.option(
    "--metric", type=click.Choice(["tokens", "money"]), default="tokens", show_default=True, help="What is to be small."
)
@click.option(
    "--evidence",
    default=0.02,
    show_default=True,
    metavar="SHARE",
    help="Share of borne atoms that may be out of sight.",
)
@click.option("--folds", default=5, show_default=True, metavar="N", help="Parts of the clusters for cross-fitting.")
@click.option("--settings", "count", default=200, show_default=True, metavar="N", help="How many settings to try.")
@format_option
@tokens_option
@click.option("--prices", default="auto", show_default=True, metavar="MODEL",
              help="Whose prices to apply; auto: each request's own model's.")  # fmt: skip
@click.option("--max-bad", type=FROM_0, metavar="N", help="Exit with 1 if more than N records cannot be read.")
@report_dir_option
@json_option
def tune_command(
    paths: tuple[Path, ...],
    policy: str,
    against: str,
    vary: tuple[str, ...],
    metric: Any,
    evidence: float,
    folds: int,
    count: int,
    format_name: str | None,
    tokens: str,
    prices: str,
    max_bad: int | None,
    report_dir: Path,
    as_json: bool,
) -> None:
    """The cheapest settings at a given loss of evidence.

    Tries settings of a policy on recordings, and says how sure the choice is."""
    from harness.show.tune import tune
    from harness.tune.settings import TuneSettings

    settings = TuneSettings(
        tuple(map(str, paths)), policy, vary, metric, evidence, folds, count, format_name, tokens, prices, against
    )
    _gate_bad(tune(settings, report_dir / "tune", emit if as_json else None), max_bad)


@cli.command(name="match")
@paths_argument
@click.option("--to", default="car", show_default=True, metavar="P", help="The policy that sets the price.")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="P",
    help="A policy to be sized (repeatable): head, middle, tail, auto.",
)
@click.option(
    "--beside", multiple=True, metavar="P", help="A policy shown as it is (repeatable); car_read for car, else none."
)
@format_option
@tokens_option
@click.option("--prices", default="auto", show_default=True, metavar="MODEL",
              help="Whose prices to apply; auto: each request's own model's.")  # fmt: skip
@click.option(
    "--jobs", type=FROM_0, default=1, show_default=True, metavar="N", help="Processes of the replay; 0 for one a core."
)
@click.option("--max-bad", type=FROM_0, metavar="N", help="Exit with 1 if more than N records cannot be read.")
@results_option
@report_dir_option
@json_option
def match_command(
    paths: tuple[Path, ...],
    to: str,
    policies: tuple[str, ...],
    beside: tuple[str, ...],
    format_name: str | None,
    tokens: str,
    prices: str,
    jobs: int,
    max_bad: int | None,
    results: Path,
    report_dir: Path,
    as_json: bool,
) -> None:
    """Compare policies at equal input tokens.

    Each gets the size at which it costs what --to costs."""
    from harness.replay.settings import ReplaySettings
    from harness.show.match import run_match
    from harness.tune.match import DEFAULT_POLICIES

    settings = ReplaySettings(tuple(map(str, paths)), (to,), format_name, tokens, prices)
    chosen = policies or DEFAULT_POLICIES
    beside = beside or (("car_read",) if to == "car" else ())
    emitted = emit if as_json else None
    bad = run_match(settings, to, chosen, beside, results, report_dir / "match", jobs or os.cpu_count() or 1, emitted)
    _gate_bad(bad, max_bad)


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
    help="Also the N requests most at risk, as pages with their text.",
)
@secrets_option
@results_option
@report_dir_option
def report(run: str, formats: str, pages: int, show_secrets: bool, results: Path, report_dir: Path) -> None:
    """Write the report of a finished run again.

    RUN is a name, the start of one, a path, or `last`; or the name of the report that `harness run` printed, for all
    that the suite ran."""
    from harness.show.report import written_report

    for path in written_report(results, run, report_dir, formats.split(","), pages, show_secrets):
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
        click.echo(format_report(outcome))
    sys.exit(1 if outcome.failed else 0)


@cli.command(name="list")
@click.argument("what")
@results_option
@json_option
def list_command(what: str, results: Path, as_json: bool) -> None:
    """What there is to choose from.

    WHAT is one of: formats, policies, engines, exporters, tokenizers, prices, caches, tasks, suites, runs."""
    from harness.show.listing import listing, listing_text

    rows = listing(what, results)
    emit(rows) if as_json else click.echo(listing_text(rows))


@cli.command()
@json_option
def doctor(as_json: bool) -> None:
    """What is installed, what is missing, how to get it.

    Exits with 1 if something is broken; what is missing is needed only for what stands beside it."""
    from harness.show.doctor import checks, checks_text

    found = checks()
    emit(found) if as_json else click.echo(checks_text(found))
    sys.exit(1 if any(c["state"] == "broken" for c in found) else 0)


def _gate_bad(bad: int, most: int | None) -> None:
    from harness.text import number

    if most is not None and bad > most:
        click.echo(f"{number(bad, 'record')} could not be read, more than --max-bad {most}", err=True)
        sys.exit(1)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    try:
        sys.exit(cli.main(arguments, prog_name="harness", standalone_mode=False) or 0)
    except HarnessError as error:
        click.echo(f"harness: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo(
            "interrupted; what was finished is kept: replay, bench, loop and redrive go on with --resume last", err=True
        )
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in NOT_OURS:
            traceback.print_exc()
            sys.exit(3)
        place = f"{error.filename}: " if error.filename else ""
        click.echo(
            f"harness: {place}{error.strerror}; what was finished is kept. Make room, or name folders that can be "
            "written with --results and --report-dir",
            err=True,
        )
        sys.exit(2)
    except Exception:  # noqa: BLE001 - the last resort: a bug keeps its traceback and gets its own exit code
        traceback.print_exc()
        sys.exit(3)
