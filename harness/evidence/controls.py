"""What chance would do: a placebo that hides as much at random places, and matches with results of unrelated work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from harness.evidence.background import Background
from harness.evidence.borne import find_borne
from harness.evidence.states import EvidenceRun
from harness.policies.rendering import Rendering
from harness.transcript import Transcript

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SEEDS = 20


@dataclass(frozen=True, slots=True)
class Placebo:
    """Per seed, over one transcript: atoms that stay visible, and requests with one that does not; arrays (seeds,)."""

    visible: Ints
    at_risk: Ints


class Chance:
    """What is left of the evidence when each result loses, in one piece at a random place, as many bytes as a policy
    elides.

    The places are drawn from the seed, the transcript's id and the message, so they are the same under all policies.
    """

    def __init__(self, run: EvidenceRun, seeds: int = SEEDS) -> None:
        self.borne = run.borne
        self.seeds = seeds
        self._draws: dict[int, Floats] = {}
        self._spans: dict[tuple[int, str], Ints] = {}
        self._intact: dict[tuple[int, str, int], Bools] = {}

    def placebo(self, views_at: Callable[[int], Mapping[int, Rendering]]) -> Placebo:
        """views_at: the renderings at a request (from 0). An atom stays visible if one of its places in one of its
        results is whole."""
        visible, at_risk = np.zeros(self.seeds, np.int64), np.zeros(self.seeds, np.int64)
        for k, request in enumerate(self.borne.requests):
            if not request.borne:
                continue
            views = views_at(k)
            cut = []
            for atom in request.borne:
                elided = [(source, views[source].elided_bytes) for source in atom.sources]
                if all(n > 0 for _, n in elided):
                    cut.append(np.any([self._seen(source, atom.text, n) for source, n in elided], axis=0))
            visible += len(request.borne) - len(cut)
            if cut:
                seen = np.stack(cut)
                visible += seen.sum(axis=0)
                at_risk += ~seen.all(axis=0)
        return Placebo(visible, at_risk)

    def _seen(self, source: int, atom: str, elided: int) -> Bools:
        """Per seed, whether a place of the atom is outside of what is hidden."""
        key = source, atom, elided
        if key not in self._intact:
            if source not in self._draws:
                draws = [draw(seed, self.borne.transcript.id, source) for seed in range(self.seeds)]
                self._draws[source] = np.array(draws)
            if (source, atom) not in self._spans:
                self._spans[source, atom] = np.array(self.borne.byte_spans(source, atom), np.int64).reshape(-1, 2)
            room = max(self.borne.value_bytes(source) - elided, 0)
            start = (self._draws[source] * (room + 1)).astype(np.int64)
            spans = self._spans[source, atom]
            whole = (spans[:, 1, None] <= start) | (spans[:, 0, None] >= start + elided)
            self._intact[key] = np.asarray(whole.any(axis=0), np.bool_)
        return self._intact[key]


def placebo(run: EvidenceRun, views_at: Callable[[int], Mapping[int, Rendering]], seeds: int = SEEDS) -> Placebo:
    """The placebo of one policy; for several policies over one transcript keep the `Chance`."""
    return Chance(run, seeds).placebo(views_at)


def draw(seed: int, transcript: str, source: int) -> float:
    """A number from 0 up to 1, from a hash, so that it depends on nothing but what is given."""
    digest = hashlib.blake2b(f"{seed}\0{source}\0{transcript}".encode("utf-8", "surrogatepass"), digest_size=7).digest()
    return int.from_bytes(digest, "big") / (1 << 56)


def transplant(transcript: Transcript, other: Transcript) -> Transcript:
    """The transcript with the values of another one's results in place of its own, in order, from the start again at
    the end.

    `other` must have results."""
    foreign = [result for i in other.results() if (result := other.messages[i].result) is not None]
    messages = list(transcript.messages)
    for n, i in enumerate(transcript.results()):
        result, taken = messages[i].result, foreign[n % len(foreign)]
        assert result is not None
        given = replace(result, content=taken.content, whole=taken.whole, is_json=taken.is_json)
        messages[i] = replace(messages[i], result=given)
    return replace(transcript, messages=tuple(messages))


@dataclass(frozen=True, slots=True)
class FalseMatch:
    """Matches of actions with results of unrelated transcripts, as a share of own matches.

    own: atoms that the sampled transcripts bear. false: atoms that they would bear with unrelated results, as a mean
    over partners. clusters: with own matches. share: false / own, `None` where no own match or no unrelated
    transcript exists (not identified). low, high: 95 % percentile bootstrap over clusters, `None` under
    `MIN_CLUSTERS`.
    """

    own: int
    false: float
    transcripts: int
    clusters: int
    share: float | None
    low: float | None
    high: float | None


MIN_CLUSTERS = 8
RESAMPLES = 9999


def false_match(
    transcripts: Sequence[Transcript], sample: int = 60, partners: int = 2, common: Background | None = None
) -> FalseMatch:
    """Match a sample of transcripts with `partners` unrelated ones each. Which, depends on their ids alone.

    Unrelated are transcripts of different clusters (where a transcript has none, it is its own), neither of which
    started the other.
    """
    able = sorted((t for t in transcripts if t.results() and t.requests()), key=lambda t: draw(0, t.id, 0))
    own: dict[str, int] = {}
    false: dict[str, float] = {}
    matched = 0
    for transcript in able[:sample]:
        others = list(_unrelated(transcript, able, partners))
        if not others:
            continue
        matched += 1
        cluster = transcript.cluster or transcript.id
        own[cluster] = own.get(cluster, 0) + _borne(transcript, common)
        chance = sum(_borne(transplant(transcript, other), common) for other in others) / len(others)
        false[cluster] = false.get(cluster, 0.0) + chance
    bearing = [cluster for cluster in own if own[cluster] or false[cluster]]
    total, chance = sum(own.values()), sum(false.values())
    low, high = _interval([own[c] for c in bearing], [false[c] for c in bearing]) if total else (None, None)
    return FalseMatch(total, chance, matched, len(bearing), chance / total if total else None, low, high)


def _unrelated(transcript: Transcript, able: list[Transcript], partners: int) -> Iterator[Transcript]:
    start = able.index(transcript)
    taken: set[str] = {transcript.cluster or transcript.id}
    for n in range(1, len(able)):
        other = able[(start + n) % len(able)]
        cluster = other.cluster or other.id
        if cluster not in taken and other.parent != transcript.id and transcript.parent != other.id:
            taken.add(cluster)
            yield other
            if len(taken) > partners:
                return


def _borne(transcript: Transcript, common: Background | None) -> int:
    return sum(len(request.borne) for request in find_borne(transcript, common).requests)


def _interval(own: list[int], false: list[float]) -> tuple[float | None, float | None]:
    if len(own) < MIN_CLUSTERS:
        return None, None
    from scipy.stats import bootstrap

    def share(matches: Floats, chance: Floats, axis: int = -1) -> Floats:
        return np.asarray(chance.sum(axis=axis) / np.maximum(matches.sum(axis=axis), 1), float)

    found = bootstrap(
        (np.array(own, float), np.array(false, float)),
        share,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(0),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
