"""Short names to objects, loaded when asked for.

A registry is a plain dict from a short name to ``"module:attribute"``. Installed packages add to it through an entry
point group such as ``harness.policies``. One that cannot be loaded, lacks something, takes a name that is taken, or
raises where it is asked, is named with its distribution and left out; the rest goes on. `HARNESS_PLUGINS=off` leaves
all of them out.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from multiprocessing import parent_process
from typing import Any

from harness.errors import HarnessError, did_you_mean
from harness.text import aside

NEEDED: dict[str, tuple[str, ...]] = {
    "harness.formats": ("name", "sniff", "read"),
    "harness.policies": ("start", "stage"),
    "harness.engines": ("load", "identity", "declare", "complete", "reset", "close"),
    "harness.exporters": ("name", "export"),
    "harness.kinds": ("name", "settings", "tables", "work", "report"),
}
"""What an object of each group must have, by the protocols of `harness` and `harness.runs.kind`."""


@dataclass(frozen=True)
class Fault:
    """A plug-in that is left out. distribution: the package with its version."""

    group: str
    name: str
    distribution: str
    why: str

    def __str__(self) -> str:
        return f"{self.group.rpartition('.')[2]} {self.name!r} of {self.distribution} is left out: {self.why}"


_faults: dict[tuple[str, str], Fault] = {}


def faults() -> list[Fault]:
    """What was left out so far, in this process."""
    return list(_faults.values())


def leave_out(group: str, name: str, why: str) -> None:
    """From here on there is no plug-in of that name; said once, on standard error."""
    if (group, name) not in _faults:
        _faults[group, name] = fault = Fault(group, name, distribution_of(group, name), why)
        if parent_process() is None:
            aside(f"{fault}; upgrade or uninstall it")


def is_installed(group: str, name: str) -> bool:
    """Whether the name comes from an installed package, and so is not ours."""
    return any(entry.name == name for entry in _installed(group))


def distribution_of(group: str, name: str) -> str:
    """The packages that register a name, with their versions."""
    found = (entry.dist for entry in _installed(group) if entry.name == name)
    return " and ".join(f"{dist.name} {dist.version}" for dist in found if dist) or "an unknown package"


def targets(builtin: Mapping[str, str], group: str, reserved: Collection[str] = ()) -> dict[str, str]:
    """All names of a registry with where each is found; ours first, then those of installed packages by name.

    reserved: names that stand for something else. A package that takes one of these, or one of ours, is left out, and
    so are two that take the same, since which of them ran would be a matter of luck.
    """
    found = dict(builtin)
    installed = _installed(group)
    for entry in installed:
        if entry.name in builtin or entry.name in reserved:
            leave_out(group, entry.name, "the name is taken; it needs another one")
        elif any(other.name == entry.name and other.value != entry.value for other in installed):
            leave_out(group, entry.name, "two packages give this name; uninstall one of them")
        elif (group, entry.name) not in _faults:
            found[entry.name] = entry.value
    return found


def load(builtin: Mapping[str, str], group: str, name: str, reserved: Collection[str] = ()) -> Any:
    """The object registered under `name`. An unknown name is a `HarnessError` that lists what exists; a plug-in that
    cannot be loaded is one that names its distribution."""
    known = targets(builtin, group, reserved)
    if (fault := _faults.get((group, name))) and name not in known:
        raise HarnessError(f"{fault}; upgrade or uninstall it")
    if name not in known:
        kind = group.rpartition(".")[2]
        raise HarnessError(f"no {kind} called {name!r}{did_you_mean(name, known)}; there are: {', '.join(known)}")
    if name in builtin:
        return _imported(known[name])
    try:
        found = _imported(known[name])
    except Exception as error:  # noqa: BLE001 - whatever a stranger's module does when it is imported
        leave_out(group, name, f"it cannot be loaded ({type(error).__name__}: {error})")
    else:
        missing = [each for each in NEEDED.get(group, ()) if not hasattr(found, each)]
        if not missing:
            return found
        leave_out(group, name, f"it has no {', '.join(missing)}")
    raise HarnessError(f"{_faults[group, name]}; upgrade or uninstall it")


def load_all(builtin: Mapping[str, str], group: str, reserved: Collection[str] = ()) -> dict[str, Any]:
    """Every object of a registry by name; plug-ins that cannot be loaded are left out."""
    found = {}
    for name in targets(builtin, group, reserved):
        try:
            found[name] = load(builtin, group, name, reserved)
        except HarnessError:
            if name in builtin:
                raise
    return found


def _imported(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _installed(group: str) -> tuple[EntryPoint, ...]:
    return () if os.environ.get("HARNESS_PLUGINS") == "off" else _found(group)


@cache
def _found(group: str) -> tuple[EntryPoint, ...]:
    """What installed packages register. Finding it reads every package's metadata, so it is read once."""
    return tuple(sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)))
