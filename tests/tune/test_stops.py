"""The stops of the budget slider are what a replay of their policies says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.evidence.states import STATES
from harness.formats.corpus import Intake, read_transcripts
from harness.replay.measure import measure
from harness.replay.settings import ReplaySettings
from harness.transcript import Transcript
from harness.tune.settings import TuneSettings
from harness.tune.trial import Trial
from harness.tune.tune import run_trial
from tests.conftest import ROOT
from tests.tune.test_tune import write_recording

SAMPLES = sorted((ROOT / "tasks" / "transcripts" / "openai-chat").iterdir(), key=lambda path: path.stat().st_size)[:3]


@pytest.fixture(scope="module", params=["car", "middle:bytes=500", "car_read:parse=sniff"])
def tuned(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Trial, list[Transcript]]:
    folder = tmp_path_factory.mktemp("stops")
    for number in range(3):
        write_recording(folder, number, f"project-{number % 2}")
    paths = (str(folder), *map(str, SAMPLES))
    trial = run_trial(TuneSettings(paths, policy=request.param, prices="gpt-5.4"))
    return trial, list(read_transcripts([Path(p) for p in paths], Intake()))


def replayed(transcripts: list[Transcript], label: str) -> tuple[dict[str, float], dict[tuple[str, int], int]]:
    """Totals of the ordinary replay, and of each request how much is not visible."""
    measures = ReplaySettings(("-",), ("identity", label), prices="gpt-5.4").measures()
    totals: dict[str, float] = {}
    hidden: dict[tuple[str, int], int] = {}
    for transcript in transcripts:
        rows = measure(transcript, measures)
        own, requests = rows.policies[label]["transcripts"], rows.policies[label]["requests"]
        borne = rows.shared["requests"]["borne"]
        found = {key: float(own[key][0]) for key in ("input_tokens", "cost_warm", "visible")}
        found |= {key: sum(requests[key]) for key in ("reachable", "reachable_unknown", "held", "lost")}
        found["whole"] = sum(n > 0 for n in borne) - sum(map(int, requests["at_risk"]))
        for key, value in found.items():
            totals[key] = totals.get(key, 0) + value
        for k, (n, seen) in enumerate(zip(borne, requests["visible"], strict=True), 1):
            if n > seen:
                hidden[transcript.id, k] = n - seen
    return totals, hidden


def test_a_stop_is_what_a_replay_says(tuned: tuple[Trial, list[Transcript]]) -> None:
    trial, transcripts = tuned
    needs = pd.DataFrame(trial.needs)
    for row in trial.stops[:: len(trial.stops) // 40]:
        totals, hidden = replayed(transcripts, row["policy"])
        assert row["tokens"] == totals["input_tokens"], row["policy"]
        assert row["usd"] == pytest.approx(totals["cost_warm"])
        assert row["visible"] == totals["visible"]
        assert row["whole"] == totals["whole"]
        states = dict(zip(STATES[1:], ("reachable", "reachable_unknown", "held", "lost"), strict=True))
        assert {n: row[n] for n in states} == {n: totals[key] for n, key in states.items()}
        assert hidden_by(needs, row) == hidden


def hidden_by(needs: pd.DataFrame, row: dict[str, Any]) -> dict[tuple[str, int], int]:
    """The same of a stop, from what each dependency needs."""
    own = needs[needs["ladder"] == row["ladder"]]
    kept = row["head"] + row["tail"]
    seen = (
        (own["head"] <= row["head"])
        | (own["tail"] <= row["tail"])
        | (own["fits"] <= kept)
        | (own["size"] < row["gate"])
    )
    some = seen.groupby([own["transcript"], own["request"], own["dependency"]]).any()
    return {key: int(n) for key, n in (~some).groupby(level=[0, 1]).sum().items() if n}


def test_the_ladders_hold_the_own_and_the_recommended_setting(tuned: tuple[Trial, list[Transcript]]) -> None:
    trial, _ = tuned
    stops = pd.DataFrame(trial.stops)
    labels = set(stops["policy"])
    assert set(trial.found["roles"].values()) <= labels
    assert trial.policy.label in labels
    assert stops.groupby("ladder")["role"].first().tolist()[0] == "tuned"
    assert stops["tokens"].min() < trial.figures.tokens[0].sum()
    identity = int(trial.figures.tokens[0].sum())
    assert (stops.groupby("ladder").last()["tokens"] == identity).all()


def test_of_a_setting_that_is_shown_typical_and_bound_are_those_of_the_choice(
    tuned: tuple[Trial, list[Transcript]],
) -> None:
    from harness.tune.verdict import judge

    trial, _ = tuned
    points = {p.policy.label: p for p in judge(trial).points}
    rows = {row["policy"]: row for row in trial.stops}
    both = points.keys() & rows.keys()
    assert len(both) > 2
    for label in both:
        point, row = points[label], rows[label]
        assert row["tokens_typical"] == pytest.approx(point.against.typical)
        assert point.seen is not None
        assert row["whole_typical"] == pytest.approx(point.seen.typical.value)
        assert row["bound"] == point.bound
