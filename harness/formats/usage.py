"""Recorded usage of one request, in the dialects of the providers.

A count of the cache is a part of the prompt. Whether it is a part of the count that is called input differs:

- *contained*: OpenAI (chat and Responses), Gemini, ATIF, OpenInference;
- *additive*: Anthropic, OpenCode, pi, Kimi, Cline's editor tasks;
- *either*: gateways and exporters that pass on what a provider said (LiteLLM, OpenTelemetry, Inspect, Copilot).

`Usage` itself refuses a part that is larger than its whole.
"""

from __future__ import annotations

from harness.formats.record import Record
from harness.transcript import Usage


def additive(
    fresh: int | None, read: int | None, written: int | None, output: int | None, written_1h: int | None = None
) -> Usage | None:
    """Usage where the input count is only what the cache neither gave nor took. `None` if it reports nothing or only
    zeros, as dumps without usage do."""
    fresh, read, written, output, hour = map(_known, (fresh, read, written, output, written_1h))
    if not any((fresh, read, written, output)):
        return None
    whole = None if fresh is None else fresh + (read or 0) + (written or 0)
    if hour is not None and hour > (written or 0):
        hour = None
    return Usage(whole, read, written, output, hour)


def contained(whole: int | None, read: int | None, written: int | None, output: int | None) -> Usage | None:
    """Usage where the input count is the whole prompt. Where its parts exceed it, the counts contradict each other:
    the prompt is not identified, and neither are its parts."""
    whole, read, written, output = map(_known, (whole, read, written, output))
    if whole is not None and (read or 0) + (written or 0) > whole:
        whole = read = written = None
    return Usage(whole, read, written, output) if whole or output else None


def either(
    given: int | None, read: int | None, written: int | None, output: int | None, total: int | None = None
) -> Usage | None:
    """Usage of which it is not known whether the input count holds that of the cache: the total tells, or that the
    parts exceed it."""
    given, read, written, output, total = map(_known, (given, read, written, output, total))
    parts = (read or 0) + (written or 0)
    adds_up = given is not None and parts > 0 and total == given + parts + (output or 0)
    exceeds = given is not None and parts > given
    return (additive if adds_up or exceeds else contained)(given, read, written, output)


def usage_of(record: Record) -> Usage | None:
    """The usage in a provider's `usage` object.

    Chat completions: `prompt_tokens` holds the whole prompt. Responses: so does `input_tokens`. Anthropic:
    `input_tokens` is only what the cache neither gave nor took.
    """
    if "prompt_tokens" in record or "completion_tokens" in record:
        return _chat(record)
    if "cache_read_input_tokens" in record or "cache_creation_input_tokens" in record:
        return _anthropic(record)
    details = record.record("input_tokens_details")
    return contained(
        record.integer("input_tokens"), details.integer("cached_tokens"), None, record.integer("output_tokens")
    )


def _chat(record: Record) -> Usage | None:
    details = record.record("prompt_tokens_details")
    cached = details.integer("cached_tokens")
    written = details.integer("cache_creation_tokens")
    return either(
        record.integer("prompt_tokens"),
        record.integer("cache_read_input_tokens") if cached is None else cached,
        record.integer("cache_creation_input_tokens") if written is None else written,
        record.integer("completion_tokens"),
        record.integer("total_tokens"),
    )


def _anthropic(record: Record) -> Usage | None:
    return additive(
        record.integer("input_tokens"),
        record.integer("cache_read_input_tokens"),
        record.integer("cache_creation_input_tokens"),
        record.integer("output_tokens"),
        record.record("cache_creation").integer("ephemeral_1h_input_tokens"),
    )


def _known(count: int | None) -> int | None:
    return None if count is None or count < 0 else count


def converse_usage(record: Record) -> Usage | None:
    """Usage of Bedrock's Converse API: `inputTokens` is what the cache neither gave nor took."""
    counts = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", "outputTokens")
    fresh, read, written, output = map(record.integer, counts)
    return additive(fresh, read, written, output)


def cohere_usage(record: Record) -> Usage | None:
    """Usage of Cohere's chat API: `tokens` is what the model saw and wrote; `billed_units` leaves its own frame out."""
    tokens = record.record("tokens")
    cached = record.integer("cached_tokens")
    return contained(tokens.integer("input_tokens"), cached, None, tokens.integer("output_tokens"))
