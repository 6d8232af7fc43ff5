"""Typed previews: CAR's, NOOA's, deepagents' numbered lines, and the gist that pruning leaves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.policies.nooa import Nooa
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.policies.units import utf8_length
from harness.preview import reference_hint
from harness.preview.typed import REFERENCE_BUDGETS
from harness.testing.policies import render
from harness.transcript import Message, ToolResult, Transcript

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("ab'\"\n日😀", max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("kö", max_size=4), inner, max_size=6),
    max_leaves=20,
)


def test_car_numbers_its_handles_in_the_order_of_arrival() -> None:
    values = ["one", "a small one", "[1, 2]", "four"]
    transcript = Transcript("t", "test", tuple(Message("tool", result=ToolResult(v)) for v in values))
    policy = make_policy("car:min_bytes=5")
    for _ in range(2):  # every run begins at r1
        run = policy.start(transcript)
        views = [run.admit(i, ToolResult(v), None) for i, v in enumerate(values)]
        assert [view.handle for view in views] == [None, "r1", "r2", None]
        assert views[0] == Rendering("one")
        assert views[1] == Rendering(
            'r1 = text(len=11B, lines=1) "a small one"' + reference_hint("r1"), 0, "handle-arg", "r1", REFERENCE_BUDGETS
        )


def test_car_takes_for_json_what_was_recorded_as_json() -> None:
    array = '{"rows": [1, 2, 3], "note": "' + "x" * 200 + '"}'
    assert render("car", array).text.startswith("r1 = text(len=231B, lines=1) ")
    preview = "r1 = json(rows: array(len=3), note: text(len=200B, lines=1), bytes=226)"
    assert render("car", array, is_json=True).text == preview + reference_hint("r1")
    assert render("car:parse=sniff", array).text == preview + reference_hint("r1")
    assert render("car:parse=sniff", " \n" + array).text == preview + reference_hint("r1")
    assert render("car:parse=sniff", array + "}").text.startswith("r1 = text(")
    assert render("car", "no json", is_json=True).text.startswith("r1 = text(")


def test_car_counts_what_its_preview_leaves_out() -> None:
    assert render("car", "x" * 600).elided_bytes == 0
    assert render("car", "x" * 601).elided_bytes == 1
    assert render("car:text_head_bytes=2,text_tail_bytes=2", "日本語").elided_bytes == 9
    view = render("car", "x" * 601)
    assert (view.reach, view.preview) == ("handle-arg", REFERENCE_BUDGETS)


@given(st.text("ab\n日😀", max_size=60), st.integers(0, 20), st.integers(0, 20))
def test_cars_elided_bytes_never_rise_with_a_budget(value: str, head: int, tail: int) -> None:
    spec = "car:text_head_bytes={},text_tail_bytes={}"
    here = render(spec.format(head, tail), value).elided_bytes
    assert 0 <= render(spec.format(head + 1, tail), value).elided_bytes <= here <= utf8_length(value)
    assert render(spec.format(head, tail + 1), value).elided_bytes <= here


@given(JSON, st.integers(0, 4), st.integers(0, 4), st.integers(0, 9))
def test_so_do_those_of_json(value: object, head: int, tail: int, element: int) -> None:
    text = json.dumps(value)
    spec = "car:seq_head={},seq_tail={},element_bytes={}"
    here = render(spec.format(head, tail, element), text, is_json=True).elided_bytes
    for more in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        wider = spec.format(head + more[0], tail + more[1], element + more[2])
        assert 0 <= render(wider, text, is_json=True).elided_bytes <= here <= len(text)


@pytest.mark.parametrize(
    ("value", "shown", "elided"),
    [
        ("short", "'short'", 0),
        ("it's", '"it\'s"', 0),
        ("two\nlines", "'''two\nlines'''", 0),
        ("both ' and \"", "'''both ' and \"'''", 0),
        ("'''\n", '"""\'\'\'\n"""', 0),
        ("'''\"\"\"\n", repr("'''\"\"\"\n"), 0),
        ("0123456789abc", "str(len=13, [:6]='012345', [-6:]='789abc')", 1),
        ([1, None, True, 1.5], "[1, None, True, 1.5]", 0),
        ([1, 2, 3, 4, 5, 6], "list(len=6, [:2]=[1, 2], [-2:]=[5, 6])", 4),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "dict(len=5, items={'a': 1, 'b': 2, ..., 'd': 4, 'e': 5})", 6),
        ([[[1]]], "[[[list: 1 items]]]", 3),
        ({"a": {"b": {"c": 1}}}, "{'a': {'b': {dict: 1 items}}}", 7),
        ([[[]]], "[[[]]]", 0),
        ({}, "{}", 0),
    ],
)
def test_nooa_writes_values_as_python_would(value: object, shown: str, elided: int) -> None:
    view = render("nooa:max_string=12,max_length=4,max_depth=2", json.dumps(value), is_json=True)
    assert (view.text, view.elided_bytes) == (shown, elided)


