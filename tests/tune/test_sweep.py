"""A sweep gives, setting by setting, what a replay gives."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import make_policy
from harness.preview import Budgets, preview_pieces
from harness.replay.measure import measure
from harness.replay.settings import ReplaySettings
from harness.tokens.counter import TokenCounter
from harness.transcript import Transcript
from harness.tune.sweep import Terms, count_pieces, prepare, sweep
from tests.conftest import ROOT

SAMPLES = ROOT / "tasks" / "transcripts" / "openai-chat"
POLICIES = {
    "car": [
        "car:text_head_bytes=50",
        "car",
        "car:text_tail_bytes=900,seq_head=1",
        "car:min_bytes=900",
        "car:parse=sniff",
    ],
    "car_read": ["car_read", "car_read:text_head_bytes=20", "car_read:min_bytes=300"],
    "auto": ["auto:budget=60", "auto", "auto:log=200,text=90", "auto:min_bytes=500", "preview:kind=log,budget=100"],
    "head": ["head:bytes=100", "head:bytes=300", "head:lines=3"],
    "history": ["mask_last_n:n=1", "mask_last_n:n=3"],
    "mixed": ["identity", "car", "nooa", "middle:bytes=200"],
}


@pytest.fixture(scope="module")
def transcripts() -> list[Transcript]:
    return sorted(read_transcripts([Path(SAMPLES)], Intake()), key=lambda t: len(t.messages))[:2]


@pytest.mark.parametrize("name", POLICIES)
def test_as_a_replay_measures(name: str, transcripts: list[Transcript]) -> None:
    measures = ReplaySettings(("-",), ("identity", *POLICIES[name]), prices="gpt-5.4").measures()
    terms = Terms(measures.counter, measures.tokens, measures.tariffs)
    policies = [make_policy(p) for p in POLICIES[name]]
    figures = sweep([prepare(t, terms) for t in transcripts], policies, terms)
    assert figures.tokens.shape == (len(policies), len(transcripts))
    for t, transcript in enumerate(transcripts):
        rows = measure(transcript, measures)
        bears = np.array(rows.shared["requests"]["borne"]) > 0
        for s, policy in enumerate(policies):
            found = rows.policies[policy.label]
            totals = {key: values[0] for key, values in found["transcripts"].items()}
            assert figures.tokens[s, t] == totals["input_tokens"]
            assert figures.usd[s, t] == pytest.approx(totals["cost_warm"])
            assert figures.visible[s, t] == totals["visible"]
            assert figures.whole[s, t] == bears.sum() - np.array(found["requests"]["at_risk"]).sum()
    assert len(set(figures.tokens.sum(axis=1).tolist())) > 1


@settings(deadline=None)
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@given(st.text(min_size=1, max_size=300), st.integers(0, 90), st.integers(0, 90))
def test_tokens_are_additive_over_the_pieces_of_a_preview(encoding: str, text: str, head: int, tail: int) -> None:
    pieces = preview_pieces("r12", text, Budgets(text_head_bytes=head, text_tail_bytes=tail))
    counter = counters(encoding)
    assert sum(map(counter.count, pieces)) == counter.count("".join(pieces))
    assert count_pieces([pieces, ("x",), pieces[:1]], counter).tolist() == [
        counter.count("".join(pieces)),
        counter.count("x"),
        counter.count(pieces[0]),
    ]


@cache
def counters(encoding: str) -> TokenCounter:
    return TokenCounter(encoding)
