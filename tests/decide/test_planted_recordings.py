"""The whole commands over made-up recordings of which it is known what is better."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import judge
from tests.decide.recordings import PLANTED, corpus, word


@pytest.mark.parametrize(("a", "b", "place", "known"), PLANTED)
def test_decide_says_what_was_planted(tmp_path: Path, a: str, b: str, place: str, known: tuple[str, ...]) -> None:
    assert word(tmp_path, a, b, place) in known


def test_where_everything_is_small_doing_nothing_is_recommended(tmp_path: Path) -> None:
    settings = TuneSettings((corpus(tmp_path / "recordings", "small"),), policy="car")
    assert judge(run_trial(settings)).chosen.policy.label == "identity"
