from __future__ import annotations

import pytest

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.controls import SEEDS
from harness.evidence.plain import plain
from harness.evidence.windows import Windows, kept_windows
from harness.policies.rendering import Rendering
from tests.evidence.planted import answer, calls, result, transcript, views, with_atom
from tests.evidence.test_controls import many

VALUE = "\n".join(f"line {n} of a text in which no two lines are alike" for n in range(100))


@pytest.mark.parametrize(
    ("policy", "windows"),
    [
        ("identity", 1),
        ("head:bytes=500", 1),
        ("tail:bytes=500", 1),
        ("middle:bytes=500", 2),
        ("spill:bytes=1000,keep=300", 1),
        ("car", 2),
    ],
)
def test_windows_that_a_policy_keeps(policy: str, windows: int) -> None:
    (view,) = views(transcript(calls("a"), result(VALUE)), policy).values()
    assert kept_windows(plain(VALUE), plain(view.text)) == windows


def test_a_text_of_which_nothing_stands_in_the_value_is_one() -> None:
    assert kept_windows(VALUE, "r1 = json(keys=[alpha, beta, gamma]) and nothing more of it") == 1


def test_nothing_hidden_all_seen() -> None:
    run = EvidenceRun(find_borne(many(10, 1000)))
    found = Windows(run).placebo(lambda _: views(run.borne.transcript, "identity"))
    assert (found.visible.tolist(), found.at_risk.tolist()) == ([10] * SEEDS, [0] * SEEDS)


def test_one_kept_window_is_seen_as_geometry_says() -> None:
    """A window of 300 of 1,000 bytes starts at 0 to 700; it holds bytes 500 to 508 if it starts at 209 to 500."""
    run = EvidenceRun(find_borne(many(200, 1000)))
    found = Windows(run).placebo(lambda _: {i: Rendering("", 700) for i in run.borne.transcript.results()})
    assert found.visible.mean() == pytest.approx(200 * 292 / 701, rel=0.06)
    again = Windows(run).placebo(lambda _: {i: Rendering("", 700) for i in run.borne.transcript.results()})
    assert found.visible.tolist() == again.visible.tolist()


def test_for_whole_results_others_of_as_many_bytes_are_hidden() -> None:
    run = EvidenceRun(find_borne(many(10, 1000)))
    shown = run.borne.transcript.results()
    half = {i: Rendering("masked", 1000) if n < 5 else Rendering("whole") for n, i in enumerate(shown)}
    found = Windows(run).placebo(lambda _: half)
    assert found.visible.tolist() == [5] * SEEDS
    assert found.at_risk.tolist() == [1] * SEEDS


def test_one_of_several_results_is_enough() -> None:
    held = with_atom("ORD-99812", 500, 1000)
    run = EvidenceRun(find_borne(transcript(calls("a"), result(held), calls("b"), result(held), answer("ORD-99812"))))
    found = Windows(run).placebo(lambda _: {1: Rendering("masked", 1000), 3: Rendering("masked too", 0)})
    assert found.visible.tolist() == [1] * SEEDS
