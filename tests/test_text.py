"""What is put on a terminal."""

from __future__ import annotations

import pytest

from harness.text import number, one_line


def test_a_name_with_line_ends_stays_in_its_line() -> None:
    assert one_line("a\nb\tc\x1b[31m") == "a␊b␉c␛[31m"


@pytest.mark.parametrize(
    ("value", "what", "said"), [(0, "cluster", "0 clusters"), (1, "file", "1 file"), (1260, "run", "1,260 runs")]
)
def test_one_of_a_thing_is_said_in_the_singular(value: int, what: str, said: str) -> None:
    assert number(value, what) == said
