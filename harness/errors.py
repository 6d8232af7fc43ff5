"""The one error type for expected failures."""

from __future__ import annotations


class HarnessError(Exception):
    """A user's mistake, or input that cannot be used.

    The message is one sentence that names the place and what to do next; the command line prints it without a
    traceback and exits with 2. Everything else that is raised is a bug and keeps its traceback.
    """
