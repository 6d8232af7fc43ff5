"""A suite file, read strictly: an unknown key is an error with the nearest known one.

name = "demo"

[replay.samples]
paths = ["../transcripts/openai-chat"]      # relative to the suite file
policies = ["head:bytes=2000", "car", {policy = "middle", limit = 4000}]

[bench.tiny]
engines = ["tiny", "tiny:depth=2"]
tasks = ["../engine/tiny.jsonl"]
reference = "tiny:depth=2"                  # one of the engines: the build or engine that the others are judged against

[loop.readers]
drivers = ["reader"]
policies = ["car", "car_read"]

[tune.car]
paths = ["../transcripts/openai-chat"]
policy = "car"
vary = ["text_head_bytes=100:8k"]

[tolerance]
input_tokens = 0.01                         # of the baseline; 0 where a figure is not named
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.bench.settings import BenchSettings
from harness.errors import HarnessError
from harness.loop.settings import LoopSettings
from harness.nightly.figures import NAMES as FIGURES
from harness.policies.spec import make_policy
from harness.replay.settings import ReplaySettings
from harness.tune.settings import TuneSettings
from harness.tune.vary import parse_all

PART_KEYS: dict[str, dict[str, type]] = {
    "replay": {
        "paths": list,
        "policies": list,
        "format": str,
        "tokens": str,
        "prices": str,
        "cache": str,
        "window": int,
    },
    "bench": {
        "engines": list,
        "tasks": list,
        "repetitions": int,
        "max_tokens": int,
        "turn_seconds": float,
        "stretch": int,
        "first": int,
        "system": str,
        "reference": str,
    },
    "loop": {
        "drivers": list,
        "policies": list,
        "families": list,
        "seeds": int,
        "first": int,
        "tokens": str,
        "prices": str,
    },
    "tune": {
        "paths": list,
        "policy": str,
        "vary": list,
        "metric": str,
        "evidence": float,
        "folds": int,
        "settings": int,
        "against": str,
        "format": str,
        "tokens": str,
        "prices": str,
    },
}
TOP_KEYS: dict[str, type] = {
    "name": str,
    "baseline": str,
    "report": list,
    "tolerance": dict,
    **dict.fromkeys(PART_KEYS, dict),
}
NEEDED = {
    "replay": ("paths",),
    "bench": ("engines", "tasks"),
    "loop": ("drivers",),
    "tune": ("paths", "policy", "vary"),
}


Settings = ReplaySettings | BenchSettings | LoopSettings | TuneSettings


@dataclass(frozen=True)
class Part:
    """One thing that a suite does, under a name of its own. kind: replay, bench, loop or tune. reference: the engine of
    a bench that the others are judged against, empty for none."""

    name: str
    kind: str
    settings: Settings
    reference: str = ""


@dataclass(frozen=True)
class Suite:
    """tolerance: by figure, the worsening that is let pass, as a share of the baseline. baseline: a run group, a pinned
    folder, or `ancestor`; empty for the newest accepted one."""

    name: str
    place: Path
    parts: tuple[Part, ...]
    tolerance: Mapping[str, float]
    baseline: str
    report: tuple[str, ...]
    sha256: str

    @property
    def runs(self) -> tuple[Part, ...]:
        """The parts that are runs. A tuning is none: it tries settings on recordings, and leaves files."""
        return tuple(part for part in self.parts if part.kind != "tune")

    def only(self, names: Iterable[str]) -> Suite:
        """The suite with the parts of those names. Raises `HarnessError` for an unknown one."""
        wanted = list(names)
        known = [p.name for p in self.parts]
        for name in wanted:
            if name not in known:
                raise HarnessError(
                    f"{self.place}: no part called {name!r}{_near(name, known)}; there are: {', '.join(known)}"
                )
        return dataclasses.replace(self, parts=tuple(p for p in self.parts if not wanted or p.name in wanted))


def read_suite(place: Path) -> Suite:
    """Read and check a suite file. Raises `HarnessError` with the place and what to do."""
    try:
        data = place.read_bytes()
        content = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise HarnessError(
            f"{place}: cannot be read ({error.strerror}); name a suite file such as tasks/suites/demo.toml"
        ) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise HarnessError(f"{place}: not TOML ({error})") from None
    _check(place, "", content, TOP_KEYS)
    parts: list[Part] = []
    for kind in PART_KEYS:
        for name, table in content.get(kind, {}).items():
            if not isinstance(table, dict):
                raise HarnessError(f"{place}: {kind}.{name} must be a table: [{kind}.{name}]")
            _check(place, f"{kind}.{name}.", table, PART_KEYS[kind])
            _check_name(place, name)
            reference = _reference(place, name, table)
            parts.append(Part(name, kind, _settings(place, kind, name, table), reference))
    names = [p.name for p in parts]
    if not parts:
        raise HarnessError(f"{place}: nothing to run; add a table such as [replay.samples]")
    if len(set(names)) < len(names):
        raise HarnessError(f"{place}: two parts of one name among {', '.join(names)}; rename one")
    _check_name(place, content.get("name", place.stem))
    tolerance = content.get("tolerance", {})
    for figure, share in tolerance.items():
        if figure not in FIGURES:
            raise HarnessError(
                f"{place}: unknown figure tolerance.{figure}{_near(figure, FIGURES)}; known: {', '.join(FIGURES)}"
            )
        if not isinstance(share, int | float) or isinstance(share, bool) or share < 0:
            raise HarnessError(f"{place}: tolerance.{figure} must be a number of 0 or more, a share of the baseline")
    return Suite(
        name=content.get("name", place.stem),
        place=place,
        parts=tuple(parts),
        tolerance={k: float(v) for k, v in tolerance.items()},
        baseline=content.get("baseline", ""),
        report=tuple(content.get("report", ("html", "md", "csv"))),
        sha256=hashlib.sha256(data).hexdigest(),
    )


def _settings(place: Path, kind: str, name: str, table: dict[str, Any]) -> Settings:
    given: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    given.pop("reference", None)
    for key in NEEDED[kind]:
        if not given.get(key):
            raise HarnessError(f"{place}: {kind}.{name} needs {key}")
    for key in ("paths", "tasks"):
        if key in given:
            given[key] = tuple(_below(place, path) for path in given[key])
    if kind == "bench":
        return BenchSettings(**given)
    if "policies" in given:
        try:
            given["policies"] = tuple(make_policy(p).label for p in given["policies"])
        except HarnessError as error:
            raise HarnessError(f"{place}: {kind}.{name}.policies: {error}") from None
    if kind == "replay":
        return ReplaySettings(**given)
    try:
        return _loop(given) if kind == "loop" else _tune(given)
    except HarnessError as error:
        raise HarnessError(f"{place}: {kind}.{name}: {error}") from None


def _loop(given: dict[str, Any]) -> LoopSettings:
    settings = LoopSettings(**given)
    settings.make_drivers()
    settings.make_tasks()
    return settings


def _tune(given: dict[str, Any]) -> TuneSettings:
    settings = TuneSettings(**given)
    parse_all(settings.vary, make_policy(settings.policy))
    make_policy(settings.against or settings.policy)
    return settings


def _reference(place: Path, name: str, table: Mapping[str, Any]) -> str:
    reference = str(table.get("reference", ""))
    if reference and reference not in table.get("engines", ()):
        raise HarnessError(
            f"{place}: bench.{name}.reference {reference!r} must be one of its engines, as written there"
        )
    if reference and len(table["engines"]) < 2:
        raise HarnessError(f"{place}: bench.{name} has only its reference; name the engine to be judged too")
    return reference


def _check_name(place: Path, name: str) -> None:
    """Names become those of files."""
    if not NAME.fullmatch(name):
        raise HarnessError(f"{place}: {name!r} cannot be a name; use letters, digits, - and _ (not first), up to 64")


def _below(place: Path, path: str) -> str:
    """A path relative to the suite file, as short as it can be written from here."""
    absolute = (place.parent / path).resolve()
    here = Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def _check(place: Path, prefix: str, table: Mapping[str, Any], known: Mapping[str, type]) -> None:
    for key, value in table.items():
        if key not in known:
            raise HarnessError(f"{place}: unknown key {prefix}{key}{_near(key, known)}; known: {', '.join(known)}")
        wanted = known[key]
        number = wanted is float and isinstance(value, int)
        if not (isinstance(value, wanted) or number) or (isinstance(value, bool) and wanted is not bool):
            raise HarnessError(f"{place}: {prefix}{key} must be {NAMES[wanted]}, not {value!r}")


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
NAMES = {list: "a list", str: "a text", int: "a whole number", float: "a number", dict: "a table"}


def _near(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {found[0]!r}?)" if found else ""
