"""The bundled engine: a small Needle model of the project's own, run by needle-rs.

needle-rs gives text, token ids and, if the model has the head for it, a confidence; it checks nothing and measures
nothing. So the envelope that is built here has neither `validation` nor rates nor memory.

The time to the first token is that of a run of one token just before the whole turn: needle-rs streams only without a
budget and without counting, and decodes greedily, so that both runs do the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from harness.engines.turn import Answer, Declared, EngineFailure, Identity, Tool, TurnInput, sha256_of
from harness.errors import HarnessError

if TYPE_CHECKING:
    from needle_rs import V3Engine

MODEL: Final = Path(__file__).parent / "models" / "tiny.cact"
CUT_OFF: Final = {"MaxTokens": "the token budget was too small", "MaxSeqLen": "the window was too small"}


@dataclass
class Tiny:
    """model: a `.cact` file, the bundled one if empty. depth: how many of its layers to run, 0 for all. constrain:
    decode only tool and argument names that are declared."""

    model: str = ""
    depth: int = 0
    constrain: bool = False
    _engine: V3Engine | None = field(default=None, init=False, repr=False)
    _tools: str = field(default="[]", init=False, repr=False)
    _system: str | None = field(default=None, init=False, repr=False)

    def load(self) -> None:
        try:
            from needle_rs import V3Engine
        except ImportError:
            raise HarnessError(
                "needle-rs is not installed: pip install 'context-policy-harness[tiny]' (no wheel for Linux on ARM; "
                "there use recorded envelopes)"
            ) from None
        path = str(self._path)
        try:
            self._engine = V3Engine.load_with_depth(path, self.depth) if self.depth else V3Engine.load(path)
        except (OSError, ValueError, RuntimeError) as error:
            raise HarnessError(f"{path}: needle-rs cannot load it ({error}); give the path of a .cact file") from error

    def identity(self) -> Identity:
        assert self._engine is not None
        return Identity(
            "tiny",
            f"needle-rs {version('needle-rs')}",
            {"weights": sha256_of(self._path)},
            {
                "model": self.model or MODEL.name,
                "depth": self.depth,
                "constrain": self.constrain,
                "layers": self._engine.num_layers,
            },
            self._engine.max_seq_len,
        )

    def declare(self, tools: Sequence[Tool], system: str) -> Declared:
        # The model was trained on definitions in this order, and a small one does not generalise over it.
        ordered = [{key: tool[key] for key in ("name", "description", "parameters") if key in tool} for tool in tools]
        self._tools, self._system = orjson.dumps(ordered).decode("utf-8"), system or None
        return Declared()

    def complete(self, turn: TurnInput, max_tokens: int) -> Answer:
        assert self._engine is not None
        began = time.perf_counter()
        self._generate(turn.text, 1)
        first = time.perf_counter()
        found = self._generate(turn.text, max_tokens)
        ended = time.perf_counter()
        if found["stop_reason"] == "MaxSeqLen" and not found["token_ids"]:
            raise EngineFailure("overflow", f"the prompt does not fit into {self._engine.max_seq_len} tokens")
        confidence = self._engine.confidence_for(turn.text, self._tools, found["text"])
        return Answer(
            envelope(found, confidence),
            ended - first,
            first - began,
            found["positions"] - len(found["token_ids"]),
            len(found["token_ids"]),
        )

    def reset(self) -> None:
        """Nothing to forget: every turn stands alone."""

    def close(self) -> None:
        self._engine = None

    @property
    def _path(self) -> Path:
        return Path(self.model) if self.model else MODEL

    def _generate(self, text: str, max_tokens: int) -> dict[str, Any]:
        assert self._engine is not None
        found: dict[str, Any] = self._engine.generate(
            text, self._tools, max_new_tokens=max_tokens, system=self._system, constrain=self.constrain
        )
        return found


def envelope(found: dict[str, Any], confidence: float | None) -> bytes:
    """What needle-rs gave back as an envelope: calls as the model wrote them, or a failure that says what is wrong.

    An answer cut off by the budget and a payload that is no list of calls are failures; `[]` is a refusal.
    """
    written: dict[str, Any] = {"type": "call"}
    payload = found["tool_call"]
    if found["stop_reason"] in CUT_OFF:
        written |= {"success": False, "error_code": "truncated", "reason": CUT_OFF[found["stop_reason"]]}
    elif payload is None:
        written |= {"type": "respond", "success": True, "function_calls": []}
    else:
        try:
            calls = orjson.loads(payload)
        except orjson.JSONDecodeError:
            calls = None
        if isinstance(calls, list):
            written |= {"success": True, "function_calls": calls}
        else:
            written |= {"success": False, "error_code": "malformed_calls", "reason": "the payload is no list of calls"}
    if not written.get("function_calls") and payload != "[]":
        written["response"] = found["text"]
    if found["reasoning"] is not None:
        written["reasoning"] = found["reasoning"]
    if confidence is not None:
        written["confidence"] = confidence
    return orjson.dumps(written)
