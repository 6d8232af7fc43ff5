"""Short names to objects, loaded when asked for.

A registry is a plain dict from a short name to ``"module:attribute"``. Installed packages add to it through
an entry point group such as ``harness.policies``; two things of one name are an error, since which of them
ran would be a matter of luck.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from harness.errors import HarnessError


def targets(builtin: Mapping[str, str], group: str) -> dict[str, str]:
    """All names of a registry with where each is found; ours first, then those of installed packages by name."""
    found = dict(builtin)
    for entry in _installed(group):
        if found.get(entry.name, entry.value) != entry.value:
            raise HarnessError(
                f"two {group} are called {entry.name!r} ({found[entry.name]} and {entry.value}): uninstall one of them"
            )
        found[entry.name] = entry.value
    return found


def load(builtin: Mapping[str, str], group: str, name: str) -> Any:
    """The object registered under `name`. An unknown name is a `HarnessError` that lists what exists."""
    known = targets(builtin, group)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        guess = f" (did you mean {near[0]!r}?)" if near else ""
        kind = group.rpartition(".")[2]
        raise HarnessError(f"no {kind} called {name!r}{guess}; there are: {', '.join(known) or 'none yet'}")
    module, _, attribute = known[name].partition(":")
    return getattr(import_module(module), attribute)


@cache
def _installed(group: str) -> tuple[EntryPoint, ...]:
    """What installed packages register. Finding it reads every package's metadata, so it is read once."""
    return tuple(sorted(entry_points(group=group), key=lambda entry: entry.name))
