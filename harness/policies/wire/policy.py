"""A proxy between agent and provider as a policy: a recorded session is played through it, and what it sends on counts.

wire:run="my-proxy --port {port} --upstream {upstream}"
wire:run="my-proxy",env=PORT={port}+OPENAI_BASE_URL={upstream}/v1,dialect=chat
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from harness.engines.command_line import hashes_of, words_of
from harness.errors import HarnessError
from harness.policies.conduct import draw
from harness.policies.family import Family, Stage
from harness.policies.kept_part import elided_bytes
from harness.policies.rendering import Prompt, Reach, Rendering, Run
from harness.policies.units import utf8_length
from harness.policies.wire.advertised import advertised, has, tools_of
from harness.policies.wire.dialects import dialect_of
from harness.policies.wire.play import Played, Setup, play
from harness.transcript import ToolCall, ToolResult, Transcript


@dataclass(frozen=True, kw_only=True)
class Wire(Family):
    """What a proxy sends on of each request. `run` starts it, `{port}` and `{upstream}` in it or in `env` tell it where
    to listen and where the provider is.

    dialect: in which a session is played; auto: that of its agent. stream: whether answers are asked for piece by
    piece; auto: as Claude Code and Codex do, others not. seconds: for one request; start_seconds: until it listens.
    reach: how the model can come by what is left out of a result; page: bytes that one recovery brings back, 0 if that
    is not known. keeps_state: it is started anew for every session; if not, it is kept running. twice: one session in
    so many is played twice; 0 for none. min_bytes: `inf` for no proxy at all; any other size does nothing here. build:
    what to call its version.
    """

    stage: ClassVar[Stage] = "history"
    counts: ClassVar[str] = "bytes"
    run: str = ""
    env: tuple[str, ...] = ()
    dialect: Literal["auto", "chat", "responses", "messages"] = "auto"
    stream: Literal["auto", "yes", "no"] = "auto"
    seconds: float = 60
    start_seconds: float = 60
    reach: Reach = "rerun"
    page: int = 0
    keeps_state: bool = True
    twice: int = 20
    build: str = ""
    min_bytes: float = 0

    def __post_init__(self) -> None:
        for pair in self.env:
            if "=" not in pair:
                raise HarnessError(f"env: {pair!r} is no NAME=value; several are joined by +")
        if self.twice < 0 or self.page < 0:
            raise HarnessError("wire: twice and page are 0 or more")

    @property
    def page_bytes(self) -> int | None:
        return self.page or None

    def ran(self) -> Mapping[str, Any]:
        if math.isinf(self.min_bytes):
            return {}
        return {"run": self.run, "build": self.build, "hashes": hashes_of(words_of(self.run))}

    def start(self, transcript: Transcript) -> Run:
        if math.isinf(self.min_bytes) or not transcript.requests():
            return WireRun(self, transcript, Played(), None)
        setup = self.setup(transcript)
        again = play(transcript, setup) if draw(transcript.id, self.twice) else None
        return WireRun(self, transcript, play(transcript, setup), again)

    def setup(self, transcript: Transcript) -> Setup:
        dialect = dialect_of(transcript.format) if self.dialect == "auto" else self.dialect
        streams = dialect_of(transcript.format) != "chat" if self.stream == "auto" else self.stream == "yes"
        return Setup(
            *(tuple(words_of(self.run)), self.env, dialect, streams),
            *(self.seconds, self.start_seconds, self.keeps_state),
        )


class WireRun:
    """What arrived of one session. Results stand as they first arrived; a later change is a rewriting."""

    def __init__(self, policy: Wire, transcript: Transcript, played: Played, again: Played | None) -> None:
        self.policy = policy
        self.played = played
        self.again = again
        self._tools = tools_of(transcript)
        self._values: dict[int, ToolResult] = {}
        self._views: dict[int, Rendering] = {}
        self._first: dict[int, str] = {}
        for step in played.steps:
            for one in step.arrived:
                if one.sent is not None:
                    self._first.setdefault(one.sent, one.item.text)

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        self._values[index] = result
        self._views[index] = self._rendering(index, self._first.get(index, result.content))
        return self._views[index]

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        """Results that stand otherwise than they did."""
        if prompt.request >= len(self.played.steps):
            return {}
        step = self.played.steps[prompt.request]
        shown = {one.sent: one.item.text for one in step.arrived if one.sent in self._values}
        shown |= {at: "" for at in step.dropped if at in self._values}
        changed = {i: text for i, text in shown.items() if i is not None and text != self._views[i].text}
        found = {i: self._rendering(i, text) for i, text in changed.items()}
        self._views |= found
        return found

    def _rendering(self, index: int, text: str) -> Rendering:
        result = self._values[index]
        if text == result.content:
            return Rendering(text)
        elided = elided_bytes(result.value, text) if text else utf8_length(result.value)
        if not elided:
            return Rendering(text)
        shown = any(has(tool, self._tools) for tool in advertised(text, result.value))
        return Rendering(text, elided, "handle-read" if shown else self.policy.reach)