def test_nooa_breaks_what_does_not_fit_on_a_line() -> None:
    policy = Nooa(max_length=3)
    row = {"name": "x" * 40, "path": "y" * 47, "n": 1}
    assert policy.literal([row], 0, 0) == f"[\n    {{'name': '{'x' * 40}', 'path': '{'y' * 47}', 'n': 1}},\n]"
    assert policy.literal([row] * 4, 0, 0) == (
        "list(len=4,\n    [:2]=[\n"
        + f"        {{'name': '{'x' * 40}', 'path': '{'y' * 47}', 'n': 1}},\n" * 2
        + "    ],\n    [-1:]=[\n"
        + f"        {{'name': '{'x' * 40}', 'path': '{'y' * 47}', 'n': 1}},\n"
        + "    ],\n)"
    )
    wide = {f"key{n}": "z" * 60 for n in range(4)}
    assert policy.literal(wide, 0, 0) == (
        f"dict(len=4, items={{\n    'key0': '{'z' * 60}',\n    'key1': '{'z' * 60}',\n    ...\n"
        f"    'key3': '{'z' * 60}',\n}})"
    )
    line = "a" * 115
    assert policy.literal([line], 0, 0) == f"['{line}']"  # 119 characters
    assert policy.literal([line + "a"], 0, 0) == f"[\n    '{line}a',\n]"


@given(JSON, st.integers(24, 36), st.integers(1, 5), st.integers(1, 4))
def test_nooas_elided_bytes_never_rise_with_a_budget(value: object, string: int, length: int, depth: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    spec = "nooa:max_string={},max_length={},max_depth={}"
    here = render(spec.format(string, length, depth), text, is_json=True).elided_bytes
    assert 0 <= here <= len(text.encode())
    for wider in ((string + 1, length, depth), (string, length + 1, depth), (string, length, depth + 1)):
        assert render(spec.format(*wider), text, is_json=True).elided_bytes <= here


def test_numbered_lines_of_both_ends() -> None:
    spec = "numbered:limit=10,head=1,tail=2,width=3,before=<,marker=({elided}),after=>"
    assert render(spec, "0123456789") == Rendering("0123456789")
    view = render(spec, "a\nbcde\nf\ng\nhijk\n")
    assert view.text == "<1  a(2)4  g\n5  hij>"
    assert view.elided_bytes == len("bcde\nf\nk") + 0
    view = render(spec, "abcdefgh\nij")
    assert (view.text, view.elided_bytes) == ("<1  abc\n2  ij>", 5)


def test_a_gist_is_the_first_line_and_the_places_it_names() -> None:
    value = "first line\nsee src/a.py and https://x.org/y?z and src/a.py and /tmp/b/c\n" + "." * 50
    view = render("gist:limit=20,places=2", value)
    assert view.text == "first line\n[pruned; names src/a.py, https://x.org/y?z]"
    assert view.elided_bytes == len(value) - len("first line") - len("src/a.py") - len("https://x.org/y?z")
    assert render("gist:limit=20,width=5,places=0", value).text == "first\n[pruned]"
    assert render("gist:limit=200", value) == Rendering(value)
