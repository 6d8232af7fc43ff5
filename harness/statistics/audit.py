"""How concentrated a corpus is: what a sum over it rests on, told before any sum is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.statistics.clusters import Clusters, Floats, effective


@dataclass(frozen=True)
class Share:
    """The largest part of a sum: whose it is, and its share."""

    name: str
    share: float


@dataclass(frozen=True)
class Concentration:
    """Of one denominator: the largest transcript, cluster and source, and Kish's effective clusters."""

    denominator: str
    total: float
    transcript: Share
    cluster: Share
    effective: float


@dataclass(frozen=True)
class Audit:
    """A corpus before any figure of it. axes: one a denominator that is not empty. duplicates, doubtful: what was found
    to stand there twice, and readings that cannot be trusted, by name; None where nobody looked."""

    transcripts: int
    clusters: int
    sources: int
    axes: tuple[Concentration, ...]
    duplicates: tuple[str, ...] | None = None
    doubtful: tuple[str, ...] | None = None


def audit(
    transcripts: Sequence[str],
    clusters: Sequence[str],
    sources: int,
    denominators: dict[str, Floats],
    duplicates: Sequence[str] | None = None,
    doubtful: Sequence[str] | None = None,
) -> Audit:
    """denominators: by name, the part of each transcript, (n,), in the order of `transcripts` and `clusters`."""
    groups = Clusters.of(clusters)
    axes = tuple(
        Concentration(
            name,
            float(values.sum()),
            _largest(transcripts, values),
            _largest([str(c) for c in groups.names], groups.sums(values)),
            effective(groups.sums(values)),
        )
        for name, values in denominators.items()
        if values.sum() > 0
    )
    return Audit(
        len(transcripts),
        groups.count,
        sources,
        axes,
        None if duplicates is None else tuple(duplicates),
        None if doubtful is None else tuple(doubtful),
    )


def _largest(names: Sequence[str], values: Floats) -> Share:
    at = int(np.argmax(values))
    return Share(names[at], float(values[at] / values.sum()))
