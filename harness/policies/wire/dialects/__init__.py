"""The dialects in which a session is played: one file each."""

from __future__ import annotations

from harness.policies.wire.dialects.chat import Chat
from harness.policies.wire.dialects.messages import Messages
from harness.policies.wire.dialects.responses import Responses
from harness.policies.wire.said import Dialect

DIALECTS: dict[str, Dialect] = {"chat": Chat(), "responses": Responses(), "messages": Messages()}
OF_FORMAT = {"claude-code": "messages", "codex": "responses", "codex-exec": "responses"}
"""The dialect of an agent's recordings; all others are played as chat completions."""


def dialect_of(format: str) -> str:
    return OF_FORMAT.get(format, "chat")
