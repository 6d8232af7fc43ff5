"""Engines that call tools on the device: one file each, found by its short name."""

from __future__ import annotations

ENGINES: dict[str, str] = {
    "tiny": "harness.engines.tiny:Tiny",
    "needle": "harness.engines.needle:Needle",
    "llama": "harness.engines.llama:Llama",
    "openai": "harness.engines.openai:OpenAI",
    "anthropic": "harness.engines.anthropic:Anthropic",
    "command": "harness.engines.command:Command",
    "recorded": "harness.engines.recorded:Recorded",
}
GROUP = "harness.engines"
