"""Transcripts out: a `Transcript` as a recording in another tool's format, which that format's reader reads
back.

Each module says what its format cannot hold. What would change the figures if it were dropped in silence (a
compacted prompt, say) is refused with a sentence.

    from harness.export import exporter_named
    exporter = exporter_named("openai-messages")
    data = b"".join(exporter.export(t) for t in transcripts)      # JSONL: one conversation a line
"""

from __future__ import annotations

from typing import ClassVar, Protocol, cast

from harness.registry import load
from harness.transcript import Transcript

TRANSCRIPT_EXPORTERS: dict[str, str] = {
    "claude-code": "harness.export.claude_code:ClaudeCodeExporter",
    "openai-messages": "harness.export.openai_messages:OpenAIMessagesExporter",
    "atif": "harness.export.atif:AtifExporter",
}
GROUP = "harness.transcript_exporters"


class TranscriptExporter(Protocol):
    """Writes one transcript. `suffix` is how a file of it is named."""

    name: ClassVar[str]
    suffix: ClassVar[str]

    def export(self, transcript: Transcript) -> bytes:
        """The recording as UTF-8. The same transcript gives the same bytes. Raises `HarnessError` for a
        transcript that the format cannot hold without changing its figures."""


def exporter_named(name: str) -> TranscriptExporter:
    """The exporter of that name. An unknown name is a `HarnessError` that lists all."""
    return cast(TranscriptExporter, load(TRANSCRIPT_EXPORTERS, GROUP, name)())
