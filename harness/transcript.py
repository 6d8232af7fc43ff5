"""What every format is read into: plain frozen data, and nothing that computes figures.

A transcript is the ordered messages of one agent run, and for every request the messages that its model was really
shown. A sub-agent has a transcript of its own.

    harness inspect my-session.jsonl
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider billed for one request, in tokens. `None` is *not reported*, never zero.

    input_tokens: the whole prompt; it includes `cached_tokens`, which were read from the cache, and
        `cache_write_tokens`, which were written to it. cache_write_1h_tokens: of those, the ones kept for an hour.
    A part that exceeds its whole is a `ValueError`: readers decide what such a record means (`harness.formats.usage`).
    """

    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    cache_write_1h_tokens: int | None = None

    def __post_init__(self) -> None:
        parts = (self.cached_tokens or 0) + (self.cache_write_tokens or 0)
        if self.input_tokens is not None and parts > self.input_tokens:
            raise ValueError(f"{parts} tokens read from and written to the cache, of {self.input_tokens} in the prompt")
        if (self.cache_write_1h_tokens or 0) > (self.cache_write_tokens or 0):
            raise ValueError(f"{self.cache_write_1h_tokens} tokens for an hour, of {self.cache_write_tokens} written")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as recorded: `arguments` is the text that the model wrote (JSON text in most formats)."""

    name: str
    arguments: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool call gave back.

    content: the text that stood in the prompt, as recorded; `identity` renders just this.
    is_json: recorded as something other than a string (so its JSON text is `content`), or the tool table says that the
        tool returns JSON and the text is JSON (`harness.tool_table`).
    call: index of the message that made the call, and which of its calls; `None` for a result without a call.
    clipped: name of the truncation marker that `content` bears (`harness.formats.clipping`), or `None`.
    whole: the value before it was clipped, where the recorder kept it beside the transcript.
    exit_code: of a command, where recorded.
    """

    content: str
    name: str = ""
    call_id: str | None = None
    call: tuple[int, int] | None = None
    is_json: bool = False
    is_error: bool | None = None
    clipped: str | None = None
    whole: str | None = None
    exit_code: int | None = None

    @property
    def value(self) -> str:
        """The text of the whole value as far as it is known."""
        return self.content if self.whole is None else self.whole


@dataclass(frozen=True, slots=True)
class Message:
    """One message. Exactly the messages of role `tool` have a `result`, and only those of role `assistant` have
    `calls`.

    reasoning: text of the model's reasoning. It is output; it stands in later prompts only if
    `Transcript.resends_reasoning`. images, encrypted: how many parts there are whose tokens cannot be counted.
    copied: brought in from another recording (a resumed or forked session): in the prompt, but its request is not ours.
    time: seconds since the epoch at which the message was recorded; for an assistant message with `started`, its end.
    """

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    result: ToolResult | None = None
    reasoning: str = ""
    images: int = 0
    encrypted: int = 0
    copied: bool = False
    message_id: str | None = None
    model: str | None = None
    time: float | None = None
    started: float | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """The recorder rewrote the prompt here: from message `at` on it starts with the messages `keep`, then those from
    `at`.

    A recorded summary is an ordinary message at or after `at`. kind says what happened: `compacted` (a summary replaces
    what was dropped), `cleared`, or `rewound` (the user went back; the messages between never happened for the model).
    """

    at: int
    keep: tuple[int, ...]
    kind: Literal["compacted", "cleared", "rewound"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, with its place. `lost` counts the records that it cost. `traceback`: of a bug
    in the reader, which is no fault of the file's."""

    place: str
    reason: str
    lost: int = 1
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, as its source says; what is `None` or empty was *not reported*.

    passed: whether its task was done. score: its grade, on the source's scale. reason: why it ended, in the source's
    words. limits: what it might use at most, such as `("steps", 250)`.
    """

    passed: bool | None = None
    score: float | None = None
    reason: str = ""
    limits: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """What a source reports of a whole run; `None` is *not reported*.

    requests: to the model. input_tokens: of all prompts; output_tokens: of all answers. usd: what they cost. seconds:
    from the start to the end.
    """

    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


def cluster_of(cluster: str, transcript: str) -> str:
    """The independent unit that a transcript belongs to: its task or repository, or itself where it has none."""
    return cluster or transcript


@dataclass(frozen=True, slots=True)
class Transcript:
    """One agent run.

    id: unique in a corpus and stable: the path of the file below the corpus folder, `#` and the run's own name if the
        file holds several.
    cluster: the task or repository, for intervals over independent units.
    tools: tool definitions as compact JSON, where recorded.
    run: what the source names this run by where it tells it from others of one task (task, trial, epoch); empty where
        it does not. session: the id that the recording gives itself; forked_from: that of the one it goes on from.
    task, repetition: what was to be done, and which of several runs of it this is, where the source says so. agent,
        version: who ran. outcome, totals: of the run as a whole.
    read: the share of its source's text that was read; `None` where that is not identified.
    unknown: what this recording cannot tell, one phrase each (`"usage"`, `"time"`, `"tool definitions"`, ...).
    """

    id: str
    format: str
    messages: tuple[Message, ...]
    cluster: str = ""
    model: str | None = None
    tools: tuple[str, ...] | None = None
    cuts: tuple[Cut, ...] = ()
    resends_reasoning: bool = False
    parent: str | None = None
    problems: tuple[Problem, ...] = ()
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    run: str = ""
    session: str = ""
    forked_from: str = ""
    read: float | None = None
    task: str = ""
    repetition: str = ""
    agent: str = ""
    version: str = ""
    outcome: Outcome = Outcome()
    totals: Totals = Totals()

    def requests(self) -> list[int]:
        """Indices of the assistant messages that this run asked its model for, in order."""
        return [i for i, m in enumerate(self.messages) if m.role == "assistant" and not m.copied]

    def results(self) -> list[int]:
        """Indices of the messages that hold tool results, in order."""
        return [i for i, m in enumerate(self.messages) if m.result is not None]

    def prompts(self) -> Iterator[tuple[int, list[int]]]:
        """Per request: the index of its assistant message, and the indices of the messages that its prompt shows, in
        order.

        The list is one and the same object, grown in place between cuts: copy it to keep it.
        """
        cuts = iter(self.cuts)
        cut = next(cuts, None)
        shown: list[int] = []
        for i, message in enumerate(self.messages):
            while cut is not None and cut.at == i:
                shown = list(cut.keep)
                cut = next(cuts, None)
            if message.role == "assistant" and not message.copied:
                yield i, shown
            shown.append(i)

    def digest(self) -> str:
        """SHA-256 over everything in the transcript that a figure can depend on (not its problems and notes)."""
        parts = (
            self.id,
            self.format,
            self.messages,
            self.cluster,
            self.tools,
            self.cuts,
            self.resends_reasoning,
            self.model,
            self.parent,
            *(part for part in (self.outcome, self.totals) if part not in (Outcome(), Totals())),
        )
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
