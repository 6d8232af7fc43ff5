"""What trying 200 settings costs, against one replay: `make bench`, or

    python -m pytest -m benchmark -s tests/benchmarks/test_tune.py

Nothing here passes or fails by time. CPU seconds of this process; both sides start without remembered counts.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import NamedPolicy, make_policy
from harness.replay.measure import measure
from harness.replay.settings import DEFAULT_POLICIES, ReplaySettings
from harness.tokens.counter import TokenCounter
from harness.transcript import Transcript
from harness.tune.sweep import Figures, Terms, prepare, sweep
from tests.benchmarks.recordings import write_corpus
from tests.benchmarks.test_replay import cpu, show

pytestmark = pytest.mark.benchmark


def spaced(low: int, high: int, count: int) -> list[int]:
    return [int(n) for n in np.geomspace(low, high, count)]


SWEEPS = {
    "car": [
        make_policy("car").varied(text_head_bytes=head, text_tail_bytes=tail)
        for head in spaced(100, 8000, 20)
        for tail in spaced(50, 4000, 10)
    ],
    "auto": [make_policy("auto").varied(budget=budget) for budget in spaced(100, 30_000, 200)],
    "head": [make_policy("head").varied(bytes=size) for size in spaced(100, 30_000, 200)],
}


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> list[Transcript]:
    folder = tmp_path_factory.mktemp("tune")
    write_corpus(folder, 8, 60)
    return list(read_transcripts([Path(folder)], Intake()))


def swept(transcripts: list[Transcript], policies: list[NamedPolicy]) -> Figures:
    measures = ReplaySettings(("-",), ("car",)).measures()
    terms = Terms(TokenCounter("o200k_base"), measures.tokens, measures.tariffs)
    return sweep([prepare(t, terms) for t in transcripts], policies, terms)


def replayed(transcripts: list[Transcript], policies: tuple[str, ...]) -> None:
    measures = dataclasses.replace(ReplaySettings(("-",), policies).measures(), counter=TokenCounter("o200k_base"))
    for transcript in transcripts:
        measure(transcript, measures)


@pytest.mark.parametrize("name", SWEEPS)
def test_200_settings_against_one_replay(name: str, transcripts: list[Transcript]) -> None:
    replayed(transcripts[:1], (name,))
    one = cpu(lambda: replayed(transcripts, (name,)))
    default = cpu(lambda: replayed(transcripts, DEFAULT_POLICIES))
    sweep_seconds = cpu(lambda: swept(transcripts, SWEEPS[name]))
    show(
        f"200 settings of {name} against one replay",
        replay_of_that_policy_beside_identity=one,
        replay_as_harness_replay_does_by_default=default,
        sweep_seconds=sweep_seconds,
        by_replay_of_one_policy=sweep_seconds / one,
        by_replay_with_the_default_policies=sweep_seconds / default,
    )
    assert len(SWEEPS[name]) == 200
