"""Whether a model's thinking stands in later prompts, where the client sends it again.

Anthropic's older models drop the thinking of earlier turns from the prompt; from Claude Opus 4.5 and Sonnet 4.6 on it
stays. Within a turn it always stays, which `Transcript.resends_reasoning` cannot say: on a Claude Code session with
Sonnet 4.5 (46 requests to compare) the recorded growth of the prompt is 1.33 times our count without thinking and 1.20
times with all of it, where 1.33 to 1.41 is what the tokenizers differ by; so it is left out. Other providers send the
model its thinking in encrypted form, of which the recorded text is only a summary.
"""

from __future__ import annotations

DROPS_EARLIER = (
    "claude-3",
    "claude-opus-4-1",
    "claude-opus-4-2",
    "claude-sonnet-4-2",
    "claude-sonnet-4-5",
    "claude-haiku-4-5",
)
LEFT_OUT = "thinking that later prompts of the same turn hold"


def resends_thinking(model: str | None) -> bool:
    """Whether the recorded thinking of this model counts in later prompts."""
    name = (model or "").rpartition("/")[2].replace(".", "-")
    return name.startswith("claude") and not name.startswith(DROPS_EARLIER)
