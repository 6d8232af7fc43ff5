"""The path through a Claude Code session: which lines the model's prompt still holds.

Every line names its parent. A user who goes back makes a second child, and what hung on the first is in no
later prompt. But parallel calls make second children too (each result hangs on the line of its own call), and
those are all shown. So lines are put in groups: an answer with its results is one, a user's prompt is one, and
what else hangs on a line is in that line's group. A group is gone when the path holds none of its lines.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

WORK_PER_LINE = 200  # a real session needs about 2; more is a file made to be slow
LOST_AFTER = 10  # lines that do not reach the path; a line can stand one or two before its parent


@dataclass(slots=True)
class Node:
    parent: str | None
    group: str


@dataclass(slots=True)
class Path:
    """The way from the root to the latest line, by their uuids."""

    nodes: dict[str, Node] = field(default_factory=dict)
    _way: list[str] = field(default_factory=list)
    _on_way: set[str] = field(default_factory=set)
    _groups: Counter[str] = field(default_factory=Counter)
    _work: int = 0
    _lost: int = 0

    def step(self, uuid: str, parent: str | None, group: str | None) -> set[str]:
        """Add a line, in a group of its own or (`None`) in its parent's. The groups that are gone with it.

        A parent that is not in the file is no evidence of anything.
        """
        above = self.nodes.get(parent) if parent else None
        self.nodes[uuid] = Node(parent, group or (above.group if above else uuid))
        ancestors = self._up_to_way(parent) if self._way else []
        if ancestors is None:
            self._lost += 1
            if self._lost > LOST_AFTER:
                self.restart()
                self._push(uuid)
            return set()
        self._lost = 0
        taken = self._shorten(ancestors[-1] if ancestors else uuid)
        for name in reversed(ancestors):
            self._push(name)
        self._push(uuid)
        return {self.nodes[name].group for name in taken if not self._groups[self.nodes[name].group]}

    def restart(self) -> None:
        """The prompt begins anew; what follows hangs on nothing before."""
        self._lost = 0
        self._way.clear()
        self._on_way.clear()
        self._groups.clear()

    def segment(self, head: str, tail: str) -> set[str]:
        """The groups of the lines from `tail` up to `head`; empty if `head` is not above `tail`."""
        found: set[str] = set()
        name: str | None = tail
        for _ in range(len(self.nodes)):
            node = self.nodes.get(name) if name else None
            if node is None:
                return set()
            found.add(node.group)
            if name == head:
                return found
            name = node.parent
        return set()

    def hang(self, uuid: str, parent: str) -> None:
        """Give a line another parent."""
        self.nodes[uuid].parent = parent

    def _up_to_way(self, parent: str | None) -> list[str] | None:
        """The lines from `parent` up to the way (exclusive), or `None` if they do not reach it."""
        found: list[str] = []
        seen: set[str] = set()
        while parent is not None and parent not in self._on_way:
            self._work += 1
            too_slow = self._work > WORK_PER_LINE * len(self.nodes) + 1000
            if parent not in self.nodes or parent in seen or too_slow:
                return None
            seen.add(parent)
            found.append(parent)
            parent = self.nodes[parent].parent
        return found if parent is not None else None

    def _shorten(self, lowest: str) -> list[str]:
        """Take the way back to the parent of `lowest`; what was taken off it."""
        fork = self.nodes[lowest].parent
        taken: list[str] = []
        while self._way and self._way[-1] != fork:
            name = self._way.pop()
            self._on_way.discard(name)
            self._groups[self.nodes[name].group] -= 1
            taken.append(name)
        return taken

    def _push(self, uuid: str) -> None:
        if uuid not in self._on_way:
            self._way.append(uuid)
            self._on_way.add(uuid)
            self._groups[self.nodes[uuid].group] += 1
