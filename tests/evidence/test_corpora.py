"""The measure on real recordings: in the right country, and not taken in by chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.controls import false_match
from harness.formats.corpus import Intake, find_sources, read_source
from harness.policies.rendering import Rendering
from harness.transcript import Transcript
from tests.evidence.planted import views


def read(corpora: Path, *names: str) -> list[Transcript]:
    intake = Intake()
    sources = find_sources([corpora / name for name in names], intake)
    return [transcript for source in sources for transcript in read_source(source, intake)]


@pytest.mark.parametrize(
    ("name", "requests", "bearing", "atoms"),
    [
        ("claude-code/ccl-sample", 105, 9, 84),
        ("claude-code/codemie-session-196820da.jsonl", 47, 18, 106),
        ("codex", 66, 37, 69),
    ],
)
def test_figures_of_the_first_look(corpora: Path, name: str, requests: int, bearing: int, atoms: int) -> None:
    (transcript,) = read(corpora, name)
    run = EvidenceRun(find_borne(transcript))
    states = run.count_all(views(transcript, "identity"))
    assert len(states) == requests
    assert not any(s.at_risk for s in states)
    assert bearing / 2 < sum(s.bears for s in states) < bearing * 2
    assert atoms / 2 < sum(s.short.borne for s in states) < atoms * 2


@pytest.mark.parametrize(
    ("name", "policy", "visible"),
    [
        ("claude-code/ccl-sample", "head:bytes=2000", 0.54),
        ("claude-code/ccl-sample", "middle:bytes=10000", 0.99),
        ("claude-code/ccl-sample", "car:min_bytes=600", 0.18),
        ("codex", "head:bytes=200", 0.68),
        ("codex", "head:bytes=2000", 0.91),
        ("codex", "car:min_bytes=600", 0.80),
    ],
)
def test_shares_of_the_first_look(corpora: Path, name: str, policy: str, visible: float) -> None:
    (transcript,) = read(corpora, name)
    states = EvidenceRun(find_borne(transcript)).count_all(views(transcript, policy))
    share = sum(s.short.visible for s in states) / sum(s.short.borne for s in states)
    assert share == pytest.approx(visible, abs=0.08)


def test_chance_matches_are_few(corpora: Path) -> None:
    corpus = read(corpora, "claude-code", "codex", "mini-swe-agent", "swe-agent")
    found = false_match(corpus, sample=12)
    assert found.own > 100
    assert found.share is not None
    assert found.share < 0.1


def test_states_add_up_and_placebo_views_are_complete(corpora: Path) -> None:
    for transcript in read(corpora, "mini-swe-agent", "swe-agent"):
        run = EvidenceRun(find_borne(transcript))
        nothing = {i: Rendering("", 1, "file") for i in transcript.results()}
        for request, states in zip(run.borne.requests, run.count_all(nothing), strict=True):
            assert states.every.borne == states.every.reachable == len(request.borne)
            assert {source for atom in request.borne for source in atom.sources} <= run.borne.texts.keys()
