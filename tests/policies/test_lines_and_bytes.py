"""Lines of both ends within a number of bytes, against the rule as Codex stated it in late 2025."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.testing.policies import render

SPEC = (
    'lines_and_bytes:lines={},bytes={},before="({{total}})",lines_marker="[{{elided}} of {{total}}]",'
    'bytes_marker="[{{limit}} bytes]"'
)


def by_the_rule(value: str, most_lines: int, most_bytes: int) -> str:
    data = value.encode()
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    if len(data) <= most_bytes and len(lines) <= most_lines:
        return value
    first = most_lines // 2
    head = lines[:first]
    tail = lines[len(head) :][-(most_lines - first) :] if most_lines - first else []
    omitted = len(lines) - len(head) - len(tail)
    marker = (f"[{omitted} of {len(lines)}]" if omitted else f"[{most_bytes} bytes]").encode()
    room = max(0, most_bytes - len(marker))
    start = b"".join(head)[: min(most_bytes // 2, room)].decode(errors="ignore").encode()
    room -= len(start)
    end = b"".join(tail)
    end = end[len(end) - room :] if room < len(end) else end
    while end and end[0] & 0xC0 == 0x80:
        end = end[1:]
    return f"({len(lines)})" + (start + marker + end).decode()


@given(st.text(st.sampled_from("abc\n\n日😀"), max_size=40), st.integers(0, 8), st.integers(0, 40))
def test_the_rule(value: str, lines: int, size: int) -> None:
    view = render(SPEC.format(lines, size), value)
    assert view.text == by_the_rule(value, lines, size)


@pytest.mark.parametrize(
    ("lines", "text", "elided"),
    [(4, "1\n2\n3\n4\n", 0), (3, "(4)1\n[1 of 4]3\n4\n", 2), (2, "(4)1\n[2 of 4]4\n", 4), (1, "(4)[3 of 4]4\n", 6)],
)
def test_at_the_limit_of_lines(lines: int, text: str, elided: int) -> None:
    view = render(SPEC.format(lines, 99), "1\n2\n3\n4\n")
    assert (view.text, view.elided_bytes) == (text, elided)


def test_the_marker_is_within_the_limit_of_bytes() -> None:
    assert render(SPEC.format(99, 20), "x" * 20).text == "x" * 20
    view = render(SPEC.format(99, 20), "x" * 21)
    assert (view.text, view.elided_bytes) == ("(1)" + "x" * 10 + "[20 bytes]", 11)
