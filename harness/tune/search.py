"""Which settings are tried: a grid where the settings are few, else a search for both little cost and much evidence."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from harness.errors import HarnessError
from harness.tune.sweep import Floats

Values = tuple[float, ...]
SEED = 20260101
POPULATION = 40
FINE = 40
"""Candidates of a setting in a search."""


def grid(candidates: Sequence[Sequence[float]]) -> list[Values]:
    """Every combination."""
    return list(itertools.product(*candidates))


def per_setting(settings: int, parameters: int) -> int:
    """How many candidates each of the parameters gets, so that the grid has no more than `settings` points."""
    root: float = settings ** (1 / parameters)
    return max(math.floor(root + 1e-9), 2)


def search(
    candidates: Sequence[Sequence[float]],
    settings: int,
    evaluate: Callable[[list[Values]], tuple[Floats, Floats]],
) -> list[Values]:
    """The settings that NSGA-II asks for, each once.

    evaluate: of settings, cost and evidence, (S,) each. Raises `HarnessError` where the library is not installed.
    """
    try:
        import optuna
    except ModuleNotFoundError:
        raise HarnessError(
            "a search over so many settings needs optuna: pip install 'context-policy-harness[tune]', "
            "or vary fewer settings, or give steps so that the grid is small"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    space: dict[str, optuna.distributions.BaseDistribution] = {
        str(n): optuna.distributions.IntDistribution(0, len(c) - 1) for n, c in enumerate(candidates)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.NSGAIISampler(population_size=min(POPULATION, settings), seed=SEED)
        study = optuna.create_study(directions=["minimize", "maximize"], sampler=sampler)
    for share in np.linspace(0, 1, 5):
        study.enqueue_trial({str(n): round(share * (len(c) - 1)) for n, c in enumerate(candidates)})
    known: dict[Values, tuple[float, float]] = {}
    asked = 0
    while asked < settings:
        trials = [study.ask(space) for _ in range(min(POPULATION, settings - asked))]
        asked += len(trials)
        wanted = [tuple(c[trial.params[str(n)]] for n, c in enumerate(candidates)) for trial in trials]
        if new := [values for values in dict.fromkeys(wanted) if values not in known]:
            cost, evidence = evaluate(new)
            known.update(zip(new, zip(cost.tolist(), evidence.tolist(), strict=True), strict=True))
        for trial, values in zip(trials, wanted, strict=True):
            study.tell(trial, known[values])
    return list(known)
