"""What a task's tools act on: a temporary folder, a service on loopback, and what the policy keeps for the run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.loop.environment.service import Store, serve
from harness.loop.environment.workspace import Workspace
from harness.policies.car import typed_value
from harness.policies.family import Arrival
from harness.policies.rendering import Rendering
from harness.preview import JsonValue, SessionValues
from harness.transcript import ToolResult

SHOWN_AS = "/work"
Prepare = Callable[[Workspace], Store | None]

_SPILLED = re.compile(r"(?:written to|saved to|at this path:|full output(?: is)?(?: in| at)?:)\s*([^\s\]>\"']+)", re.I)


def spilled_path(shown: str) -> str | None:
    """The file that a rendering says holds the whole value."""
    found = _SPILLED.search(shown)
    return found.group(1).rstrip(".,:;") if found else None


@dataclass
class World:
    """root: the folder. address: of the service, empty without one. values: what `$rN` stands for. handles: values
    whose handles a tool can read. spilled: whole values by the path under which a policy says that it wrote them."""

    root: Path
    address: str = ""
    store: Store | None = None
    page_bytes: int | None = None
    values: SessionValues = field(default_factory=SessionValues)
    handles: dict[str, JsonValue] = field(default_factory=dict)
    spilled: dict[str, str] = field(default_factory=dict)

    def keep(self, view: Rendering, index: int, result: ToolResult, parse: str) -> None:
        """What the policy holds for the run when a result arrives."""
        if view.handle is not None:
            arrival = Arrival(result.value, index, result, None)
            value = typed_value(arrival, "sniff" if parse == "sniff" else "recorded")
            self.handles[view.handle] = value
            if view.handle == f"r{len(self.values) + 1}":
                self.values.put(value)
        if view.reach == "file" and (path := spilled_path(view.text)) is not None:
            self.spilled[path] = result.value


@contextmanager
def open_world(prepare: Prepare, page_bytes: int | None) -> Iterator[World]:
    """A fresh world for one run, gone at the end of the block."""
    with TemporaryDirectory(prefix="loop-") as folder:
        workspace = Workspace(Path(folder), SHOWN_AS)
        store = prepare(workspace)
        if store is None:
            yield World(workspace.root, page_bytes=page_bytes)
            return
        with serve(store) as address:
            yield World(workspace.root, address, store, page_bytes)
