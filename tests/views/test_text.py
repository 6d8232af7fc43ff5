"""What is put on a terminal."""

from __future__ import annotations

from harness.views.text import table


def test_a_name_with_line_ends_stays_in_its_row() -> None:
    lines = table([["a\nb\tc\x1b[31m", 1]], ["name", "n"]).split("\n")
    assert len(lines) == 3
    assert "a␊b␉c␛[31m" in lines[2]
