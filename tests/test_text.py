"""What is put on a terminal."""

from __future__ import annotations

import pytest

from harness.text import number, table


def test_a_name_with_line_ends_stays_in_its_row() -> None:
    lines = table([["a\nb\tc\x1b[31m", 1]], ["name", "n"]).split("\n")
    assert len(lines) == 3
    assert "a␊b␉c␛[31m" in lines[2]


@pytest.mark.parametrize(
    ("value", "what", "said"), [(0, "cluster", "0 clusters"), (1, "file", "1 file"), (1260, "run", "1,260 runs")]
)
def test_one_of_a_thing_is_said_in_the_singular(value: int, what: str, said: str) -> None:
    assert number(value, what) == said
