"""Any server that speaks chat completions with tools: llama-server, Ollama, vLLM, LM Studio, or a provider.

The answer is put together into an envelope: calls as the server gave them, its own rates if it reports any (`timings`,
as llama.cpp does), never a validation or a confidence, which such servers do not have. The key is read from the
environment and stands in no result. The server is a process that the harness neither measures nor stops: no memory, and
if it shares a machine with the other engines of a run, its idle threads do too.

    harness bench --engine openai:url=http://127.0.0.1:8080/v1,model=qwen3 --tasks home.jsonl
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from harness.engines.chat_answer import ChatAnswer
from harness.engines.chat_messages import messages
from harness.engines.chat_server import ChatServer, timed
from harness.engines.turn import Answer, Declared, Identity, Tool, TurnInput
from harness.engines.wire_names import WireNames
from harness.errors import HarnessError


@dataclass
class OpenAI:
    """url: up to and with `/v1`. model: as the server calls it, its first if empty. key: the variable with the key.
    seed, temperature: for sampling. seconds: without a byte until a turn has failed. retries: of passing failures.
    extra: a JSON object of further fields of the request, such as {"cache_prompt": false}. stream: whether the answer
    is asked for piece by piece. price: the model of `harness list prices` by which it is paid, its own if empty.
    metered: yes, no, or auto: whether it costs money, which by default all do that are not on this machine.
    """

    url: str
    model: str = ""
    key: str = "OPENAI_API_KEY"
    temperature: float = 0.0
    seed: int = 1
    seconds: float = 30.0
    retries: int = 2
    extra: str = ""
    stream: bool = True
    price: str = ""
    metered: str = "auto"
    _server: ChatServer | None = field(default=None, init=False, repr=False)
    _model: str = field(default="", init=False, repr=False)
    _build: str = field(default="", init=False, repr=False)
    _more: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _tools: list[dict[str, Any]] = field(default_factory=list, init=False, repr=False)
    _names: WireNames = field(default_factory=lambda: WireNames(()), init=False, repr=False)
    _system: str = field(default="", init=False, repr=False)

    def load(self) -> None:
        self._more = _extra(self.extra)
        self._server = ChatServer(self.url.rstrip("/"), self.key, self.seconds, self.retries)
        listed = self._server.models()
        self._model = self.model or str(next((model.get("id") for model in listed), ""))
        if not self._model:
            raise HarnessError(f"{self.url}: the server lists no models; name one with model=…")
        owners = {str(model.get("owned_by") or "") for model in listed if model.get("id") == self._model}
        self._build = " ".join([self._model, *filter(None, owners)])

    def identity(self) -> Identity:
        names = ("url", "key", "temperature", "seed", "seconds", "retries", "extra", "stream", "price", "metered")
        settings = {"model": self._model} | {name: getattr(self, name) for name in names}
        return Identity("openai", self._build, settings=settings, remote=True)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._names = WireNames(str(tool["name"]) for tool in tools)
        self._tools = [
            {"type": "function", "function": {**tool, "name": self._names.wire(str(tool["name"]))}} for tool in tools
        ]
        self._system = system
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        assert self._server is not None
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [self._named(message) for message in messages(self._system, turn)],
            "max_tokens": max_tokens,
            "temperature": self.temperature,
            "seed": self.seed,
        }
        if self.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if self._tools:
            body["tools"] = self._tools
        return timed(self._server, body | self._more, ChatAnswer, self._names)

    def _named(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Calls of a conversation under the names that the server knows the tools by."""
        if not message.get("tool_calls"):
            return message
        calls = [
            call | {"function": call["function"] | {"name": self._names.wire(call["function"]["name"])}}
            for call in message["tool_calls"]
        ]
        return {**message, "tool_calls": calls}

    def reset(self) -> None:
        """Nothing to forget: every request holds its whole conversation."""

    def close(self) -> None:
        """Nothing to let go of: a connection ends with its request."""


def _extra(text: str) -> dict[str, Any]:
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError as error:
        raise HarnessError(f"extra={text!r} is no JSON ({error}); give an object") from error
    if not isinstance(found, dict):
        raise HarnessError(f"extra={text!r} must be a JSON object")
    return found
