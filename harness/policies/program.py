"""A program of somebody else's as a policy: asked once for every distinct result, and watched while it answers.

A program that fails leaves the result as recorded, as an agent would have to; the failure is told. On a sample it is
asked twice: one that answers differently is not deterministic.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, get_args

from harness.engines.turn import EngineFailure
from harness.errors import HarnessError
from harness.policies.conduct import Asked, Conduct, draw
from harness.policies.family import Admission, Arrival
from harness.policies.kept_part import elided_bytes
from harness.policies.rendering import Prompt, Reach, Rendering, Run
from harness.transcript import ToolCall, ToolResult, Transcript


class Refused(Exception):
    """The program said that it will not, or answered what is no answer. kind: `refused` or `broken`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Answered:
    """reach, handle: how the whole can be had again, as the program says; `None` where it does not say."""

    text: str
    reach: Reach | None = None
    handle: str | None = None


class Filter(Protocol):
    """A running program."""

    def ask(self, arrival: Arrival) -> Answered:
        """Raises `EngineFailure` or `Refused`."""

    def memory(self) -> int | None:
        """Bytes at the peak so far."""

    def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Filtering(Admission):
    """reach: how the model can come by what is left out, where the program does not say. keeps_state: its answers
    depend on what it was asked before, so it is started anew for every session and nothing that it said is used again.
    twice: one result in so many (of a program that keeps state, one session) is asked twice; 0 for none.
    page: bytes that one recovery brings back, 0 if that is not known.
    """

    counts: ClassVar[str] = "bytes"
    reach: Reach = "rerun"
    keeps_state: bool = False
    page: int = 0
    twice: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.twice < 0 or self.page < 0:
            raise HarnessError(
                "twice is 1 to ask twice for every result, 20 for one in 20, 0 for none; page is 0 or more"
            )

    @property
    def page_bytes(self) -> int | None:
        return self.page or None

    @abstractmethod
    def open(self) -> Filter:
        """The program, started. Raises `HarnessError` where it cannot be."""

    @abstractmethod
    def shared(self) -> Filter:
        """The same, kept running from session to session."""

    @abstractmethod
    def ran(self) -> Mapping[str, Any]:
        """What ran: hashes and versions, as a manifest holds them."""

    def render(self, arrival: Arrival) -> Rendering:
        raise HarnessError("a program needs a session: call start() first")

    def start(self, transcript: Transcript) -> Run:
        return Session(self, transcript)


class Session:
    """A program over one transcript. `conduct` says how it behaved so far."""

    def __init__(self, policy: Filtering, transcript: Transcript) -> None:
        self.policy = policy
        self.conduct = Conduct()
        self._again = policy.keeps_state and draw(transcript.id, policy.twice)
        self._first: Filter | None = None
        self._second: Filter | None = None
        self._known: dict[tuple[str, str, str], tuple[Answered | None, Asked]] = {}

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        arrival = Arrival(result.value, index, result, call)
        if self.policy.spares(arrival):
            return Rendering(result.content)
        key = arrival.tool, call.arguments if call else "", arrival.value
        if self.policy.keeps_state or key not in self._known:
            self._known[key] = self._asked(arrival)
            answer, asked = self._known[key]
            self.conduct.asked.append(asked)
        else:
            answer, _ = self._known[key]
        if answer is None or answer.text == result.content:
            return Rendering(result.content)
        elided = elided_bytes(arrival.value, answer.text)
        return Rendering(answer.text, elided, (answer.reach or self.policy.reach) if elided else "none", answer.handle)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        return {}

    def _asked(self, arrival: Arrival) -> tuple[Answered | None, Asked]:
        policy = self.policy
        if self._first is None:
            self._first = policy.open() if policy.keeps_state else policy.shared()
            self._second = policy.open() if self._again else self._first
        answer, seconds, failed = _one(self._first, arrival)
        again = None
        if self._again or (not policy.keeps_state and answer is not None and draw(arrival.value, policy.twice)):
            assert self._second is not None
            second, _, _ = _one(self._second, arrival)
            again = second.text if second is not None else arrival.result.content
        return answer, Asked(arrival.index, seconds, failed, again, self._first.memory())


def _one(program: Filter, arrival: Arrival) -> tuple[Answered | None, float, str]:
    began = time.perf_counter()
    try:
        answer, failed = program.ask(arrival), ""
    except (EngineFailure, Refused) as failure:
        answer, failed = None, failure.kind
    return answer, time.perf_counter() - began, failed


def answered(found: object) -> Answered:
    """What a program gave back: a text, or a table with `text`, and `reach` and `handle` where it says how the whole
    can be had again. Raises `Refused`."""
    if isinstance(found, str):
        return Answered(found)
    if not isinstance(found, Mapping):
        raise Refused("broken")
    if found.get("error"):
        raise Refused("refused")
    text, reach, handle = found.get("text"), found.get("reach"), found.get("handle")
    if not isinstance(text, str) or (reach is not None and reach not in get_args(Reach)):
        raise Refused("broken")
    if handle is not None and not isinstance(handle, str):
        raise Refused("broken")
    return Answered(text, reach, handle)
