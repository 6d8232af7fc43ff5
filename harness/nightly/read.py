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
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError, did_you_mean
from harness.nightly.figures import better
from harness.runs.kinds import all_kinds, kind_named
from harness.settings import Settings, check_keys, declared, from_table

TOP_KEYS: dict[str, type] = {"name": str, "baseline": str, "report": list, "tolerance": dict}


@dataclass(frozen=True)
class Part:
    """One thing that a suite does, under a name of its own. kind: the name of its kind. judging: how a night judges
    it."""

    name: str
    kind: str
    settings: Settings
    judging: Settings

    @property
    def reference(self) -> str:
        """The engine of a bench that the others are judged against, empty for none."""
        return str(getattr(self.judging, "reference", ""))


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

    def only(self, names: Iterable[str]) -> Suite:
        """The suite with the parts of those names. Raises `HarnessError` for an unknown one."""
        wanted = list(names)
        known = [p.name for p in self.parts]
        for name in wanted:
            if name not in known:
                raise HarnessError(
                    f"{self.place}: no part called {name!r}{did_you_mean(name, known)}; there are: {', '.join(known)}"
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
    kinds = list(all_kinds())
    _check(place, content, TOP_KEYS | dict.fromkeys(kinds, dict))
    parts: list[Part] = []
    for kind in kinds:
        for name, table in content.get(kind, {}).items():
            if not isinstance(table, dict):
                raise HarnessError(f"{place}: {kind}.{name} must be a table: [{kind}.{name}]")
            _check_name(place, name)
            parts.append(_part(place, kind, name, table))
    names = [p.name for p in parts]
    if not parts:
        raise HarnessError(f"{place}: nothing to run; add a table such as [replay.samples]")
    if len(set(names)) < len(names):
        raise HarnessError(f"{place}: two parts of one name among {', '.join(names)}; rename one")
    _check_name(place, content.get("name", place.stem))
    tolerance, figures = content.get("tolerance", {}), better()
    for figure, share in tolerance.items():
        if figure not in figures:
            raise HarnessError(
                f"{place}: unknown figure tolerance.{figure}{did_you_mean(figure, figures)}; "
                f"known: {', '.join(figures)}"
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


def _part(place: Path, kind: str, name: str, table: dict[str, Any]) -> Part:
    where = f"{place}: {kind}.{name}"
    found = kind_named(kind)
    keys = {field.name for field, _, _ in declared(found.judging)}
    judging = from_table(found.judging, {k: v for k, v in table.items() if k in keys}, where, place.parent)
    settings = from_table(found.settings, {k: v for k, v in table.items() if k not in keys}, where, place.parent)
    with _at(where):
        found.check(settings)
        found.check_judging(settings, judging)
    return Part(name, kind, settings, judging)


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Errors with the place in front."""
    try:
        yield
    except HarnessError as error:
        raise HarnessError(f"{where}: {error}") from None


def _check_name(place: Path, name: str) -> None:
    """Names become those of files."""
    if not NAME.fullmatch(name):
        raise HarnessError(f"{place}: {name!r} cannot be a name; use letters, digits, - and _ (not first), up to 64")


def _check(place: Path, table: Mapping[str, Any], known: Mapping[str, type]) -> None:
    check_keys(table, known, f"{place}:")
    for key, value in table.items():
        if not isinstance(value, known[key]):
            raise HarnessError(f"{place}: {key} must be {WANTED[known[key]]}, not {value!r}")


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
WANTED: dict[type, str] = {list: "a list", str: "a text", dict: "a table"}
