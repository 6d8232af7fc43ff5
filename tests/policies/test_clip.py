"""Head, tail, middle and spill: what stands, what is counted as left out, and what never happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.policies.units import utf8_length
from harness.testing.policies import render

TEXT = st.text(st.one_of(st.sampled_from("ab\n日😀é\u0301\0"), st.characters(exclude_categories=())), max_size=60)
UNITS = st.sampled_from(["bytes", "codepoints", "utf16", "tokens4", "lines"])
FAMILIES = st.sampled_from(["head", "tail", "middle", "middle:ratio=0.2", "middle:rounding=ceil-both", "spill:keep=5"])


def with_settings(family: str, **settings: object) -> str:
    more = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{family}{',' if ':' in family else ':'}{more}"


@pytest.mark.parametrize(
    ("spec", "value", "text", "elided"),
    [
        ("head:bytes=3,marker=…", "abc", "abc", 0),
        ("head:bytes=3,marker=…", "abcd", "abc…", 1),
        ("head:bytes=3,marker=…", "ab", "ab", 0),
        ("head:bytes=3,marker=…,boundary=at", "abc", "abc…", 0),
        ("head:bytes=3,marker=…,boundary=at", "ab", "ab", 0),
        ("head:bytes=0,marker=…", "", "", 0),
        ("head:bytes=0,marker=…", "日", "…", 3),
        ("head:bytes=4,marker=…", "日本", "日…", 3),
        ("tail:bytes=4,marker=…", "日本", "…本", 3),
        ("tail:codepoints=2,marker=…", "a😀b", "…😀b", 1),
        ("tail:utf16=2,marker=…", "a😀b", "…b", 5),
        ("head:utf16=2,marker=…", "a😀b", "a…", 5),
        ("head:tokens4=1,marker=…", "abcd", "abcd", 0),
        ("head:tokens4=1,marker=…", "abcde", "abcd…", 1),
        ("middle:bytes=3,marker=…", "abcd", "a…cd", 1),
        ("middle:bytes=3,marker=…,rounding=ceil", "abcd", "ab…d", 1),
        ("middle:bytes=3,marker=…,rounding=floor-both", "abcd", "a…d", 2),
        ("middle:bytes=3,marker=…,rounding=ceil-both", "abcd", "ab…cd", 0),
        ("middle:codepoints=5,marker=…,ratio=0.2", "0123456789", "0…6789", 5),
        ("middle:codepoints=5,marker=…,ratio=0", "0123456789", "…56789", 5),
        ("middle:codepoints=5,marker=…,ratio=1", "0123456789", "01234…", 5),
        ("middle:lines=2,marker=…\\n", "a\nb\nc\n", "a\n…\\nc\n", 2),
        ("middle:tokens4=1,marker=…", "abcdefgh", "ab…gh", 4),
        ("middle:bytes=10,keep=4,marker=…", "0123456789", "0123456789", 0),
        ("middle:bytes=10,keep=4,marker=…", "0123456789a", "01…9a", 7),
        ("middle:bytes=2,keep=90,marker=…", "abcd", "abcd…", 0),
        ("middle:bytes=inf,marker=…", "abcd", "abcd", 0),
        ("middle:bytes=3,keep=inf,marker=…", "abcd", "abcd…", 0),
        ("spill:bytes=4,keep=2,before={path}:", "01234", "tool-results/call-0.txt:01", 3),
        ("spill:bytes=4,keep=0,before={path}", "01234", "tool-results/call-0.txt", 5),
        ("spill:codepoints=4,keep=4,before=,align=line", "ab\ncd", "ab\nc", 1),
        ("spill:codepoints=4,keep=4,before=,align=line", "abc\ndef", "abc\n", 3),
        ("spill:codepoints=4,keep=4,before=,align=line", "a\nbcdef", "a\nbc", 3),
        ("head:bytes=3,before=<,marker=|,after=>", "abcd", "<abc|>", 1),
        ("head:bytes=4,marker=...,within=text", "abcdef", "a...", 5),
        ("middle:codepoints=6,marker=[{elided}],within=text", "0123456789", "0[7]89", 7),
        ("middle:codepoints=8,marker=[{elided}],within=text", "x" * 30, "xx[26]xx", 26),
    ],
)
def test_what_stands_and_what_is_left_out(spec: str, value: str, text: str, elided: int) -> None:
    view = render(spec, value)
    assert (view.text, view.elided_bytes) == (text, elided)


def test_the_marker_counts_what_it_names() -> None:
    names = (
        "total limit elided excess head tail shown bytes chars tokens4 lines elided_bytes elided_chars elided_lines "
        "head_lines next_line first_tail_line size char_size unit tool id path"
    )
    fields = names.split(" ")
    marker = " ".join(f"{name}={{{name}}}" for name in fields)
    text = render(f'middle:codepoints=8,marker="{marker}"', "a日\nb\nc\nd\ne\nf😀g", tool="grep").text
    assert text == (
        "a日\nb"
        "total=14 limit=8 elided=6 excess=6 head=4 tail=4 shown=4 bytes=19 chars=14 tokens4=5 lines=6 elided_bytes=6 "
        "elided_chars=6 elided_lines=4 head_lines=2 next_line=2 first_tail_line=5 size=19B char_size=0.0 KB "
        "unit=characters tool=grep id=call-0 path=tool-results/call-0.txt"
        "\nf😀g"
    )


def test_braces_in_a_marker_can_stand() -> None:
    assert render('head:bytes=1,marker="{{}}{elided:,}"', "x" * 1235).text == "x{}1,234"


def test_a_field_found_in_a_result_is_not_filled() -> None:
    assert render("head:bytes=9,marker=[{tool}]", "{elided} {tool}", tool="{total}").text == "{elided} [{total}]"


def test_results_below_min_bytes_stay_as_recorded() -> None:
    spec = "head:bytes=1,marker=…,min_bytes=4"
    assert render(spec, "abc") == Rendering("abc")
    assert render(spec, "日") == Rendering("日")
    assert render(spec, "abcd").text == "a…"
    assert render(spec, "日a").text == "…"


def test_exempt_tools_stay_as_recorded() -> None:
    spec = "head:bytes=1,marker=…,exempt=@read+mcp__x__*+odd"
    tools = ("Read", "read_file", "mcp__x__y", "odd", "mcp__z__y", "Bash", "")
    assert [render(spec, "abc", tool=tool).elided_bytes for tool in tools] == [0, 0, 0, 0, 2, 2, 2]
    only = "head:bytes=1,marker=…,only=@shell,exempt=shell"
    assert [render(only, "abc", tool=tool).elided_bytes for tool in ("bash", "shell", "Read")] == [2, 0, 0]


def test_a_clipped_result_whose_whole_is_known_is_cut_anew() -> None:
    whole = "0123456789"
    assert render("head:bytes=4,marker=…", "01[cut]", whole=whole) == Rendering("0123…", 6, "rerun")
    assert render("head:bytes=10,marker=…", "01[cut]", whole=whole) == Rendering(whole)
    assert render("head:bytes=4,marker=…,min_bytes=11", "01[cut]", whole=whole) == Rendering("01[cut]")
    assert render("identity", "01[cut]", whole=whole) == Rendering("01[cut]")


def test_reach_and_page_are_for_what_is_elided() -> None:
    assert render("head:bytes=1,reach=file", "a").reach == "none"
    assert render("head:bytes=1,reach=file", "ab").reach == "file"
    pages = {
        "head:bytes=7": 7,
        "head:bytes=7,page=3": 3,
        "head:tokens4=7": 28,
        "head:bytes=7,reach=none": None,
        "head:bytes=inf": None,
        "spill": 2000,
        "car": None,
    }
    assert {spec: make_policy(spec).page_bytes for spec in pages} == pages


SECOND = 'middle:codepoints=20,marker=<{elided}>,second="middle:codepoints=10,marker=|{elided}|"'


@pytest.mark.parametrize(
    ("length", "text", "elided"),
    [
        (9, "012345678", 0),
        (10, "0123456789", 0),
        (11, "01234|1|6789a", 1),
        (20, "01234|10|fghij", 10),
        (21, "01234|13|ghijk", 11),  # 20 kept, 3 of marker: the second cut takes the marker with it
    ],
)
def test_a_second_stage_cuts_the_first_ones_text(length: int, text: str, elided: int) -> None:
    view = render(SECOND, "0123456789abcdefghijklmnop"[:length])
    assert (view.text, view.elided_bytes) == (text, elided)


def test_a_second_stage_may_cut_a_marker_in_two() -> None:
    view = render('head:codepoints=6,marker=[left out],second="head:codepoints=9,marker=…"', "日本語abcdef")
    assert (view.text, view.elided_bytes) == ("日本語abc[le…", 3)
    view = render('head:codepoints=6,marker=[left out],second="head:codepoints=4,marker=…"', "日本語abcdef")
    assert (view.text, view.elided_bytes) == ("日本語a…", 5)


@given(TEXT, UNITS, FAMILIES, st.integers(0, 30))
def test_elided_is_exact_and_never_rises_with_the_budget(value: str, unit: str, family: str, budget: int) -> None:
    low = render(with_settings(family, **{unit: budget}, before="", marker=""), value)
    high = render(with_settings(family, **{unit: budget + 1}, before="", marker=""), value)
    assert low.elided_bytes == utf8_length(value) - utf8_length(low.text)
    assert 0 <= high.elided_bytes <= low.elided_bytes
    assert (low.reach == "none") == (low.elided_bytes == 0)


@given(TEXT, UNITS, st.integers(0, 30))
def test_what_stands_is_the_two_ends_of_the_value(value: str, unit: str, budget: int) -> None:
    view = render(f"middle:{unit}={budget},marker=⁂", value.replace("⁂", ""))
    head, mark, tail = view.text.partition("⁂")
    assert value.replace("⁂", "").startswith(head)
    assert not mark or value.replace("⁂", "").endswith(tail)


@given(TEXT, st.integers(0, 40), st.integers(0, 40))
def test_a_second_stage_counts_only_the_values_own_bytes(value: str, first: int, second: int) -> None:
    # A marker of a character that the value lacks: what is not the marker in the text is the value's.
    value = value.replace("⁂", "")
    view = render(f'middle:codepoints={first},marker=⁂⁂,second="head:codepoints={second},marker="', value)
    assert view.elided_bytes == utf8_length(value) - utf8_length(view.text.replace("⁂", ""))
