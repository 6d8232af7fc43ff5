"""Messages of a Strands session: each in an envelope with its number and time.

Source: strands-agents/sdk-python@1232230 `src/strands/types/session.py` (`SessionMessage`), `types/content.py`. What an
agent holds in memory (`agent.messages`) are Bedrock's messages, and read as those.

| field | what |
| --- | --- |
| `message.{role,content[]}` | a message in the shape of Bedrock's Converse API |
| `message.metadata.usage.{inputTokens,outputTokens,...}` | usage of an answer |
| `redact_message` | what stands in the prompt in place of `message`, where a guardrail took it out |
| `message_id`, `created_at` | its number, its time |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects import bedrock_converse
from harness.formats.dialects.choice import Fit
from harness.formats.record import Record
from harness.formats.usage import converse_usage


class Strands:
    """Strands session messages: Bedrock's, in an envelope with number and time."""

    name = "strands"

    def __init__(self) -> None:
        self._inner = bedrock_converse.BedrockConverse()

    def fit(self, message: dict[str, Any]) -> Fit:
        inner = message.get("message")
        if not isinstance(inner, dict) or "message_id" not in message or "role" in message:
            return Fit.NO
        return Fit.OWN if self._inner.fit(inner) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for envelope in messages:
            shown = "redact_message" if isinstance(envelope.raw("redact_message"), dict) else "message"
            before = len(assembly.messages)
            bedrock_converse.add_message(assembly, envelope.record(shown))
            usage = converse_usage(envelope.record("message").record("metadata").record("usage"))
            time = envelope.time("created_at")
            for at in range(before, len(assembly.messages)):
                message = assembly.messages[at]
                own = usage if message.role == "assistant" else None
                assembly.messages[at] = replace(message, time=time, usage=own)
