"""What was tried on a corpus, as the journal and the tables of a run hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from harness.formats.corpus import Intake
from harness.policies.spec import NamedPolicy
from harness.tune.choose import Floats
from harness.tune.settings import TuneSettings
from harness.tune.sweep import Figures


@dataclass
class Trial:
    """What was tried on a corpus.

    policies, roles: identity first, then the default, then what is worth showing of what was tried. figures: of those,
    (S, T), by the ordinary sweep. clusters, sources, borne, bearing: of the T transcripts. clipped: results already
    clipped by their recorder, all results; and their bytes. found: choices, resamples, effects and how the sweep was
    made, as the manifest holds them. stops, needs: rows of the tables of these names (`harness.tune.stops`).
    """

    settings: TuneSettings
    policy: NamedPolicy
    policies: list[NamedPolicy]
    roles: list[str]
    figures: Figures
    ids: list[str]
    clusters: list[str]
    sources: list[str]
    borne: Floats
    bearing: Floats
    clipped: tuple[int, int, int, int]
    found: dict[str, Any]
    intake: Intake = field(repr=False)
    stops: list[dict[str, Any]] = field(default_factory=list, repr=False)
    needs: list[dict[str, Any]] = field(default_factory=list, repr=False)

    def to_record(self) -> dict[str, Any]:
        """As a journal holds it; `tune.rows` makes rows of it."""
        return {
            "policies": [policy.label for policy in self.policies],
            "roles": self.roles,
            "figures": {name: values.tolist() for name, values in vars(self.figures).items()},
            "transcripts": self.ids,
            "clusters": self.clusters,
            "sources": self.sources,
            "borne": self.borne.tolist(),
            "bearing": self.bearing.tolist(),
            "clipped": list(self.clipped),
            "found": self.found,
            "stops": self.stops,
            "needs": self.needs,
            "problems": [asdict(problem) for problem in self.intake.problems],
            "skipped": [list(skipped) for skipped in self.intake.skipped],
        }

    @property
    def cost(self) -> Floats:
        """What is minimised, (S, T)."""
        return self.figures.usd if self.settings.metric == "money" else self.figures.tokens

    def at(self, label: str) -> int:
        """Where a policy stands among those measured."""
        return next(n for n, policy in enumerate(self.policies) if policy.label == label)
