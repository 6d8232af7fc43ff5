"""`harness new`: a package with one format, policy, engine, exporter or kind of run, and the tests of its contract."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness.errors import HarnessError

SORTS = ("format", "policy", "engine", "exporter", "kind")
NAMED = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_new(sort: str, name: str, folder: Path) -> list[Path]:
    """Write the package into a new folder `folder/name`. Raises `HarnessError` for a name that will not do, one that is
    taken, or a folder that is there."""
    if not NAMED.fullmatch(name):
        raise HarnessError(f"{name!r} is no name: lower-case letters, digits and single dashes, such as my-{sort}")
    if name in taken(sort):
        raise HarnessError(f"there is a {sort} called {name} already; give another name")
    target = folder / name
    if target.exists():
        raise HarnessError(f"{target} is there already; give another name or --to another folder")
    module = f"{name.replace('-', '_')}_{sort}"
    words = {"CLASS": "".join(part.capitalize() for part in name.split("-")), "MODULE": module, "NAME": name}
    target.mkdir(parents=True)
    written = []
    for template in sorted(files("harness.show").joinpath("skeletons", sort).iterdir(), key=lambda one: one.name):
        path = target / _filled(template.name.removesuffix(".txt"), words)
        path.write_text(_filled(template.read_text(encoding="utf-8"), words), encoding="utf-8")
        written.append(path)
    return written


def taken(sort: str) -> set[str]:
    """Names that are in use: policies share theirs with presets, kinds with commands."""
    from harness import engines, formats, report, runs
    from harness.policies.spec import names as policies
    from harness.registry import targets

    registries: dict[str, Any] = {"format": formats.FORMATS, "engine": engines.ENGINES}
    registries |= {"exporter": report.EXPORTERS, "kind": runs.KINDS}
    groups = {"format": formats.GROUP, "engine": engines.GROUP, "exporter": report.GROUP, "kind": runs.GROUP}
    return set(policies()) if sort == "policy" else set(targets(registries[sort], groups[sort]))


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("@(CLASS|MODULE|NAME)@", lambda found: words[found[1]], text)
