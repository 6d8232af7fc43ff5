"""The policies as a table in which a reader finds their own agent, for the terminal and for `docs/policies.md`.

harness list policies
python -m harness.policies.describe        the tables of the page
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from harness.policies import FAMILIES, GROUP
from harness.policies.presets import GRADES, Preset, presets
from harness.policies.settings import defaults
from harness.policies.spec import NamedPolicy, family_class, make_policy
from harness.registry import load_all
from harness.spec import plain

COLUMNS = ("name", "stage", "kind", "agent", "keeps", "unit", "marker", "recovery", "grade", "as_of", "source")


def describe_policies() -> list[dict[str, Any]]:
    """A row a policy, families first.

    Its name, stage and family; whose it is; what it keeps, in which unit, what the model reads in the gap, how it
    comes by the rest; how well that is known, when and where it was read. Empty where it does not apply.
    """
    return [*map(_family, _families()), *map(_preset, presets())]


def _families() -> list[str]:
    return list(load_all(FAMILIES, GROUP, presets()))


def markdown() -> str:
    """The tables of `docs/policies.md`: presets, families with their settings, what is not modelled, grades."""
    agents = [
        (f"`{p.name}`", p.agent, p.keeps, _recovery(p), f"{p.source} ({p.as_of})", p.grade) for p in presets().values()
    ]
    kinds = [(f"`{name}`", _about(name), _settings(name)) for name in _families()]
    gaps = [(f"`{p.name}`", p.not_modelled) for p in presets().values() if p.not_modelled]
    return "\n\n".join(
        [
            "### Agents",
            _table(("policy", "whose", "what stays", "the rest", "read in", "grade"), agents),
            "\n".join(f"- **{grade}**: {meaning}" for grade, meaning in GRADES.items()),
            "### What a preset leaves out",
            _table(("policy", "not modelled"), gaps),
            "### Families and their settings",
            _table(("family", "what stays", "settings and defaults"), kinds),
        ]
    )


def _family(name: str) -> dict[str, Any]:
    policy = make_policy(name)
    return _row(name, policy, "family", "", _about(name), str(policy.settings.get("reach", "")), "", "", "")


def _preset(name: str) -> dict[str, Any]:
    preset = presets()[name]
    known = (preset.grade, preset.as_of, preset.source)
    return _row(name, make_policy(name), preset.family, preset.agent, preset.keeps, _recovery(preset), *known)


def _row(
    name: str, policy: NamedPolicy, kind: str, agent: str, keeps: str, recovery: str, *known: str
) -> dict[str, Any]:
    unit = str(policy.settings.get("unit", policy.family.counts))
    cells = (name, policy.stage, kind, agent, keeps, unit, _short(policy.family.notice), recovery, *known)
    return dict(zip(COLUMNS, cells, strict=True))


def _about(name: str) -> str:
    """The first sentence of a family's docstring."""
    return (inspect.getdoc(family_class(name)) or "").split("\n\n")[0].replace("\n", " ").rstrip(".")


def _recovery(preset: Preset) -> str:
    return preset.recovery + (f"; {preset.lifetime}" if preset.lifetime else "")


def _settings(name: str) -> str:
    """The settings that are a family's own, with their defaults."""
    shown = {key: plain(value) for key, value in defaults(family_class(name)).items()}
    return " ".join(f"`{key}={_short(str(value))}`" for key, value in shown.items())


def _short(marker: str) -> str:
    """The beginning of a marker on one line."""
    line = " ".join(marker.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    print(markdown())
