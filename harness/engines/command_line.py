"""A command that a user names: its words, and what of it can be told apart from another build."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from harness.engines.turn import sha256_of
from harness.errors import HarnessError


def words_of(run: str) -> list[str]:
    """The words of a command line, split as a shell splits it, without a shell."""
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise HarnessError(f"run={run!r} cannot be split into words ({error}); mind the quotes") from error
    if not words:
        raise HarnessError("run is empty: give the command that answers")
    return words


def hashes_of(words: Sequence[str]) -> dict[str, str]:
    """SHA-256 of the program and of every file that the command names: a script is what runs, not only its
    interpreter. packages: of the names and versions installed beside it, where it stands in a Python environment."""
    program = shutil.which(words[0])
    hashes = {"program": sha256_of(Path(program))} if program else {}
    hashes |= {word: sha256_of(Path(word)) for word in words[1:] if os.path.isfile(word)}
    places = Path(program).parent.parent.glob("lib/python3*/site-packages/*.dist-info") if program else ()
    installed = sorted(place.name for place in places)
    if installed:
        hashes["packages"] = hashlib.sha256("\n".join(installed).encode()).hexdigest()
    return hashes
