"""Logs and the output of tests and builds: errors and the last lines first, since that is where they say what came of
it."""

from __future__ import annotations

import re
from itertools import chain

from harness.preview.excerpt import Plan, alternate, ends, heads, in_order, lines_of

AFTER = 2
"""Lines behind an error that belong to it."""
_ERROR = re.compile(
    r"\b(?:ERROR|FATAL|CRITICAL|FAILED|FAILURE|PANIC|Traceback|[Ee]rror|[Ee]xception|[Pp]anic(?:ked)?|FAIL|not ok)\b"
    r"|\b[A-Z]\w{0,60}(?:Error|Exception)\b|^E   "
)
_NONE = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed)\b", re.IGNORECASE)


def plan(text: str) -> Plan:
    """Errors and last lines in turn, then what follows the errors, then the rest, more of the end than of the start."""
    lines = lines_of(text)
    errors = [n for n, line in enumerate(heads(text, lines)) if _ERROR.search(line) and not _NONE.search(line)]
    last = range(len(lines) - 1, max(-1, len(lines) - 1 - max(len(errors), 5)), -1)
    follow = (n for error in errors for n in range(error + 1, min(error + 1 + AFTER, len(lines))))
    order = chain(alternate(last, errors), follow, ends(len(lines), head=1, tail=2))
    return Plan({"errors": len(errors)}, (), in_order(lines, order))
