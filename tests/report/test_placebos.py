from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from harness.replay.sections.grid import Grid
from harness.replay.sections.placebos import ATOMS, REQUESTS, against_chance

POLICIES = ["identity", "blind", "skilful", "lucky"]
MANY = 60


def made(blind: float, skilful: float, lucky: float, spread: float) -> Grid:
    """Transcripts of ten requests with dependencies, of which chance shows five; the policies show so many more."""
    rng = np.random.default_rng(0)
    rows = []
    for n in range(MANY):
        for policy, more in zip(POLICIES, (5.0, blind, skilful, lucky), strict=True):
            moved = 0.0 if policy == "identity" else spread * rng.normal()
            rows.append(
                {
                    "transcript": f"t{n:02}",
                    "policy": policy,
                    "cluster": f"task {n}",
                    "bearing_requests": 10,
                    "borne": 20,
                    "at_risk_requests": 5 - more + moved,
                    "visible": 10 + 2 * more,
                    "placebo_at_risk": 5.0,
                    "placebo_visible": 10.0,
                    "windows_at_risk": 5.0 + 0.1 * moved,
                    "windows_visible": 10.0,
                }
            )
    frame = pd.DataFrame(rows)
    return Grid([f"t{n:02}" for n in range(MANY)], POLICIES, frame[frame.policy == "identity"], frame)


def clusters() -> list[str]:
    return [f"task {n}" for n in range(MANY)]


def test_words_follow_from_the_interval() -> None:
    found = against_chance(made(-2.0, 2.0, 0.0, spread=0.3), clusters())
    words = {a.policy: a.word for a in found if a.placebo == "a random cut" and a.of == REQUESTS}
    assert words == {"blind": "less", "skilful": "more", "lucky": "no more"}
    noisy = against_chance(made(0.0, 0.2, 0.0, spread=5.0), clusters())
    assert {a.word for a in noisy if a.placebo == "a random cut" and a.of == REQUESTS} == {"not shown"}


def test_points_are_the_difference_of_the_shares_over_the_whole() -> None:
    found = against_chance(made(-2.0, 2.0, 0.0, spread=0.0), clusters())
    assert len(found) == 3 * 2 * 2
    for a in found:
        assert a.difference.value == pytest.approx(a.visible - a.chance)
        assert a.chance == pytest.approx(0.5)
    (skilful,) = (a for a in found if a.policy == "skilful" and a.placebo == "random windows" and a.of == ATOMS)
    assert (skilful.visible, skilful.skill) == (pytest.approx(0.7), pytest.approx(0.4))


def test_too_few_clusters_show_nothing() -> None:
    one = against_chance(made(-2.0, 2.0, 0.0, spread=0.3), ["one"] * MANY)
    assert {a.word for a in one if a.of == REQUESTS and a.placebo == "a random cut"} == {"not shown"}
