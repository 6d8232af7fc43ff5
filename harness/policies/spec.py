"""From what a user writes to a policy.

    head:bytes=2000                        a family, with settings
    middle:tokens4=10k,ratio=0.2           sizes may be 1_000, 10k, 16KiB or 1.5MB, and `inf` for no limit
    codex:limit=5000                       the policy of a real agent, one setting changed
    mask_last_n:n=5,admission="head:lines=50,min_bytes=600"     values with commas in quotes, JSON's escapes in them
    hermes:exempt=read_file+mcp__*         several tools, joined by +

A family with a limit and a unit takes both at once: `lines=50` is `unit=lines,limit=50`. In a suite a policy is a TOML
table: `{ policy = "codex", limit = 5000 }`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from harness.errors import HarnessError
from harness.policies import FAMILIES, GROUP
from harness.policies.conduct import Program
from harness.policies.family import Family, PolicySpec, Stage
from harness.policies.own import OwnRecording, stays
from harness.policies.presets import Preset, presets
from harness.policies.rendering import Run
from harness.policies.settings import defaults, field_types, typed
from harness.registry import load, targets
from harness.spec import plain, split_spec, written
from harness.transcript import Transcript


@dataclasses.dataclass(frozen=True)
class NamedPolicy:
    """A `harness.Policy`: a family with its settings, under its canonical name. preset: whose policy it
    is.
    """

    label: str
    settings: Mapping[str, Any]
    family: Family
    preset: Preset | None

    @property
    def stage(self) -> Stage:
        return self.family.stage

    @property
    def page_bytes(self) -> int | None:
        return self.family.page_bytes

    def start(self, transcript: Transcript) -> Run:
        run = self.family.start(transcript)
        own = build(self.preset.name, {}).settings if self.preset else {}
        kept = stays(self.family, self.preset, self.settings, own, transcript)
        return OwnRecording(run, kept) if kept else run

    def ran(self) -> dict[str, Any]:
        """What ran: hashes and versions of the program behind the policy or behind one inside it; empty without one."""
        if isinstance(self.family, Program):
            return dict(self.family.ran())
        inner = [make_policy(value) for key, value in self.settings.items() if value and key in self._inner]
        return {policy.label: found for policy in inner if (found := policy.ran())}

    @property
    def _inner(self) -> list[str]:
        return [key for key, hint in field_types(type(self.family)).items() if hint is PolicySpec]

    def varied(self, **settings: Any) -> NamedPolicy:
        """The same policy with other values for some settings."""
        return build(self.label.partition(":")[0], {**self.settings, **settings})


def make_policy(spec: str | Mapping[str, Any]) -> NamedPolicy:
    """The policy that a text or a TOML table describes.

    Unknown names and settings and values of the wrong type are a `HarnessError` that names the nearest.
    """
    if isinstance(spec, str):
        return build(*split_spec(spec, "policy"))
    table = dict(spec)
    name = table.pop("policy", "")
    if not isinstance(name, str) or not name:
        raise HarnessError('a table that describes a policy needs its name: add policy = "codex" or another')
    return build(name, table)


def names() -> list[str]:
    """All names that `make_policy` knows: families first, then presets."""
    return [*family_names(), *presets()]


def family_names() -> list[str]:
    """The families; a package cannot give one the name of a preset, since policies have one name space."""
    return list(targets(FAMILIES, GROUP, presets()))


def build(name: str, given: Mapping[str, Any]) -> NamedPolicy:
    """The policy called `name` with the settings given, the others as the preset or the family has them."""
    preset = presets().get(name)
    if preset is None and name not in family_names():
        load(dict.fromkeys(names(), ""), GROUP, name)  # raises: the nearest of families and presets together
    cls = family_class(preset.family if preset else name)
    base = typed(cls, name, preset.settings if preset else {})
    family = cls(**{**base, **typed(cls, name, given)})
    before = {key: plain(value) for key, value in {**defaults(cls), **base}.items()}
    settings = {key: plain(getattr(family, key)) for key in before}
    changed = {key: value for key, value in settings.items() if value != before[key]}
    if preset is None and {"unit", "limit"} <= settings.keys():
        rest = {key: value for key, value in changed.items() if key not in ("unit", "limit")}
        changed = {settings["unit"]: settings["limit"], **rest}
    label = ",".join(f"{key}={written(value)}" for key, value in changed.items())
    return NamedPolicy(f"{name}:{label}" if label else name, MappingProxyType(settings), family, preset)


def family_class(name: str) -> type[Family]:
    """The class of a family, loaded from where the registry says that it is."""
    cls = load(FAMILIES, GROUP, name, presets())
    if not (isinstance(cls, type) and issubclass(cls, Family) and dataclasses.is_dataclass(cls)):
        raise HarnessError(f"policy {name!r} is registered as {cls!r}: it must be a dataclass made from Family")
    return cls
