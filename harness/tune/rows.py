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
from harness.tune.trial import Trial

FIGURES = ("tokens", "usd", "visible", "whole")


def corpus_rows(trial: dict[str, Any]) -> Iterator[dict[str, Any]]:
    names = ("transcripts", "clusters", "sources", "borne", "bearing")
    for transcript, cluster, source, borne, bearing in zip(*(trial[name] for name in names), strict=True):
        row = {"transcript": transcript, "cluster": cluster, "source": source}
        yield row | {"borne": int(borne), "bearing": int(bearing)}


def tried_rows(trial: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """identity first, then the default, then what is shown of the settings tried."""
    values = trial["figures"]
    for number, (role, policy) in enumerate(zip(trial["roles"], trial["policies"], strict=True)):
        for at, transcript in enumerate(trial["transcripts"]):
            row = {name: values[name][number][at] for name in FIGURES}
            yield {"setting": number, "role": role, "policy": policy, "transcript": transcript} | row


def trial_of(run: Run) -> Trial:
    """The trial of a finished run."""
    settings = run.settings()
    assert isinstance(settings, TuneSettings)
    corpus, tried, manifest = run.table("corpus"), run.table("tried"), run.manifest
    settings_tried = tried.drop_duplicates("setting").sort_values("setting")
    shape = (len(settings_tried), len(corpus))
    figures = {name: tried[name].to_numpy(np.float64, na_value=np.nan).reshape(shape) for name in FIGURES}
    return Trial(
        settings=settings,
        policy=make_policy(settings.policy),
        policies=[make_policy(label) for label in settings_tried["policy"].astype(str)],
        roles=settings_tried["role"].astype(str).tolist(),
        figures=Figures(**figures),
        ids=corpus["transcript"].astype(str).tolist(),
        clusters=corpus["cluster"].astype(str).tolist(),
        sources=corpus["source"].astype(str).tolist(),
        borne=corpus["borne"].to_numpy(np.float64),
        bearing=corpus["bearing"].to_numpy(np.float64),
        clipped=tuple(manifest["clipped"]),
        found=manifest["found"],
        intake=Intake([(p, why) for p, why in manifest["skipped"]], [Problem(**p) for p in manifest["problems"]]),
    )
