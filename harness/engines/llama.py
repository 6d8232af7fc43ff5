"""llama.cpp in process, by xllamacpp, with a GGUF file of one's own: calls are decoded under a JSON schema.

The tools stand in the system prompt, since the templates of small models drop `tools` without a word; the schema admits
a list of calls of declared tools with arguments of their schemas, and the empty list. Rates are llama.cpp's own. Its
prompt cache is off, so that every turn reads its whole prompt. xllamacpp opens a port on the loopback interface.

    harness bench --engine llama:model=SmolLM2-135M-Instruct.Q4_1.gguf --tasks home.jsonl
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import orjson

from harness.engines.chat_answer import ChatAnswer
from harness.engines.chat_messages import messages
from harness.engines.overflow import refusal
from harness.engines.turn import Answer, Declared, Identity, Tool, TurnInput, sha256_of
from harness.errors import HarnessError

MOST_CALLS: Final = 8
INSTRUCTION: Final = """\
Answer with a JSON list of tool calls, with values taken from the user's words. Answer [] if no tool fits.
Example: with the tool set_alarm(time) the words "alarm at 6:15" become \
[{"name": "set_alarm", "arguments": {"time": "6:15"}}] and the words "how are you" become [].
Tools:
"""


@dataclass
class Llama:
    """model: a GGUF file. context: tokens of the window. threads: 0 for all cores but one. seed: for sampling, which is
    greedy. kv: type of the cache of keys and values, such as f16 or q8_0. raw: no tools and no schema; it writes on
    until the budget ends."""

    model: str
    context: int = 4096
    threads: int = 0
    seed: int = 1
    kv: str = "f16"
    raw: bool = False
    _server: Any = field(default=None, init=False, repr=False)
    _schema: Mapping[str, Any] = field(default_factory=dict, init=False, repr=False)
    _system: str = field(default="", init=False, repr=False)

    def load(self) -> None:
        try:
            import xllamacpp
        except ImportError:
            raise HarnessError("xllamacpp is not installed: pip install 'context-policy-harness[llama]'") from None
        if not Path(self.model).is_file():
            raise HarnessError(f"{self.model}: no such file; give the path of a GGUF file")
        settings = xllamacpp.CommonParams()
        settings.model.path = self.model
        settings.n_ctx = self.context
        settings.n_parallel = 1
        settings.verbosity = 0
        settings.cache_ram_mib = 0  # else answered prompts pile up in the host's memory, up to 8 GB
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self._threads
        settings.cache_type_k = settings.cache_type_v = _cache_type(xllamacpp.ggml_type, self.kv)
        try:
            self._server = xllamacpp.Server(settings)
        except (RuntimeError, ValueError) as error:
            raise HarnessError(f"{self.model}: llama.cpp cannot load it ({error}); give a whole GGUF file") from error

    def identity(self) -> Identity:
        hashes = {"weights": sha256_of(Path(self.model))}
        if library := _library():
            hashes["library"] = sha256_of(library)
        settings = {
            "model": self.model,
            "context": self.context,
            "threads": self._threads,
            "seed": self.seed,
            "kv": self.kv,
            "instruction": "" if self.raw else INSTRUCTION,
        }
        return Identity("llama", f"xllamacpp {version('xllamacpp')}", hashes, settings, self.context)

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        self._schema = calls_schema(tools)
        listed = "\n".join(orjson.dumps(dict(tool)).decode("utf-8") for tool in tools) or "none"
        self._system = "\n\n".join(filter(None, [system, INSTRUCTION + listed]))
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        return self._written_on(turn.text, max_tokens) if self.raw else self._called(turn, max_tokens)

    def _written_on(self, text: str, max_tokens: int) -> Answer:
        """A plain completion; times between tokens are by the clock beside the stream."""
        body = {"prompt": text, "max_tokens": max_tokens, "temperature": 0, "seed": self.seed, "stream": True}
        body |= {"ignore_eos": True, "cache_prompt": False, "stream_options": {"include_usage": True}}
        arrivals: list[float] = []
        last: dict[str, Any] = {}

        def take(event: str) -> None:
            said = orjson.loads(event)
            if "error" in said or "usage" in said:
                last.update(said)
            elif said.get("choices"):
                arrivals.append(time.perf_counter())

        began = time.perf_counter()
        try:
            self._server.handle_completions(orjson.dumps(body).decode("utf-8"), take)
        except (RuntimeError, ValueError) as error:
            raise refusal(str(error)) from error
        ended = time.perf_counter()
        if "error" in last:
            raise refusal(orjson.dumps(last["error"]).decode("utf-8"))
        timings, usage = last.get("timings") or {}, last.get("usage") or {}
        envelope: dict[str, Any] = {
            "type": "respond",
            "success": True,
            "function_calls": [],
            "inter_token_ms": [round(1000 * (after - before), 3) for before, after in pairwise(arrivals)],
        }
        for name, own in (("prefill_tps", "prompt_per_second"), ("decode_tps", "predicted_per_second")):
            if own in timings:
                envelope[name] = timings[own]
        return Answer(
            orjson.dumps(envelope),
            ended - began,
            arrivals[0] - began if arrivals else None,
            usage.get("prompt_tokens"),
            usage.get("completion_tokens"),
            len(arrivals),
        )

    def _called(self, turn: TurnInput, max_tokens: int) -> Answer:
        body = {
            "messages": list(messages(self._system, turn)),
            "max_tokens": max_tokens,
            "temperature": 0,
            "seed": self.seed,
            "json_schema": self._schema,
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        answer = ChatAnswer()
        first: list[float] = []

        def take(event: str) -> None:
            answer.add(orjson.loads(event))
            if answer.began and not first:
                first.append(time.perf_counter())

        began = time.perf_counter()
        try:
            self._server.handle_chat_completions(orjson.dumps(body).decode("utf-8"), take)
        except (RuntimeError, ValueError) as error:
            raise refusal(str(error)) from error
        seconds = time.perf_counter() - began
        answer.check_fits()
        return Answer(
            answer.envelope(answer.text_calls()),
            seconds,
            first[0] - began if first else None,
            answer.prompt_tokens,
            answer.output_tokens,
            answer.pieces,
        )

    def reset(self) -> None:
        """Nothing to forget: every request holds its whole conversation."""

    def close(self) -> None:
        self._server = None

    @property
    def _threads(self) -> int:
        return self.threads or max(1, (os.cpu_count() or 2) - 1)


def calls_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """The JSON schema of a list of calls of these tools."""
    return {"type": "array", "items": {"anyOf": list(_call_schemas(tools))}, "maxItems": MOST_CALLS if tools else 0}


def _call_schemas(tools: Sequence[Tool]) -> Iterator[dict[str, Any]]:
    for tool in tools:
        arguments = {"type": "object", "properties": {}, **(tool.get("parameters") or {})}
        fields = {"name": {"const": tool["name"]}, "arguments": arguments}
        yield {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _cache_type(types: Any, name: str) -> Any:
    found = getattr(types, f"GGML_TYPE_{name.upper()}", None)
    if found is None:
        raise HarnessError(f"kv is {name!r}, which llama.cpp does not have: give f16, bf16, f32, q8_0, q5_1 or q4_0")
    return found


def _library() -> Path | None:
    spec = importlib.util.find_spec("xllamacpp")
    folders = (spec.submodule_search_locations or []) if spec else []
    return next((path for folder in folders for path in sorted(Path(folder).glob("*.so"))), None)
