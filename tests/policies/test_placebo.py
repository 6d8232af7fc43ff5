"""The control for chance: as many bytes, somewhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.policies.placebo import GAP, hide, placebo_of, random_place
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.policies.units import utf8_length
from harness.testing.policies import conversation, drive, render
from harness.transcript import ToolResult

DIGITS = "0123456789"


@pytest.mark.parametrize(
    ("place", "text"), [(0.0, f"{GAP}456789"), (0.99, f"012345{GAP}"), (0.5, f"012{GAP}789"), (0.2, f"0{GAP}56789")]
)
def test_one_span_of_as_many_bytes_is_hidden(place: float, text: str) -> None:
    assert hide(ToolResult(DIGITS), Rendering("", 4, "file", "r1"), place) == Rendering(text, 4, "file", "r1")


@given(st.text("ab日😀\ud800", max_size=30), st.integers(0, 100), st.floats(0, 1, exclude_max=True))
def test_a_span_ends_at_characters_and_is_short_by_three_bytes_at_most(value: str, elided: int, place: float) -> None:
    view = hide(ToolResult(value), Rendering("", elided), place)
    wanted = min(elided, utf8_length(value))
    assert wanted - 3 <= view.elided_bytes <= wanted
    if elided:
        head, _, tail = view.text.partition(GAP)
        assert value.startswith(head)
        assert value.endswith(tail)
        assert view.elided_bytes == utf8_length(value) - utf8_length(head + tail)
    else:
        assert view.text == value


def test_places_are_spread_and_depend_on_seed_transcript_and_message() -> None:
    assert random_place(1, "a", 2) == random_place(1, "a", 2)
    assert (
        len({random_place(1, "a", 2), random_place(2, "a", 2), random_place(1, "b", 2), random_place(1, "a", 3)}) == 4
    )
    places = [random_place(seed, "t", index) for seed in range(20) for index in range(50)]
    assert 0.45 < sum(places) / len(places) < 0.55
    assert {int(10 * place) for place in places} == set(range(10))


def test_the_placebo_of_an_admission_policy() -> None:
    spec = "placebo:of='head:bytes=4,marker=',seed={}"
    views = [render(spec.format(seed), DIGITS) for seed in range(30)]
    assert {view.elided_bytes for view in views} == {6}
    assert len({view.text for view in views}) == 5  # all places where a span of six fits
    assert render(spec.format(0), "0123") == Rendering("0123")
    assert make_policy(spec.format(0)).stage == "admission"
    named = placebo_of(make_policy("head:bytes=4,marker=''"), seed=7)
    assert (named.label, render(named.label, DIGITS)) == ('placebo:of="head:bytes=4,marker=\\"\\"",seed=7', views[7])


def test_the_placebo_of_handles_keeps_them() -> None:
    view = render("placebo:of='car:text_head_bytes=2,text_tail_bytes=2'", DIGITS)
    assert (view.handle, view.reach, view.elided_bytes, len(view.text)) == ("r1", "handle-arg", 6, 5)


def test_the_placebo_of_a_history_policy_hides_when_that_policy_does() -> None:
    big = DIGITS * 40
    values = conversation(big, big, big)
    spec = "mask_last_n:n=1,replace='head:bytes=100,marker='"
    real, placebo = drive(spec, values), drive(make_policy({"policy": "placebo", "of": spec, "seed": 3}), values)
    assert make_policy({"policy": "placebo", "of": spec}).stage == "history"
    assert [[v.elided_bytes for v in views.values()] for views in placebo] == [
        [v.elided_bytes for v in views.values()] for views in real
    ]
    assert placebo[-1][3].text != real[-1][3].text
    assert len(placebo[-1][3].text) == 101
