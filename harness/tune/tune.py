"""`harness tune`: settings tried on a corpus, the front, a recommendation, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import NamedPolicy, make_policy
from harness.replay.settings import ReplaySettings
from harness.transcript import cluster_of
from harness.tune.choose import Floats, mean_share
from harness.tune.search import FINE, Values, grid, per_setting, search
from harness.tune.settings import Metric, TuneSettings
from harness.tune.sweep import Figures, Prepared, Terms, prepare, sweep
from harness.tune.vary import Vary, default_of, parse_all, setting

GRID_PARAMETERS = 2
"""Up to so many settings are tried as a grid."""


@dataclass
class Trial:
    """What was tried on a corpus.

    policies: the default first, then the settings tried; `values` are theirs. figures: of those, (S, T). identity: the
    same of every result as recorded, (1, T). clusters, borne, bearing: of the T transcripts. clipped: results already
    clipped by their recorder, all results; and their bytes.
    """

    settings: TuneSettings
    policy: NamedPolicy
    vary: list[Vary]
    values: list[Values | None]
    policies: list[NamedPolicy]
    figures: Figures
    identity: Figures
    ids: list[str]
    clusters: list[str]
    borne: Floats
    bearing: Floats
    clipped: tuple[int, int, int, int]
    searched: bool
    intake: Intake = field(repr=False)

    def to_record(self) -> dict[str, Any]:
        """As a journal holds it; `tune.tables` makes rows of it."""
        return {
            "policies": [policy.label for policy in self.policies],
            "figures": {name: values.tolist() for name, values in vars(self.figures).items()},
            "identity": {name: values.tolist() for name, values in vars(self.identity).items()},
            "transcripts": self.ids,
            "clusters": self.clusters,
            "borne": self.borne.tolist(),
            "bearing": self.bearing.tolist(),
            "clipped": list(self.clipped),
            "searched": self.searched,
            "problems": [asdict(problem) for problem in self.intake.problems],
            "skipped": [list(skipped) for skipped in self.intake.skipped],
        }

    @property
    def cost(self) -> Floats:
        """What is minimised, (S, T)."""
        return self.figures.usd if self.settings.metric == "money" else self.figures.tokens


def run_trial(settings: TuneSettings) -> Trial:
    """Read the corpus and try the settings. Raises `HarnessError` for what cannot be tuned or read."""
    policy = make_policy(settings.policy)
    default = make_policy(settings.against or settings.policy)
    varied = parse_all(settings.vary, policy)
    measures = ReplaySettings(
        settings.paths, (settings.policy,), settings.format, settings.tokens, settings.prices
    ).measures()
    terms = Terms(measures.counter, measures.tokens, measures.tariffs)
    intake = Intake()
    corpus = [prepare(t, terms) for t in read_transcripts([Path(p) for p in settings.paths], intake, settings.format)]
    corpus = [prepared for prepared in corpus if len(prepared.layout.requests)]
    if not corpus:
        raise HarnessError("no transcript with a request was found: see what there is with harness inspect")
    tried = _Tried(default, policy, varied, corpus, terms)
    if settings.metric == "money" and not np.isfinite(tried.figures.usd).all():
        raise HarnessError("some requests are of models whose prices are not known: name one with --prices MODEL")
    sizes, clipped = _results(corpus)
    steps = [vary.step is not None for vary in varied]
    most = per_setting(settings.settings, len(varied))
    candidates = [vary.candidates(sizes, default_of(policy, vary.name), most) for vary in varied]
    points = int(np.prod([len(c) for c in candidates]))
    searched = (len(varied) > GRID_PARAMETERS and not all(steps)) or points > settings.settings
    borne = np.array([prepared.borne_atoms for prepared in corpus], np.float64)
    if not searched:
        tried.evaluate(grid(candidates))
    else:
        fine = [vary.candidates(sizes, default_of(policy, vary.name), FINE) for vary in varied]
        search(fine, settings.settings, lambda values: _goals(tried, values, settings.metric, borne))
    return Trial(
        settings, policy, varied, tried.values, tried.policies, tried.figures,
        sweep(corpus, [make_policy("identity")], terms),
        [p.transcript.id for p in corpus],
        [cluster_of(p.transcript.cluster, p.transcript.id) for p in corpus], borne,
        np.array([p.bearing for p in corpus], np.float64), clipped, searched, intake,
    )  # fmt: skip


class _Tried:
    """The default and all settings tried so far, with their figures."""

    def __init__(
        self, default: NamedPolicy, policy: NamedPolicy, vary: list[Vary], corpus: Sequence[Prepared], terms: Terms
    ) -> None:
        self.policy, self.vary, self.corpus, self.terms = policy, vary, corpus, terms
        self.policies = [default]
        self.values: list[Values | None] = [None]
        self.figures = sweep(corpus, [default], terms)

    def evaluate(self, values: list[Values]) -> Figures:
        """The figures of new settings, which are kept."""
        names = [vary.name for vary in self.vary]
        policies = [setting(self.policy, dict(zip(names, each, strict=True))) for each in values]
        found = sweep(self.corpus, policies, self.terms)
        self.policies += policies
        self.values += values
        self.figures = self.figures.joined(found)
        return found


def _goals(tried: _Tried, values: list[Values], metric: Metric, borne: Floats) -> tuple[Floats, Floats]:
    figures = tried.evaluate(values)
    cost = figures.usd if metric == "money" else figures.tokens
    return cost.sum(axis=1), mean_share(figures.visible, borne, np.ones(len(borne), bool))


def _results(corpus: Sequence[Prepared]) -> tuple[list[int], tuple[int, int, int, int]]:
    """Sizes of all results in bytes; and clipped results, results, clipped bytes, bytes."""
    sizes: list[int] = []
    clipped: list[int] = []
    for prepared in corpus:
        for i in prepared.layout.results:
            result = prepared.transcript.messages[i].result
            assert result is not None
            sizes.append(len(result.value.encode("utf-8", "surrogatepass")))
            if result.clipped:
                clipped.append(sizes[-1])
    return sizes, (len(clipped), len(sizes), sum(clipped), sum(sizes))
