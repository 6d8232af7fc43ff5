"""What makes the figures of two runs comparable: the rule by which atoms are found, as a record for the manifest."""

from __future__ import annotations

from harness.evidence.atoms import LONG, MAX_QUOTED, MIN_CHARACTERS, MIN_DIGITS
from harness.evidence.background import background
from harness.evidence.index import RUN_WORDS
from harness.evidence.runs import RUN_BYTES

VERSION = 1
"""Raised whenever code changes what is found in the same transcript with the same constants."""


def rule_record() -> dict[str, object]:
    """The rule's version and constants, and the version and hash of the background."""
    common = background()
    return {
        "version": VERSION,
        "min_characters": MIN_CHARACTERS,
        "min_digits": MIN_DIGITS,
        "long": LONG,
        "max_quoted": MAX_QUOTED,
        "run_words": RUN_WORDS,
        "run_bytes": RUN_BYTES,
        "background": {"version": common.version, "sha256": common.sha256},
    }
