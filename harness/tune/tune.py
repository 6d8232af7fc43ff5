"""`harness tune`: the settings that cost least while enough stays visible, beside a plain cut, the gate alone and
doing nothing.

Where a policy's text renderings keep a head and a tail, all of head, tail and gate are swept from precomputed offsets
(`offsets`, `field`); other settings are tried one by one. A choice is made on everything, on all clusters but a fold's,
on all sources but one, and on resamples; what is chosen and what is printed is rendered and counted again by the
ordinary sweep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import NamedPolicy, make_policy
from harness.replay.settings import ReplaySettings
from harness.transcript import cluster_of
from harness.tune.axes import free_axes, gate_alone, varied_axes
from harness.tune.candidates import CUT, DEFAULT, GATED, IDENTITY, TUNED, Candidates, Swept, Tried
from harness.tune.choose import Floats, Ground, front
from harness.tune.chooser import SHOWN, Chooser, cheapest
from harness.tune.effects import effects
from harness.tune.field import thin
from harness.tune.offsets import Offsets, Sweep, offsets
from harness.tune.search import FINE, Values, grid, per_setting, search
from harness.tune.settings import TuneSettings
from harness.tune.shapes import GATE, plain_cuts, shape_of
from harness.tune.stops import ladders, stops
from harness.tune.sweep import Figures, Prepared, Terms, prepare, sweep
from harness.tune.trial import Trial
from harness.tune.vary import Vary, default_of, parse_all, setting

GRID_PARAMETERS = 2
"""Up to so many settings are tried as a grid."""


def run_trial(settings: TuneSettings) -> Trial:
    """Read the corpus and find the settings. Raises `HarnessError` for what cannot be tuned or read."""
    policy, default = make_policy(settings.policy), make_policy(settings.against or settings.policy)
    varied = parse_all(settings.vary, policy)
    measures = ReplaySettings(
        settings.paths, (settings.policy,), settings.format, settings.tokens, settings.prices
    ).measures()
    terms = Terms(measures.counter, measures.tokens, measures.tariffs)
    intake = Intake()
    read = read_transcripts([Path(p) for p in settings.paths], intake, settings.format)
    corpus = [prepared for prepared in (prepare(t, terms) for t in read) if len(prepared.layout.requests)]
    if not corpus:
        raise HarnessError("no transcript with a request was found: see what there is with harness inspect")
    known = offsets(corpus)
    money = settings.metric == "money"
    if money and not np.isfinite(known.usd_identity).all():
        raise HarnessError("some requests are of models whose prices are not known: name one with --prices MODEL")
    clusters = [cluster_of(p.transcript.cluster, p.transcript.id) for p in corpus]
    sources = [p.transcript.format for p in corpus]
    bearing = np.array([p.bearing for p in corpus], np.float64)
    everyone = Ground(clusters, bearing, np.ones(len(corpus), bool))
    candidates, how = _candidates(settings, policy, varied, corpus, known, terms)
    swept = list(candidates)
    if money:
        candidates = [_rendered(c, everyone, settings.evidence, corpus, terms) for c in candidates]
    chooser = Chooser(settings, candidates, everyone, known.usd_identity if money else known.identity)
    found = chooser.found(sources) | how
    shown = _shown(chooser, default)
    policies = [policy for _, policy in shown]
    figures = sweep(corpus, policies, terms)
    labels = [p.label for p in policies]
    costs = dict(zip(labels, figures.usd if money else figures.tokens, strict=True))
    found["error"] = chooser.largest_error(costs, dict(zip(labels, figures.whole, strict=True)))
    found["chosen"] = asdict(cheapest(found["roles"], {label: float(cost.sum()) for label, cost in costs.items()}))
    wanted = [chooser.named[label].policy for label in found["roles"].values()]
    made = [stops(n, one, everyone, corpus, terms) for n, one in enumerate(ladders(swept, wanted))]
    found["listed"] = [one.listed for one in made]
    found["effects"] = [asdict(effect) for effect in effects(corpus, policy)]
    return Trial(
        settings, policy, policies, [role for role, _ in shown], figures,
        [p.transcript.id for p in corpus], clusters, sources,
        np.array([p.borne_atoms for p in corpus], np.float64), bearing, _clipped(corpus), found, intake,
        [row for one in made for row in one.rows], [row for one in made for row in one.needs],
    )  # fmt: skip


def _candidates(
    settings: TuneSettings,
    policy: NamedPolicy,
    varied: list[Vary],
    corpus: list[Prepared],
    known: Offsets,
    terms: Terms,
) -> tuple[list[Candidates], dict[str, Any]]:
    """What there is to choose from beside doing nothing, and how it was found."""
    money = settings.metric == "money"
    largest = int(known.size.max(initial=0))
    found: list[Candidates] = []
    shape = shape_of(policy)
    axes = varied_axes(shape, varied, largest) if shape else None
    searched = False
    if shape and axes:
        swept = Sweep(shape, known, corpus, terms)
        found.append(Swept(TUNED, swept, axes, money, settings.evidence))
        found.append(Swept(GATED, swept, gate_alone(shape, largest), money, settings.evidence))
    else:
        tried, searched = _tried(settings, policy, varied, corpus, known, terms)
        found.append(tried)
        if "min_bytes" in policy.settings:
            gates = [policy.varied(min_bytes=n) for n in thin(known.critical(GATE), SHOWN)]
            found.append(Tried(GATED, gates, sweep(corpus, gates, terms), money))
    for cut in plain_cuts():
        if not shape or cut.policy.family.__class__ is not policy.family.__class__:
            found.append(
                Swept(CUT, Sweep(cut, known, corpus, terms), free_axes(cut, largest), money, settings.evidence)
            )
    return found, {"exact": axes is not None, "searched": searched}


RENDERED = 40


def _rendered(
    candidates: Candidates, ground: Ground, floor: float, corpus: Sequence[Prepared], terms: Terms
) -> Candidates:
    """Of a sweep for money, what nothing beats, rendered and priced before anything is chosen: caches have a least
    prompt and prices have steps, so what a token costs is not the same everywhere."""
    if isinstance(candidates, Tried):
        return candidates
    candidates.settle(ground, floor)
    total = candidates.cost.sum(axis=1)
    bound, value, _ = ground.evidence(candidates.whole)
    numbers = sorted({0, *thin(front(total, value), RENDERED), *thin(front(total, bound), RENDERED)})
    policies = [candidates.policy(n) for n in numbers]
    return Tried(candidates.role, policies, sweep(corpus, policies, terms), True)


def _tried(
    settings: TuneSettings,
    policy: NamedPolicy,
    varied: list[Vary],
    corpus: list[Prepared],
    known: Offsets,
    terms: Terms,
) -> tuple[Tried, bool]:
    """Settings that are rendered one by one: a grid, or a search where that is too large."""
    money, sizes = settings.metric == "money", [int(n) for n in known.size]
    names = [vary.name for vary in varied]
    made: dict[Values, NamedPolicy] = {}
    blocks: list[Figures] = []

    def evaluate(values: list[Values]) -> Figures:
        new = {each: setting(policy, dict(zip(names, each, strict=True))) for each in values}
        made.update(new)
        blocks.append(sweep(corpus, list(new.values()), terms))
        return blocks[-1]

    def goals(values: list[Values]) -> tuple[Floats, Floats]:
        figures = evaluate(values)
        return (figures.usd if money else figures.tokens).sum(axis=1), figures.whole.sum(axis=1)

    most = per_setting(settings.settings, len(varied))
    wanted = [vary.candidates(sizes, default_of(policy, vary.name), most) for vary in varied]
    points = int(np.prod([len(c) for c in wanted]))
    searched = (len(varied) > GRID_PARAMETERS and any(v.step is None for v in varied)) or points > settings.settings
    if searched:
        search([v.candidates(sizes, default_of(policy, v.name), FINE) for v in varied], settings.settings, goals)
    else:
        evaluate(grid(wanted))
    figures = blocks[0]
    for block in blocks[1:]:
        figures = figures.joined(block)
    return Tried(TUNED, list(made.values()), figures, money), searched


def _shown(chooser: Chooser, default: NamedPolicy) -> list[tuple[str, NamedPolicy]]:
    """Identity, the default, then all that was named: frontiers and choices."""
    shown = {IDENTITY: (IDENTITY, make_policy(IDENTITY))}
    shown.setdefault(default.label, (DEFAULT, default))
    for label, one in chooser.named.items():
        shown.setdefault(label, (one.role, one.policy))
    return list(shown.values())


def _clipped(corpus: Sequence[Prepared]) -> tuple[int, int, int, int]:
    """Clipped results, results, clipped bytes, bytes."""
    sizes: list[int] = []
    clipped: list[int] = []
    for prepared in corpus:
        for i in prepared.layout.results:
            result = prepared.transcript.messages[i].result
            assert result is not None
            sizes.append(len(result.value.encode("utf-8", "surrogatepass")))
            if result.clipped:
                clipped.append(sizes[-1])
    return len(clipped), len(sizes), sum(clipped), sum(sizes)
