from __future__ import annotations

import pytest

from harness.evidence.spanless import spanless_uses
from tests.evidence.planted import answer, calls


@pytest.mark.parametrize(
    "text",
    ["There are 3 files in it.", "I found twelve matching orders.", "It has 14 rows", "(2 warnings)"],
)
def test_counts(text: str) -> None:
    assert "count" in spanless_uses(answer(text), False)


@pytest.mark.parametrize(
    "text",
    [
        "No errors in the log.",
        "All 12 tests passed.",
        "The file doesn't contain it.",
        "It is not\nused anywhere",
        "Nothing to do.",
        "both are identical",
        "There were no further warnings.",
    ],
)
def test_verdicts(text: str) -> None:
    assert "verdict" in spanless_uses(answer(text), False)


@pytest.mark.parametrize(
    "text", ["The id is ORD-99812.", "Version 3.2 works", "piano errors", "knowing is so", "at 10:30 days", ""]
)
def test_plain_answers_are_not_flagged(text: str) -> None:
    assert spanless_uses(answer(text), False) == ()


def test_sums_are_numbers_from_nowhere() -> None:
    assert spanless_uses(answer("You pay $1,386."), True) == ("sum",)


def test_tools_are_flagged_by_the_table() -> None:
    assert spanless_uses(calls({"expression": "1+1"}, name="calculate"), True) == ("tool",)
    assert spanless_uses(calls({"path": "a"}, name="Read", text="No errors."), True) == ()
