"""What an engine was asked, as a digest: a recorded envelope answers that question and no other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson

from harness.engines.turn import Tool, TurnInput


def question_digest(turn: TurnInput, tools: Sequence[Tool], system: str) -> str:
    """SHA-256 (32 hex digits) of all that an engine sees of a turn: the system prompt, the tools as declared, the
    messages before (so also what a policy showed of a value), the input. The id of the turn is no part of it."""
    seen: dict[str, Any] = {
        "system": system,
        "tools": [dict(tool) for tool in tools],
        "context": [dict(message) for message in turn.context],
        "input": turn.input,
    }
    try:
        text = orjson.dumps(seen, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a lone surrogate
        text = repr(seen).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]
