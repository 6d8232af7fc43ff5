"""Tool names that a chat-completions server accepts ([A-Za-z0-9_-], 64 at most) in place of those that it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable


class WireNames:
    """Both ways between the names of a task's tools and those on the wire. What is not known stays as it is."""

    def __init__(self, names: Iterable[str]) -> None:
        self._wire: dict[str, str] = {}
        self._own: dict[str, str] = {}
        for name in names:
            base = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:60] or "_"
            wire, number = base, 2
            while wire in self._own:
                wire, number = f"{base}_{number}", number + 1
            self._wire[name], self._own[wire] = wire, name

    @property
    def known(self) -> frozenset[str]:
        """The names on the wire and the tools' own."""
        return frozenset(self._wire) | frozenset(self._own)

    def wire(self, name: str) -> str:
        return self._wire.get(name, name)

    def own(self, wire: str) -> str:
        return self._own.get(wire, wire)
