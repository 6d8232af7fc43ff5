"""The table of docs/statistics.md is what its script gives: a few draws of some cells against what is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scipy.stats import binomtest

from tests.benchmarks.coverage import SIZES, cell

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
DRAWS = 60


def printed(kind: str, size: int) -> tuple[float, float]:
    """How often there is an interval, and how often it covers, as the page has it."""
    (line,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {kind} |")]
    found = re.match(r"([\d.]+), ([\d.]+) \(", line.split("|")[2 + SIZES.index(size)].strip())
    assert found is not None
    return float(found[1]), float(found[2])


@pytest.mark.parametrize(("kind", "size"), [("even", 40), ("heavy-tailed", 40), ("one giant", 15), ("one giant", 40)])
def test_the_page_s_coverage_comes_out_of_its_script(kind: str, size: int) -> None:
    share, covers = printed(kind, size)
    found = cell(kind, size, DRAWS)
    count = round(float(found["printed"]) * DRAWS)
    assert binomtest(count, DRAWS, share).pvalue > 0.001
    assert count > 0
    assert binomtest(round(float(found["covers"]) * count), count, covers).pvalue > 0.001
