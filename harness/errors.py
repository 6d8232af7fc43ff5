"""The one error type for expected failures, and the nearest of what was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HarnessError(Exception):
    """A user's mistake, or input that cannot be used.

    The message is one sentence that names the place and what to do next; the command line prints it without a
    traceback and exits with 2. Everything else that is raised is a bug and keeps its traceback.
    """


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, or nothing where no known name is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
