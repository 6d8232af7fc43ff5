"""A command that was ended from without, or that found no room: one sentence, with the command that goes on."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import HarnessError
from harness.runs.directory import command_of, is_finished, list_runs
from harness.text import aside

FULL = frozenset({errno.ENOSPC, errno.EFBIG, errno.EDQUOT})
NOT_OURS = FULL | {
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EIO,
    errno.ENAMETOOLONG,
    errno.ELOOP,
}
"""What the operating system refuses for reasons that the user can mend: full, read-only or forbidden places."""
SAME = "nothing is left to go on with: the same command begins anew"


@contextmanager
def told(place: Path, goes_on: Callable[[], str]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end with 130, a full or forbidden disk with 2. place: where it is written, for errors that do
    not say. goes_on: what is kept, and the command."""
    try:
        yield
    except KeyboardInterrupt:
        aside(f"interrupted; {goes_on()}")
        sys.exit(130)
    except OSError as error:
        if error.errno not in NOT_OURS:
            raise
        raise HarnessError(f"{refused(error, place)}; {goes_on()}") from None


def refused(error: OSError, place: Path | str = "") -> str:
    """What the operating system refused, where, and what to do about it."""
    where = error.filename or place
    what = f"{where}: " if where else ""
    mend = "make room" if error.errno in FULL else "name folders that can be written (--results, --report-dir)"
    return f"{what}{os.strerror(error.errno or 0)}: {mend}"


def resuming(name: str, results: Path, known: frozenset[str]) -> str:
    """What there is to do about a run of a command that was ended. known: the runs that were there before."""
    new = [run for run in list_runs(results) if run.name not in known and command_of(run) == name]
    if len(new) != 1:
        return SAME
    return going_on(name, new[0], results)


def going_on(name: str, run: Path, results: Path) -> str:
    """The command that goes on with a run."""
    if is_finished(run):
        return reporting(run, results)
    return f"what was finished is kept: {_command(name, '--resume', run.name, results=results)}"


def reporting(run: Path, results: Path) -> str:
    """The command that writes the report of a run that is whole."""
    return f"the run is whole: {_command('report', run.name, results=results)}"


def _command(*words: str, results: Path) -> str:
    where = [] if results == Path("results") else ["--results", str(results)]
    return shlex.join(["harness", *words, *where])
