"""The verdict: planted corpora of which the answer is known, and the rule case by case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from harness.decide.curves import Gap, Weighting
from harness.decide.verdict import Cost, Source, verdict
from tests.decide.planted import PATH, draw, word

DRAWS = 6


@pytest.mark.parametrize(
    ("planted", "known"),
    [("A better", "A"), ("B better", "B"), ("alike", "equal"), ("crossing", "depends"), ("equal", "not shown")],
)
def test_planted(planted: str, known: str) -> None:
    """Of sixty clusters nearly every draw gives the word; where families differ request by request but not in the mean,
    no more is said than the corpus shows."""
    found = Counter(word(draw(np.random.default_rng(n), 60, planted)) for n in range(DRAWS))
    assert found[known] >= DRAWS - 1  # type: ignore[index]
    assert not ({"A", "B"} - {known}) & found.keys() or found[known] >= DRAWS - 1  # type: ignore[index]


def test_a_family_against_itself_is_equal_exactly() -> None:
    pair = draw(np.random.default_rng(1), 20, "equal")
    same = type(pair)(pair.ground, pair.a, pair.a)
    assert word(same) == "equal"
    assert same.gap("bill", 2).value == pytest.approx(0)
    assert same.sideways("bill", 2)[0] == pytest.approx(1)
    assert same.sideways("typical", 2)[0] == pytest.approx(1)


def test_few_clusters_show_nothing() -> None:
    pair = draw(np.random.default_rng(1), 8, "A better")
    assert word(pair) == "not shown"
    assert pair.gap("bill", 2).interval is None
    assert "8 clusters with dependencies" in pair.gap("bill", 2).why


def test_the_rivals_budget_costs_as_much() -> None:
    """B is A at half the budget of each step, so it needs the next step for the same tokens."""
    pair = draw(np.random.default_rng(2), 30, "A better")
    gap = pair.gap("bill", 3)
    assert gap.budget == pytest.approx(3)
    shifted = type(pair)(pair.ground, pair.a, type(pair.b)(pair.b.cost[:, 1:], pair.b.hidden[:, 1:]))
    assert shifted.gap("bill", 3).budget == pytest.approx(2)
    assert shifted.gap("bill", 3).value == pytest.approx(gap.value)
    assert shifted.gap("bill", 0).value is None
    assert shifted.gap("bill", 0).why == "B has no budget that costs so little"


def gap(weighting: Weighting, value: float, half: float | None = 0.01) -> Gap:
    interval = None if half is None else (value - half, value + half)
    return Gap(weighting, value, interval, "" if interval else "few", 0.8, 0.8 - value, 2.0, 40)


def both(bill: float, usual: float, half: float | None = 0.01) -> dict[Weighting, Gap]:
    return {"bill": gap("bill", bill, half), "typical": gap("typical", usual)}


def judged(
    tokens: Mapping[Weighting, Gap],
    low: Mapping[Weighting, Gap] | None = None,
    high: Mapping[Weighting, Gap] | None = None,
    sources: list[Source] | None = None,
    crossing: tuple[float, float] | None = None,
) -> tuple[str, str]:
    gaps: dict[Cost, Mapping[Weighting, Gap]] = {
        "tokens": tokens, "with calls, low": low or tokens, "with calls, high": high or tokens,
    }  # fmt: skip
    return verdict(gaps, 0.02, crossing, sources or [], PATH)


def test_the_rule() -> None:
    assert judged(both(0.1, 0.05))[0] == "A"
    assert judged(both(-0.1, -0.05))[0] == "B"
    assert judged(both(0.1, 0.05, None))[0] == "A"
    assert judged(both(0.005, -0.005))[0] == "equal"
    assert judged(both(0.1, -0.05)) == ("not shown", "the bill and typical disagree in sign")
    assert judged(both(0.03, 0.03, 0.05)) == ("not shown", "an interval holds 0 and reaches beyond the margin")
    assert judged(both(0.1, 0.05), crossing=(300.0, 3000.0)) == (
        "depends",
        "the gap turns between 300 and 3,000 of a's size",
    )


def test_calls_can_break_a_verdict_but_not_make_one() -> None:
    opposite, open_ = both(-0.1, -0.1), both(0.01, 0.01, 0.2)
    assert judged(both(0.1, 0.05), low=opposite) == ("not shown", "what calls may cost turns the answer")
    assert judged(both(0.1, 0.05), low=open_) == ("A", "the bill and typical agree; with calls it is open")
    assert judged(both(0.01, 0.01, 0.2), low=both(0.1, 0.1), high=both(0.1, 0.1))[0] == "not shown"
    assert judged(both(0.005, 0.005), high=both(0.1, 0.1)) == ("not shown", "what calls may cost turns the answer")


def test_a_source_that_reverses_breaks_a_verdict() -> None:
    large, small = (Source("s", 9, 9, share, both(-0.05, 0.1)) for share in (0.2, 0.01))
    assert judged(both(0.1, 0.05), sources=[large]) == ("not shown", "of the sources s reverses beyond the margin")
    assert judged(both(0.1, 0.05), sources=[small])[0] == "A"
