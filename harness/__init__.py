"""An evaluation harness for what an agent's context should hold.

This file has the version and the few protocols through which everything is extended. One file implements each
alternative; a registry (a dict in the package of its kind) gives it a short name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from harness.engines.turn import Answer, Declared, Identity, Tool, TurnInput
    from harness.formats.source import Head, Source
    from harness.policies.rendering import Run as PolicyRun
    from harness.report.report import Report
    from harness.transcript import Transcript

__version__ = "0.1.0"


class Format(Protocol):
    """A kind of recording (`harness.formats`)."""

    name: str

    def sniff(self, head: Head) -> bool:
        """Whether the source is of this format, told from its content alone."""

    def read(self, source: Source) -> Iterator[Transcript]:
        """The transcripts of a source, one at a time."""


class Policy(Protocol):
    """Decides what of a tool result the model sees (`harness.policies`). Immutable; the state of a run is in `start()`.

    label: the policy as it is written (`head:bytes=2000`), unique in a run. settings: every setting with its value, the
    defaults too. stage: `admission` (applied once, append-only) or `history` (rewrites the prompt later).
    page_bytes: how much one recovery of elided text brings back; `None` where there is none.
    """

    @property
    def label(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def stage(self) -> Literal["admission", "history"]: ...

    @property
    def page_bytes(self) -> int | None: ...

    def start(self, transcript: Transcript) -> PolicyRun:
        """Fresh state for one transcript."""


class Engine(Protocol):
    """A model that answers turns with tool calls (`harness.engines`), in a process of its own: one engine, one process.

    A dataclass: its fields are its settings. A turn that fails is an `EngineFailure`, a wrong setup a `HarnessError`.
    """

    def load(self) -> None:
        """Everything that is done once: libraries, weights, a connection."""

    def identity(self) -> Identity:
        """What it is, once loaded."""

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        """The tools of the turns that follow."""

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        """Answer one turn, in no more than `max_tokens` tokens."""

    def reset(self) -> None:
        """Forget the turns so far, keep the tools."""

    def close(self) -> None:
        """Let go of everything outside of the process."""


class Exporter(Protocol):
    """Writes a report in one form (`harness.report`)."""

    name: str

    def export(self, report: Report, directory: Path) -> list[Path]:
        """Write the report into a directory and return what was written, the file to open first in front."""
