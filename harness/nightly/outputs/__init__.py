"""What a night tells: one file an exporter, each turning a verdict into bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from harness.registry import load

if TYPE_CHECKING:
    from harness.nightly.verdict import Verdict

NIGHT_EXPORTERS: dict[str, str] = {
    "page": "harness.nightly.outputs.page:Page",
    "junit": "harness.nightly.outputs.junit:JUnit",
    "step-summary": "harness.nightly.outputs.step_summary:StepSummary",
    "badge": "harness.nightly.outputs.badge:Badge",
    "atom": "harness.nightly.outputs.atom:Atom",
}
GROUP = "harness.night_exporters"


@dataclass(frozen=True)
class Night:
    """What every exporter gets. reports: by part, the path of its report, relative to where the exporter writes.
    past: the records of all verdicts of the suite, oldest first, this one the last."""

    verdict: Verdict
    reports: dict[str, str] = field(default_factory=dict)
    past: Sequence[dict[str, Any]] = ()


class NightExporter(Protocol):
    """Writes a verdict in one form."""

    name: str

    def export(self, night: Night, directory: Path) -> list[Path]:
        """Write into a directory and return what was written."""


def write_night(night: Night, directory: Path, names: Sequence[str] = tuple(NIGHT_EXPORTERS)) -> list[Path]:
    """Every exporter asked for, into one folder a suite; the page first."""
    directory.mkdir(parents=True, exist_ok=True)
    exporters = [cast(NightExporter, load(NIGHT_EXPORTERS, GROUP, name)()) for name in names]
    return [path for exporter in exporters for path in exporter.export(night, directory)]
