"""What goes into an engine and what comes out of it, for every engine alike.

Times are seconds by the harness's clock (`time.perf_counter` beside the call). None: the engine gives no way to know.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from harness.errors import HarnessError

Tool = Mapping[str, Any]
"""name, description, parameters (a JSON schema)."""

FailureKind = Literal["crash", "timeout", "flood", "half line", "unasked", "refused", "overflow"]
"""How a turn failed. overflow: the prompt does not fit into the window. After a turn that was refused or overflowed the
engine goes on."""
GOES_ON: Final = frozenset({"refused", "overflow"})


@dataclass(frozen=True, slots=True)
class TurnInput:
    """One turn: its id, what the user says, and the messages before it (role, content, and what else belongs to one).

    chat: the same as a conversation with calls and results, in the shape of OpenAI's chat messages, for engines that
    take one; empty where there are only texts. An engine that takes one text gets `text`: the contents of those
    messages and the input, a paragraph each.
    """

    id: str
    input: str
    context: Sequence[Mapping[str, Any]] = ()
    chat: Sequence[Mapping[str, Any]] = ()

    @property
    def text(self) -> str:
        before = (str(message.get("content") or "") for message in self.context)
        return "\n\n".join([*filter(None, before), self.input])


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn answered.

    envelope: the raw envelope, byte for byte. seconds: the whole turn, from the first attempt. first_seconds: until the
    first token was there. prompt_tokens: tokens read in this turn; output_tokens: tokens written, the first one among
    them. pieces: in how many pieces the model's words came; None where the engine has no stream to look at. retries:
    attempts that failed before this one. cached_tokens: of the prompt, not read but taken from the server's cache.
    """

    envelope: bytes
    seconds: float | None = None
    first_seconds: float | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None
    pieces: int | None = None
    retries: int = 0
    cached_tokens: int | None = None

    def to_record(self) -> dict[str, Any]:
        """All but the envelope, as JSON holds it."""
        return {name: getattr(self, name) for name in OBSERVED}


OBSERVED: Final = tuple(f.name for f in fields(Answer) if f.name != "envelope")
"""What is observed of a turn beside its envelope."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The tools are known to the engine. prefix_tokens: the tokens of system prompt and tools, read once, now."""

    seconds: float | None = None
    prefix_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """What an engine is: enough to have the same one again.

    build: version of the program or library. hashes: SHA-256 of library and weights by what they are. settings: all of
    them, never a secret. window: tokens of its context. live: a model runs; False for a recording. remote: it runs in
    a process that the harness did not start, so that memory and CPU time cannot be seen.
    """

    name: str
    build: str
    hashes: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    window: int | None = None
    live: bool = True
    remote: bool = False

    def to_record(self) -> dict[str, Any]:
        return asdict(self)


class EngineFailure(Exception):
    """A turn that brought no whole envelope: a result, not an error of the harness.

    kind: how it failed. received: what the engine had written until then.
    """

    def __init__(self, kind: FailureKind, detail: str, received: bytes = b"") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.received = received


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hex. Raises `HarnessError` if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); give the path of a file") from error
