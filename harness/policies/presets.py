"""The policies of real agents, as data: `presets.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

Grade = Literal["S", "R", "Q", "C"]
GRADES: dict[str, str] = {
    "S": "read in source, or in the vendor's own documentation",
    "R": "read in the project's repository, but in a note",
    "Q": "only through a third party that quotes it",
    "C": "cited inside another item",
}


@dataclass(frozen=True, slots=True)
class Preset:
    """One agent's policy.

    family, settings: how it is built. agent: whose it is. keeps: what the model still sees, in words.
    recovery: how the model comes by the rest, in words. source: where it was read, with the commit. as_of:
    when. grade: how well it is known (`GRADES`). lifetime: how long what was spilled or kept lasts.
    not_modelled: what the agent does besides.
    """

    name: str
    family: str
    agent: str
    keeps: str
    recovery: str
    source: str
    as_of: str
    grade: Grade
    settings: Mapping[str, Any]
    lifetime: str = ""
    not_modelled: str = ""


@cache
def presets() -> Mapping[str, Preset]:
    """All presets by name."""
    text = files("harness.policies").joinpath("presets.toml").read_text(encoding="utf-8")
    return MappingProxyType({name: Preset(name=name, **table) for name, table in tomllib.loads(text).items()})
