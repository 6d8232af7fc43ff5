"""Usage in the attributes of spans.

The GenAI conventions and OpenInference count what the cache gave and took as a part of the input; older exporters pass
on Anthropic's counts, which stand apart. One span may not tell which: a trace is read by one reading a provider, apart
if any of its spans can be read in no other way. Anthropic bills some tokens of every prompt as plain input, so there
parts that are as large as the whole stand apart too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.formats.containers.otel_spans import Span
from harness.formats.usage import additive, contained
from harness.transcript import Usage

PROVIDER = ("gen_ai.provider.name", "gen_ai.system", "llm.provider")
GIVEN = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
MADE = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
TOTAL = ("gen_ai.usage.total_tokens", "llm.usage.total_tokens", "llm.token_count.total")
READ = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
    "llm.token_count.prompt_details.cache_read",
)
WRITTEN = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.details.cache_write_tokens",
    "llm.token_count.prompt_details.cache_write",
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What one span says, in tokens."""

    provider: str
    given: int | None
    read: int | None
    written: int | None
    made: int | None
    total: int | None

    @property
    def stand_apart(self) -> bool:
        """Whether the parts cannot be within the input count."""
        parts = (self.read or 0) + (self.written or 0)
        if self.given is None or not parts:
            return False
        if self.total is not None and self.total == self.given + parts + (self.made or 0):
            return True
        return parts > self.given or (parts == self.given and "anthropic" in self.provider)


def usages_of(spans: Sequence[Span]) -> list[Usage | None]:
    """The usage of every span of a recording, `None` where it has none."""
    counts = [_counts(span) for span in spans]
    apart = {c.provider for c in counts if c.stand_apart}
    return [(additive if c.provider in apart else contained)(c.given, c.read, c.written, c.made) for c in counts]


def _counts(span: Span) -> Counts:
    provider = next((v for key in PROVIDER if isinstance(v := span.attributes.get(key), str)), "")
    return Counts(provider.lower(), *(_count(span, keys) for keys in (GIVEN, READ, WRITTEN, MADE, TOTAL)))


def _count(span: Span, keys: Sequence[str]) -> int | None:
    for key in keys:
        value = span.attributes.get(key)
        if isinstance(value, str) and value.isdigit() and len(value) < 15:
            value = int(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e15:
            return int(value)
    return None
