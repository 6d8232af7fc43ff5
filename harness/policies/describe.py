"""The policies as a table in which a reader finds their own agent."""

from __future__ import annotations

import inspect
from typing import Any

from harness.policies import FAMILIES, GROUP
from harness.policies.presets import presets
from harness.policies.settings import defaults
from harness.policies.spec import family_class, make_policy
from harness.registry import targets
from harness.spec import plain

COLUMNS = ("name", "stage", "kind", "agent", "keeps", "unit", "marker", "recovery", "grade", "as_of", "source")


def describe_policies() -> list[dict[str, Any]]:
    """A row a policy, families first: what it keeps, in which unit, what the model reads in the gap, how it
    comes by the rest, whose it is, and where that was read. Empty where it does not apply."""
    families = [name for name in targets(FAMILIES, GROUP) if name not in presets()]
    return [*map(_family, families), *map(_preset, presets())]


def _family(name: str) -> dict[str, Any]:
    cls = family_class(name)
    shown = {key: plain(value) for key, value in defaults(cls).items()}
    keeps = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ").rstrip(".")
    return _row(name, cls.stage, "family", "", keeps, shown, shown.get("reach", ""), "", "", "")


def _preset(name: str) -> dict[str, Any]:
    preset, policy = presets()[name], make_policy(name)
    recovery = preset.recovery + (f"; {preset.lifetime}" if preset.lifetime else "")
    settings = dict(policy.settings)
    return _row(
        name, policy.stage, preset.family, preset.agent, preset.keeps, settings, recovery, preset.grade, preset.as_of,
        preset.source,
    )  # fmt: skip


def _row(
    name: str, stage: str, kind: str, agent: str, keeps: str, settings: dict[str, Any], recovery: str, *source: str
) -> dict[str, Any]:
    marker = _short(settings.get("marker") or settings.get("lines_marker") or settings.get("before") or "")
    cells = (name, stage, kind, agent, keeps, settings.get("unit", ""), marker, recovery, *source)
    return dict(zip(COLUMNS, cells, strict=True))


def _short(marker: str) -> str:
    """The beginning of a marker on one line."""
    line = " ".join(marker.split())
    return line if len(line) <= 60 else line[:59] + "…"
