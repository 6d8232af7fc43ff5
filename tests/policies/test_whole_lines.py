"""Whole lines up to two limits, against the rule as PI and OpenCode state it, one line at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.testing.policies import render

TEXT = st.text(st.sampled_from("ab\n\n日😀"), max_size=30)
MARKERS = (
    'lines_marker="\n({first}-{last} of {lines}, {removed} lines, next {next})",'
    'bytes_marker="\n({first}-{last} of {lines}, {removed} bytes, next {next})",'
    'part_marker="\n(a part of {last}: {kept} of {line_size})"'
)


def size(text: str) -> int:
    return len(text.encode())


def by_the_rule(value: str, most_lines: int, most_bytes: int, side: str, part: bool) -> str:
    """Take lines from one end while both limits hold; a line feed counts with every line but the first taken."""
    lines = value.split("\n")
    if len(lines) <= most_lines and size(value) <= most_bytes:
        return value
    kept: list[str] = []
    used = 0
    why = "lines"
    for line in lines if side == "head" else reversed(lines):
        if len(kept) == most_lines:
            break
        cost = size(line) + (1 if kept else 0)
        if used + cost > most_bytes:
            why = "bytes"
            break
        kept.append(line)
        used += cost
    if part and not kept:
        end = lines[-1].encode()[-most_bytes:].decode(errors="ignore")
        return f"{end}\n(a part of {len(lines)}: {size(end)}B of {size(lines[-1])}B)"
    kept = kept if side == "head" else kept[::-1]
    first = 1 if side == "head" else len(lines) - len(kept) + 1
    text = "\n".join(kept)
    removed = f"{len(lines) - len(kept)} lines" if why == "lines" else f"{size(value) - size(text)} bytes"
    last = first + len(kept) - 1
    return f"{text}\n({first}-{last} of {len(lines)}, {removed}, next {last + 1})"


@given(TEXT, st.integers(1, 6), st.integers(1, 20), st.sampled_from(["head", "tail"]), st.booleans())
def test_the_rule(value: str, lines: int, size_: int, side: str, part: bool) -> None:
    part = part and side == "tail"
    spec = f"whole_lines:side={side},lines={lines},bytes={size_},part={'end' if part else 'none'},{MARKERS}"
    view = render(spec, value)
    assert view.text == by_the_rule(value, lines, size_, side, part)
    kept = view.text.rpartition("\n(")[0] if view.reach != "none" else value
    assert view.elided_bytes == size(value) - size(kept)


@pytest.mark.parametrize(
    ("lines", "size_", "text"),
    [
        (3, 99, "a\nb\nc"),
        (2, 99, "a\nb|lines"),
        (3, 5, "a\nb\nc"),
        (3, 4, "a\nb|bytes"),
        (3, 3, "a\nb|bytes"),
        (3, 2, "a|bytes"),
        (1, 1, "a|lines"),
    ],
)
def test_at_the_limits(lines: int, size_: int, text: str) -> None:
    spec = f"whole_lines:lines={lines},bytes={size_},lines_marker=|lines,bytes_marker=|bytes"
    assert render(spec, "a\nb\nc").text == text


def test_a_first_line_over_the_limit_leaves_nothing() -> None:
    view = render("whole_lines:bytes=4,bytes_marker=|", "12345\n6")
    assert (view.text, view.elided_bytes) == ("|", 7)
    view = render("whole_lines:side=tail,bytes=4,bytes_marker=|,part_marker=/", "1\n23456")
    assert (view.text, view.elided_bytes) == ("|", 7)
    view = render("whole_lines:side=tail,part=end,bytes=4,bytes_marker=|,part_marker=/", "1\n2日3")
    assert (view.text, view.elided_bytes) == ("日3/", 3)


@given(TEXT, st.integers(1, 6), st.integers(1, 20), st.sampled_from(["head", "tail"]))
def test_elided_never_rises_with_either_limit(value: str, lines: int, size_: int, side: str) -> None:
    spec = "whole_lines:side={},lines={},bytes={}"
    here = render(spec.format(side, lines, size_), value).elided_bytes
    assert render(spec.format(side, lines + 1, size_), value).elided_bytes <= here
    assert render(spec.format(side, lines, size_ + 1), value).elided_bytes <= here
