from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.evidence.occurrences import occurrences
from harness.evidence.plain import Plain
from harness.evidence.visibility import Visibility
from harness.preview import SessionValues, render_preview


def seen(value: str, rendered: str, *atoms: str) -> set[str]:
    return set(Visibility(Plain(value), atoms).seen(rendered))


def test_the_value_itself_shows_all() -> None:
    assert seen("a_1000 b_2000", "a_1000 b_2000", "a_1000", "b_2000") == {"a_1000", "b_2000"}


def test_a_cut_through_a_word_does_not_make_another() -> None:
    value = "begin 404 then the code 40417 and more"
    assert seen(value, "begin 404 then", "404") == {"404"}
    assert seen(value, "… then the code 404…", "404") == set()
    assert seen(value, "… then the code 404", "404") == set()
    assert seen("the code 40417 and 404 more", "the code 404", "404") == set()
    assert seen("17404 and 404 more", "404 and", "404") == set()
    assert seen(value, "… then the code 404\n[truncated]", "404") == set()
    value = "code 17404 and then 404 ends"
    assert seen(value, "[cut]\n404 and then", "404") == set()
    assert seen(value, "[cut]\n404 ends", "404") == {"404"}


def test_a_word_that_ends_at_the_cut_is_whole() -> None:
    assert seen("see ORD-99812 there", "see ORD-99812…", "ORD-99812") == {"ORD-99812"}
    assert seen("see ORD-99812 there", "see ORD-99812", "ORD-99812") == {"ORD-99812"}


@pytest.mark.parametrize(
    "text", ['say "id_4711" to café_17', "tab\tid_4711\nnext café_17 \\ end", "\x1b[31mid_4711\x1b[0m café_17"]
)
def test_escapes_of_previews_are_undone(text: str) -> None:
    atoms = ("id_4711", "café_17")
    assert seen(text, render_preview("r1", text), *atoms) == set(atoms)
    assert seen(text, repr(text), *atoms) == set(atoms)
    assert seen(text, json.dumps({"output": text}), *atoms) == set(atoms)
    assert seen(json.dumps([text]), render_preview("r1", [text]), *atoms) == set(atoms)


def test_a_preview_shows_its_head_and_tail_only() -> None:
    value = {"rows": [{"id": f"row_{n:04}", "name": f"name_{n:04}"} for n in range(50)]}
    SessionValues().put(value)
    text = json.dumps(value["rows"])
    shown = seen(text, render_preview("r1", value["rows"]), *(f"row_{n:04}" for n in range(50)))
    assert shown == {"row_0000", "row_0001", "row_0002", "row_0048", "row_0049"}


def test_case_and_word_bounds_count_in_renderings_too() -> None:
    assert seen("parseHeader x", "ParseHeader x", "parseHeader") == set()
    assert seen("404 x", "14049 x", "404") == set()


def test_answers_are_remembered_per_text() -> None:
    held = Visibility(Plain("a_1000 b_2000"), ["a_1000", "b_2000"])
    assert held.seen("a_1000…") is held.seen("a_1000" + "…")
    assert held.is_whole("a_1000 b_2000")
    assert not held.is_whole("b_2000")


def test_many_atoms_are_found_as_few_are() -> None:
    atoms = [f"row_{n:04}" for n in range(100)] + ["a/b_c.py", "404"]
    value = " ".join(atoms)
    rendered = "row_0007, row_00081 (row_0099) xa/b_c.py 14049 " + "a/b_c.py"
    expected = {"row_0007", "row_0099", "a/b_c.py"}
    assert seen(value, rendered, *atoms) == expected
    assert {atom for atom in atoms if seen(value, rendered, atom)} == expected


ATOMS = ("404", "4041", "ab_404", "src/a_b.py", "a_b.py", "src/a_b.pyc", "id_1")
WORDS = st.lists(
    st.one_of(st.sampled_from(ATOMS), st.sampled_from(["word", "x", "é", "the", "long_filler"])),
    min_size=1,
    max_size=14,
)


@settings(max_examples=100, deadline=None)
@given(WORDS, st.lists(st.sampled_from([" ", "\n", ", ", " is "]), min_size=14, max_size=14), st.data())
def test_cuts_show_what_stands_whole_in_what_they_keep(words: list[str], gaps: list[str], data: st.DataObject) -> None:
    """Against the places of the atoms in the value and the ranges that are kept."""
    value = "".join(word + gap for word, gap in zip(words, gaps, strict=False))
    head = data.draw(st.integers(0, len(value)))
    tail = data.draw(st.integers(head, len(value)))
    rendered = f"{value[:head]}\n[... {tail - head} left out ...]\n{value[tail:]}"
    atoms = [atom for atom in ATOMS if next(occurrences(atom, value), -1) >= 0]
    expected = {atom for atom in atoms if any(at + len(atom) <= head or at >= tail for at in occurrences(atom, value))}
    found = seen(value, rendered, *atoms)
    assert expected <= found
    assert found <= expected | _ambiguous(value, head, tail)


def _ambiguous(value: str, head: int, tail: int) -> set[str]:
    """Atoms that a cut through a longer word leaves, too near to an end of the text to be told from themselves."""
    left = {atom for atom in ATOMS if value[:head].endswith(atom) and head - len(atom) < 5}
    return left | {atom for atom in ATOMS if value[tail:].startswith(atom) and len(value) - tail - len(atom) < 5}
