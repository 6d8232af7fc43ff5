"""Plots: what is left out where a run has nothing to draw, and labels that do not meet."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.sections.part import Replay
from harness.replay.sections.plots import sizes
from harness.replay.sections.plots.evidence import spread
from harness.replay.sections.plots.sizes import byte_limits
from harness.report.plots.drawing import drawn
from harness.report.plots.style import inline_svg, label, lay_out
from tests.report.synthetic import make_run


def test_a_run_without_evidence_and_prices_has_no_such_plots() -> None:
    report = Replay(make_run(12))
    assert [d.plot.name for d in drawn(report)] == ["savings", "growth", "sizes"]
    assert drawn(report) is drawn(report)


def test_limits_are_named_in_bytes(report: Replay) -> None:
    assert byte_limits(report) == [(500.0, ["head:bytes=500"]), (2000.0, ["middle:bytes=2000"])]


def test_limits_far_below_and_above_every_result_have_room(report: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name outside the axes would leave the plot no room."""
    limits = [(0.0, ["head:bytes=0"]), (3.0, ["head:bytes=3"]), (1e9, ["head:bytes=1000000000"])]
    monkeypatch.setattr(sizes, "byte_limits", lambda _: limits)
    figure = sizes.draw(report)
    assert figure is not None
    lay_out(figure)
    low, high = figure.axes[0].get_xlim()
    assert low < 3
    assert high > 1e9


def test_inline_plots_take_their_colour_from_the_page(report: Replay) -> None:
    for one in drawn(report):
        element = inline_svg(one.svg, one.plot.name)
        assert element.startswith("<svg")
        assert "currentColor" in element
        assert "#111111" not in element
        assert "<!--" not in element


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20).map(sorted))
def test_labels_are_moved_apart_and_stay_in_order_inside_the_plot(heights: list[float]) -> None:
    places = spread(heights, 1 / 20)
    assert all(b - a >= 1 / 20 - 1e-9 for a, b in itertools.pairwise(places))
    assert places[0] >= -1e-9
    assert places[-1] <= 1 + 1e-9


def test_labels_that_are_apart_stay_where_they_are() -> None:
    assert spread([0.1, 0.5, 0.9], 0.1) == pytest.approx([0.1, 0.5, 0.9])


def test_labels_are_harmless() -> None:
    assert label("a\x1b[31m\u202eb\nc") == "a␛[31m\\u{202e}b c"
    assert len(label("x" * 1000)) == 44
