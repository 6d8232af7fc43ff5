"""Any server that speaks Anthropic's Messages with tools: the provider, or a gateway.

The answer is put together into an envelope as those of chat completions are. The key is read from the environment and
stands in no result.

    harness loop --driver anthropic:model=claude-haiku-4-5 --policy car --max-usd 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from harness.engines.anthropic_answer import AnthropicAnswer
from harness.engines.anthropic_messages import anthropic_messages
from harness.engines.chat_server import ChatServer, timed
from harness.engines.turn import Answer, Declared, Identity, Tool, TurnInput
from harness.engines.wire_names import WireNames

VERSION: Final = "2023-06-01"


@dataclass
class Anthropic:
    """model: as the server calls it. url: up to and with `/v1`. key: the variable with the key. temperature: for
    sampling, below 0 for the server's own, as newer models want it. seconds: without a byte until a turn has failed.
    retries: of passing failures. stream: whether the answer is asked for piece by piece. price: the model of `harness
    list prices` by which it is paid, its own if empty. metered: yes, no, or auto: whether it costs money, which by
    default all do that are not on this machine.
    """

    model: str
    url: str = "https://api.anthropic.com/v1"
    key: str = "ANTHROPIC_API_KEY"
    temperature: float = 0.0
    seconds: float = 60.0
    retries: int = 4
    stream: bool = True
    price: str = ""
    metered: str = "auto"
    _server: ChatServer | None = field(default=None, init=False, repr=False)
    _tools: list[dict[str, Any]] = field(default_factory=list, init=False, repr=False)
    _names: WireNames = field(default_factory=lambda: WireNames(()), init=False, repr=False)
    _system: str = field(default="", init=False, repr=False)

    def load(self) -> None:
        headers = {"anthropic-version": VERSION}
        url = self.url.rstrip("/")
        self._server = ChatServer(url, self.key, self.seconds, self.retries, "/messages", headers, "x-api-key")
        self._server.models()  # whether it is there, and takes the key

    def identity(self) -> Identity:
        names = ("model", "url", "key", "temperature", "seconds", "retries", "stream", "price", "metered")
        return Identity("anthropic", self.model, settings={name: getattr(self, name) for name in names}, remote=True)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._names = WireNames(str(tool["name"]) for tool in tools)
        self._tools = [
            {
                "name": self._names.wire(str(tool["name"])),
                "description": str(tool.get("description") or ""),
                "input_schema": tool.get("parameters") or {"type": "object"},
            }
            for tool in tools
        ]
        self._system = system
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        assert self._server is not None
        body: dict[str, Any] = {
            "model": self.model,
            "messages": anthropic_messages(turn, self._names),
            "max_tokens": max_tokens,
        }
        body |= {"system": self._system} if self._system else {}
        body |= {"tools": self._tools} if self._tools else {}
        body |= {"temperature": self.temperature} if self.temperature >= 0 else {}
        body |= {"stream": True} if self.stream else {}
        return timed(self._server, body, AnthropicAnswer, self._names)

    def reset(self) -> None:
        """Nothing to forget: every request holds its whole conversation."""

    def close(self) -> None:
        """Nothing to let go of: a connection ends with its request."""
