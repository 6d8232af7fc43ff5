"""Previews beside the reference's, one file a kind of content.

    excerpts("log", text).render("r3", 800).text

Each has a function `plan(text)` that says what stands in the summary and which parts of the text are shown first
(`harness.preview.excerpt`). None of them reads more of a line than its beginning, and none of them can fail: what does
not look as expected is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from harness.preview.content import LOOK_AT, content_kind
from harness.preview.excerpt import Excerpts, Plan, repaired

VARIANTS: dict[str, str] = {
    "source": "harness.preview.variants.source:plan",
    "grep": "harness.preview.variants.grep:plan",
    "table": "harness.preview.variants.table:plan",
    "log": "harness.preview.variants.log:plan",
    "diff": "harness.preview.variants.diff:plan",
    "json": "harness.preview.variants.json_schema:plan",
    "listing": "harness.preview.variants.listing:plan",
    "paths": "harness.preview.variants.paths:plan",
    "text": "harness.preview.variants.text:plan",
}

_TEST_OUTPUT = re.compile(
    r"^(?:=+ .{1,80} =+$|E   |Traceback \(most recent|FAILED |--- FAIL|not ok |test result: |npm ERR!)",
    re.MULTILINE,
)


def variant_of(text: str, is_json: bool = False) -> str:
    """Which variant suits a value, told from its content; test output counts as a log."""
    kind = content_kind(text, is_json)
    if kind in VARIANTS and kind != "text":
        return kind
    return "log" if _TEST_OUTPUT.search(text[:LOOK_AT]) or _TEST_OUTPUT.search(text[-LOOK_AT:]) else "text"


def excerpts(kind: str, text: str) -> Excerpts:
    """A value measured for a variant, a name in `VARIANTS`."""
    module, _, name = VARIANTS[kind].partition(":")
    plan: Callable[[str], Plan] = getattr(import_module(module), name)
    text = repaired(text)
    return Excerpts(kind, text, plan(text))
