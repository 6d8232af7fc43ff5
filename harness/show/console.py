"""A terminal or a pipe whose encoding lacks a character gets another for it, instead of a traceback.

Windows consoles and pipes often have code page 1252: no arrow, no Japanese. Signs of the program's own have a plain
form; what comes from a recording or a file name stands as its number, `\\u30c6`.
"""

from __future__ import annotations

import codecs
import io
import sys

PLAIN = {
    "→": "->",
    "←": "<-",
    "…": "...",
    "⋯": "...",
    "≥": ">=",
    "≤": "<=",
    "−": "-",
    "–": "-",
    "×": "x",
    "²": "2",
    "Δ": "d",
}
NAME = "harness-plain"


def plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for the characters that could not be encoded (an error handler of `codecs`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(PLAIN.get(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in missing), error.end


def print_anything() -> None:
    """Let standard output and standard error take every text."""
    codecs.register_error(NAME, plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=NAME)
