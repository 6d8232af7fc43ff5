"""The previews that quote: what each kind shows first, and what holds for all of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.preview import reference_hint
from harness.preview.excerpt import OVERHEAD, SPARED, ends, round_robin
from harness.preview.text import utf8_length
from harness.preview.variants import VARIANTS, excerpts, variant_of

SOURCE = "\n".join(
    [f"{n}\t{line}" for n, line in enumerate(["import os", *["x = 1"] * 60, "def late(a, b):", *["    y = 2"] * 60], 1)]
)
GREP = "\n".join([f"src/a.py:{n}: hit {n}" for n in range(80)] + ["src/z.py:7: the only one", "--", "src/z.py-8- near"])
TABLE = "id,name,price,on\n" + "\n".join(f"{n},row {n},{n}.5,2026-01-{n % 28 + 1:02}" for n in range(200))
LOG = "\n".join(f"10:00:{n % 60:02} INFO step {n}" for n in range(90)) + "\nthe last word"
LOG = LOG.replace("INFO step 44", "ERROR step 44 broke: boom")
DIFF = (
    "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,90 +1,91 @@ def f():\n"
    + " same\n" * 90
    + "+new line\n-old line\n"
)
JSON = json.dumps({"items": [{"id": n, "tags": ["a"], "name": "n" * 9} for n in range(90)], "total": 90, "next": None})
LISTING = "total 9\n" + "\n".join(f"-rw-r--r-- 1 me me {n} Jan 1 10:00 f{n}.txt" for n in range(60))
LISTING += "\ndrwxr-xr-x 2 me"
PATHS = "\n".join([f"src/big/f{n}.py" for n in range(90)] + ["src/small/only.py"])
TEXT = "\n".join(f"sentence number {n} of a longer text" for n in range(90))
SAMPLES = {
    "source": SOURCE, "grep": GREP, "table": TABLE, "log": LOG, "diff": DIFF, "json": JSON, "listing": LISTING,
    "paths": PATHS, "text": TEXT,
}  # fmt: skip
TELLING = {
    "source": ("source(len=", "definitions=1", "62\tdef late(a, b):", "1\timport os"),
    "grep": ("hits=82, files=2", "src/a.py: 80; src/z.py: 1", "src/z.py:7: the only one"),
    "table": ("columns=4", "id int; name text; price float; on date", "199,row 199"),
    "log": ("errors=1", "ERROR step 44 broke: boom", "the last word"),
    "diff": ("files=1", "x.py +1 -1", "@@ -1,90 +1,91 @@ def f():", "+new line", "-old line"),
    "json": ("{items: [90 x {id: int, tags: [1 x text], name: text}], total: int, next: null}", '{"items": [{"id": 0'),
    "listing": ("entries=61", "files: 60; folders: 1", "f0.txt"),
    "paths": ("folders=2", "src/big: 90; src/small: 1", "src/small/only.py"),
    "text": ("sentence number 0 ", "sentence number 89 "),
}


@pytest.mark.parametrize("kind", VARIANTS)
def test_what_tells_most_is_shown(kind: str) -> None:
    assert variant_of(SAMPLES[kind], is_json=kind == "json") == kind
    shown = excerpts(kind, SAMPLES[kind]).render("r1", 400).text
    assert shown.startswith(f"r1 = {kind}(len=")
    for part in TELLING[kind]:
        assert (part.replace("hits=82", "hits=81") in shown) or part in shown, (part, shown)


def test_test_output_is_a_log() -> None:
    assert variant_of("collected 3 items\n\n==== FAILURES ====\n some words\nand others\n") == "log"
    assert variant_of("just\nsome words\nand others\n") == "text"


@pytest.mark.parametrize("kind", VARIANTS)
def test_budgets_bound_it_and_nothing_that_was_shown_goes_when_they_grow(kind: str) -> None:
    for text in SAMPLES.values():
        measured = excerpts(kind, text)
        before = len(text) + 1
        for budget in range(0, len(text) + 40, 113):
            shown = measured.render("r1", budget)
            if measured.is_whole(budget):
                assert shown == (text, 0)
            else:
                assert utf8_length(shown.text) + utf8_length(reference_hint("r1")) <= budget + OVERHEAD
                assert shown.elided_bytes > 0
            assert shown.elided_bytes <= before
            before = shown.elided_bytes
        assert before == 0


@pytest.mark.parametrize("kind", VARIANTS)
def test_elided_bytes_are_what_no_excerpt_quotes(kind: str) -> None:
    text = SAMPLES[kind]
    for budget in (0, 100, 333):
        shown = excerpts(kind, text).render("r12", budget)
        quoted = shown.text.split("\n", 1)[1]
        summary = excerpts(kind, text)._summary
        if summary and budget >= 3:
            quoted = quoted.split("\n", 1)[1]
        left, at = 0, 0
        for piece in quoted.split("…"):
            piece = piece.removeprefix("\n") if at else piece
            for line in piece.split("\n"):
                found = text.find(line, at)
                assert found >= 0, line
                left += len(line)
                at = found + len(line)
        assert abs(len(text) - left - shown.elided_bytes) <= quoted.count("\n") + 2


@pytest.mark.parametrize("kind", VARIANTS)
def test_equal_amounts_are_equal_previews(kind: str) -> None:
    measured = excerpts(kind, SAMPLES[kind])
    seen: dict[object, str] = {}
    for budget in range(0, 900, 11):
        text = measured.render("r1", budget).text
        assert seen.setdefault(measured.amount(budget), text) == text
    assert len(seen) > 20


STRANGE = (
    "", "\0", "\ud800" * 5_000, "\n" * 4_000, "日本語" * 4_000, "x" * 90_000, "a:1:" * 4_000, "[" * 4_000,
    ",|;\t" * 4_000, "\r" * 4_000,
    '{"a":' * 900, "diff --git a/" * 900, "\n\nx,y\n" * 900, " \t" * 4_000, "Error " * 4_000,
    "\n".join(f"f{n}/x" for n in range(4_000)), "\u2028\x85" * 4_000,
)  # fmt: skip


@pytest.mark.parametrize("kind", VARIANTS)
def test_nothing_breaks_it(kind: str) -> None:
    for text in STRANGE:
        measured = excerpts(kind, text)
        for budget in (0, 3, 500):
            shown = measured.render("r1", budget)
            size = len(text.encode("utf-8", "surrogatepass"))
            assert (shown.elided_bytes == 0) == (size <= budget + SPARED)
            assert 0 <= shown.elided_bytes <= size
            assert len(shown.text.encode("utf-8")) <= budget + OVERHEAD


@settings(max_examples=60, deadline=None)
@given(kind=st.sampled_from(list(VARIANTS)), text=st.text(max_size=600), budget=st.integers(0, 500))
def test_any_text(kind: str, text: str, budget: int) -> None:
    text += "\n" + text[::-1]
    shown = excerpts(kind, text).render("r1", budget)
    more = excerpts(kind, text).render("r1", budget + 1)
    assert more.elided_bytes <= shown.elided_bytes
    assert shown == excerpts(kind, text).render("r1", budget)


def test_orders() -> None:
    assert list(ends(7)) == [0, 1, 6, 2, 3, 5, 4]
    assert list(ends(0)) == []
    assert sorted(ends(10, head=1, tail=2)) == list(range(10))
    assert list(round_robin([[1, 2, 3], [4], [5, 6]])) == [1, 4, 5, 2, 6, 3]
