from __future__ import annotations

import pytest

from harness.evidence.occurrences import occurrences, stands_in


@pytest.mark.parametrize("text", ["404", "(404)", "error 404.", "code=404,", "x: 404 y", "文404件", "a/404/b"])
def test_a_number_between_marks_is_found(text: str) -> None:
    assert stands_in("404", text)


@pytest.mark.parametrize("text", ["14049", "a404", "404b", "_404", "404_", "1,404", "404.5", "3.404", "404,123", ""])
def test_a_number_in_a_longer_one_is_not(text: str) -> None:
    assert not stands_in("404", text)


def test_names_end_where_words_end() -> None:
    assert stands_in("config.py", "src/config.py:12")
    assert not stands_in("config.py", "src/my_config.py")
    assert not stands_in("config.py", "config.pyc")
    assert not stands_in("Config.py", "config.py")
    assert list(occurrences("ab_1", "ab_1 ab_12 xab_1 ab_1")) == [0, 17]


@pytest.mark.parametrize("mark", ["→", "\t", "|", ":"])
def test_numbers_of_lines_are_layout(mark: str) -> None:
    page = "\n".join(f"{n:>6}{mark}some code" for n in range(398, 410))
    assert not stands_in("404", page)
    assert not stands_in("398", page)
    assert not stands_in("409", page)
    assert stands_in("404", page + "\nreturn 404")


def test_a_place_that_overlaps_a_longer_word_is_found() -> None:
    assert list(occurrences("ab ab", "xab ab ab")) == [4]
    assert list(occurrences("ab_1", "ab_1 ab_1", 1)) == [5]
    assert list(occurrences("ab_1", "ab_1 ab_1", 0, 8)) == [0]


def test_numbers_of_grep_are_not() -> None:
    assert stands_in("404", "src/app.py:404:    raise\nsrc/app.py:405:    raise")
    assert stands_in("404", "12:import os\n404:def f():\n977:def g():")


def test_a_number_alone_on_its_line_is_content() -> None:
    assert stands_in("404", "403\n404\n405")
