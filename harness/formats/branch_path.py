"""The path through a session whose lines name their parents: which of them the model's prompt still holds.

A user who goes back makes a second child, and what hung on the first is in no later prompt, until the user goes back to
that. But parallel calls can make second children too (each result hangs on the line of its own call), and those are all
shown. So lines are put in groups: an answer with its results is one, a user's prompt is one, and what else hangs on a
line is in that line's group. A group is gone when the path holds none of its lines.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

WORK_PER_LINE = 200  # a real session needs about 2; more is a file made to be slow
LOST_AFTER = 10  # lines that do not reach the path; a line can stand one or two before its parent


@dataclass(slots=True)
class Node:
    parent: str | None
    group: str


class Turn(NamedTuple):
    """What a line changed on the path besides adding itself: the groups that left it, and those that came back."""

    gone: set[str]
    back: set[str]


STRAIGHT_ON = Turn(set(), set())


@dataclass(slots=True)
class Path:
    """The way from the root to the latest line, by their names."""

    nodes: dict[str, Node] = field(default_factory=dict)
    _way: list[str] = field(default_factory=list)
    _on_way: set[str] = field(default_factory=set)
    _groups: Counter[str] = field(default_factory=Counter)
    _work: int = 0
    _lost: int = 0

    def step(self, name: str, parent: str | None, group: str | None) -> Turn:
        """Add a line, in a group of its own or (`None`) in its parent's.

        A parent that is not in the file is no evidence of anything.
        """
        above = self.nodes.get(parent) if parent else None
        self.nodes[name] = Node(parent, group or (above.group if above else name))
        ancestors = self._up_to_way(parent) if self._way else []
        if ancestors is None:
            self._lost += 1
            if self._lost > LOST_AFTER:
                self.restart()
                self._push(name)
            return STRAIGHT_ON
        self._lost = 0
        taken = {self.nodes[n].group for n in self._shorten(ancestors[-1] if ancestors else name)}
        back = {self.nodes[n].group for n in ancestors if not self._groups[self.nodes[n].group]}
        for ancestor in reversed(ancestors):
            self._push(ancestor)
        self._push(name)
        return Turn({g for g in taken if not self._groups[g]}, back - taken)

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

    def hang(self, name: str, parent: str) -> None:
        """Give a line another parent."""
        self.nodes[name].parent = parent

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

    def _push(self, name: str) -> None:
        if name not in self._on_way:
            self._way.append(name)
            self._on_way.add(name)
            self._groups[self.nodes[name].group] += 1
