"""The exact sweep: its evidence is a replay's at every byte, its costs near, its choice no dearer than another."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import make_policy
from harness.replay.settings import ReplaySettings
from harness.tune.axes import free_axes, gate_alone, varied_axes
from harness.tune.choose import Ground
from harness.tune.field import Axis, Field, thin
from harness.tune.offsets import Offsets, Sweep, offsets
from harness.tune.shapes import HUGE, Point, Shape, plain_cuts, shape_of
from harness.tune.sweep import Prepared, Terms, prepare, sweep
from harness.tune.vary import parse_all
from tests.conftest import ROOT

SAMPLES = ROOT / "tasks" / "transcripts" / "openai-chat"
SHAPES = ["car", "car:parse=sniff", "car_read", "head:bytes=900", "tail:bytes=900", "middle:bytes=900,ratio=0.3"]


@pytest.fixture(scope="module")
def terms() -> Terms:
    measures = ReplaySettings(("-",), prices="gpt-5.4").measures()
    return Terms(measures.counter, measures.tokens, measures.tariffs)


@pytest.fixture(scope="module")
def corpus(terms: Terms) -> list[Prepared]:
    read = sorted(read_transcripts([Path(SAMPLES)], Intake()), key=lambda t: len(t.messages))[:6]
    return [prepare(t, terms) for t in read]


@pytest.fixture(scope="module")
def known(corpus: list[Prepared]) -> Offsets:
    return offsets(corpus)


def shape(label: str) -> Shape:
    found = shape_of(make_policy(label))
    assert found is not None
    return found


def points(of: Shape, known: Offsets) -> list[Point]:
    """Ends just at, before and behind bytes at which evidence changes, under several gates."""
    rng = np.random.default_rng(1)
    heads = [0, *(int(n) + d for n in rng.choice(known.critical("head"), 3) for d in (-1, 0, 1))]
    tails = [0, *(int(n) + d for n in rng.choice(known.critical("tail"), 2) for d in (-1, 0, 1))]
    if of.is_split:
        pairs = [of.split(n) for n in heads + tails]
    else:
        pairs = list(product(heads if "head" in of.names else [0], tails if "tail" in of.names else [0]))
    return [(h, t, g) for h, t in pairs for g in (0, int(known.size[len(known.size) // 2]) + 1)]


@pytest.mark.parametrize("label", SHAPES)
def test_evidence_is_a_replays_and_costs_are_near(
    label: str, corpus: list[Prepared], known: Offsets, terms: Terms
) -> None:
    swept = Sweep(shape(label), known, corpus, terms)
    tried = points(swept.shape, known)
    tokens, visible, whole = swept.at(tried)
    rendered = sweep(corpus, [swept.shape.at(p) for p in tried], terms)
    assert np.array_equal(visible, rendered.visible)
    assert np.array_equal(whole, rendered.whole)
    assert np.abs(tokens.sum(axis=1) / rendered.tokens.sum(axis=1) - 1).max() < 0.005
    assert len(set(whole.sum(axis=1).tolist())) > 2


@pytest.mark.parametrize("label", ["car", "tail:bytes=900"])
def test_a_line_is_its_points(label: str, corpus: list[Prepared], known: Offsets, terms: Terms) -> None:
    swept = Sweep(shape(label), known, corpus, terms)
    head, tail = (300, 120) if label == "car" else (0, 120)
    line = [(head, tail, int(gate)) for gate in swept.gates]
    tokens, visible, whole = swept.at(line)
    for one, other in zip((tokens, swept.cost(line), visible, whole), swept.line(head, tail), strict=True):
        assert np.allclose(one, other)


def test_everything_fits_at_the_largest_and_nothing_is_worse_than_identity(
    corpus: list[Prepared], known: Offsets, terms: Terms
) -> None:
    swept = Sweep(shape("head:bytes=900"), known, corpus, terms)
    tokens, _, whole = swept.at([(HUGE, 0, 0), (0, 0, HUGE)])
    assert np.allclose(tokens, known.identity)
    assert np.array_equal(whole[0], [p.bearing for p in corpus])


@pytest.mark.parametrize("label", ["car", "head:bytes=900", "middle:bytes=900"])
def test_no_setting_of_a_grid_is_cheaper_at_equal_evidence(
    label: str, corpus: list[Prepared], known: Offsets, terms: Terms
) -> None:
    swept = Sweep(shape(label), known, corpus, terms)
    field = Field("tuned", swept, free_axes(swept.shape, int(known.size.max())), money=False)
    ground = Ground(
        [p.transcript.id for p in corpus], np.array([p.bearing for p in corpus], float), np.ones(len(corpus), bool)
    )
    sizes = [0, 60, 200, 450, 900, 1800, 4000]
    ends = [swept.shape.split(n) for n in sizes] if swept.shape.is_split else product(sizes, sizes)
    tried = [(h, 0 if label.startswith("head") else t, g) for h, t in ends for g in (0, 500, 1000, 3000)]
    tokens, _, whole = swept.at(tried)
    value = ground.evidence(whole)[0]
    for floor in (0.6, 0.8, 0.95):
        point = field.settle(ground, floor)
        assert point is not None
        own = field.cost[field.number(point)].sum()
        others = tokens.sum(axis=1)[value >= floor]
        assert not len(others) or own <= others.min()


def test_axes_are_what_is_asked_for() -> None:
    car = shape("car:text_tail_bytes=77")
    asked = varied_axes(car, parse_all(("text_head_bytes=100:3000:100",), car.policy), 9000)
    assert asked is not None
    assert asked["head"].values == tuple(range(100, 3001, 100))
    assert asked["tail"] == Axis(77, 77, (77,))
    assert varied_axes(car, parse_all(("seq_head=0:3",), car.policy), 9000) is None
    assert varied_axes(car, [], 9000) == {name: Axis(0, 9001) for name in ("head", "tail", "gate")}
    assert gate_alone(car, 9000)["head"] == Axis(400, 400, (400,))
    head = shape("head:bytes=900")
    found = varied_axes(head, parse_all(("bytes=100:8k",), head.policy), 5000)
    assert found is not None
    assert (found["head"].low, found["head"].high, found["tail"].high) == (100, 5001, 0)


def test_which_policies_are_swept() -> None:
    assert [s.policy.label for s in plain_cuts()] == ["head:bytes=2000", "middle:bytes=2000", "tail:bytes=2000"]
    for label in ("auto", "head:lines=3", "mask_last_n", "spill", "identity", "head:bytes=9,keep=3"):
        assert shape_of(make_policy(label)) is None
    assert shape("middle:bytes=900,ratio=0.3").own == (270, 630, 0)
    assert shape("car:min_bytes=inf").own[2] == HUGE


def test_thinning_keeps_both_ends() -> None:
    assert thin(range(10), 20) == list(range(10))
    assert thin(range(101), 5) == [0, 25, 50, 75, 100]
