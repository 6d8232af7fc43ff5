"""The tables of a tuning: a row a transcript, and a row a setting and transcript; and a trial read back from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from harness.formats.corpus import Intake
from harness.policies.spec import make_policy
from harness.runs.run import Run
from harness.transcript import Problem
from harness.tune.settings import TuneSettings
from harness.tune.sweep import Figures
from harness.tune.tune import Trial
from harness.tune.vary import parse_all

FIGURES = ("tokens", "usd", "visible", "whole")
IDENTITY = "identity"


def corpus_rows(trial: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for transcript, cluster, borne, bearing in zip(
        trial["transcripts"], trial["clusters"], trial["borne"], trial["bearing"], strict=True
    ):
        yield {"transcript": transcript, "cluster": cluster, "borne": int(borne), "bearing": int(bearing)}


def tried_rows(trial: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """identity first, then the default, then the settings in the order in which they were tried."""
    settings = [("identity", IDENTITY), *(("tried" if n else "default", p) for n, p in enumerate(trial["policies"]))]
    values = {name: trial["identity"][name] + trial["figures"][name] for name in FIGURES}
    for number, (role, policy) in enumerate(settings):
        for at, transcript in enumerate(trial["transcripts"]):
            row = {name: values[name][number][at] for name in FIGURES}
            yield {"setting": number, "role": role, "policy": policy, "transcript": transcript} | row


def trial_of(run: Run) -> Trial:
    """The trial of a finished run."""
    settings = run.settings()
    assert isinstance(settings, TuneSettings)
    corpus, tried, manifest = run.table("corpus"), run.table("tried"), run.manifest
    labels = tried.drop_duplicates("setting").sort_values("setting")["policy"].astype(str).tolist()
    shape = (len(labels), len(corpus))
    figures = {name: tried[name].to_numpy(np.float64).reshape(shape) for name in FIGURES}
    policy = make_policy(settings.policy)
    return Trial(
        settings=settings,
        policy=policy,
        vary=parse_all(settings.vary, policy),
        values=[],
        policies=[make_policy(label) for label in labels[1:]],
        figures=Figures(*(values[1:] for values in figures.values())),
        identity=Figures(*(values[:1] for values in figures.values())),
        ids=corpus["transcript"].astype(str).tolist(),
        clusters=corpus["cluster"].astype(str).tolist(),
        borne=corpus["borne"].to_numpy(np.float64),
        bearing=corpus["bearing"].to_numpy(np.float64),
        clipped=tuple(manifest["clipped"]),
        searched=manifest["searched"],
        intake=Intake([(p, why) for p, why in manifest["skipped"]], [Problem(**p) for p in manifest["problems"]]),
    )
