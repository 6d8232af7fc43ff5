"""Recorded usage of one request, in the dialects of the providers."""

from __future__ import annotations

from harness.formats.record import Record
from harness.transcript import Usage


def usage_of(record: Record) -> Usage | None:
    """The usage in a provider's `usage` object; `None` if it reports nothing or only zeros, as dumps without
    it do.

    Chat completions: `prompt_tokens` holds the whole prompt. Responses: so does `input_tokens`. Anthropic:
    `input_tokens` is only what the cache neither gave nor took, so the two cache counts are added.
    """
    if "prompt_tokens" in record or "completion_tokens" in record:
        found = _chat(record)
    elif "cache_read_input_tokens" in record or "cache_creation_input_tokens" in record:
        found = _anthropic(record)
    else:
        details = record.record("input_tokens_details")
        found = Usage(
            input_tokens=record.integer("input_tokens"),
            cached_tokens=details.integer("cached_tokens"),
            output_tokens=record.integer("output_tokens"),
        )
    return found if found.input_tokens or found.output_tokens else None


def _chat(record: Record) -> Usage:
    details = record.record("prompt_tokens_details")
    cached = details.integer("cached_tokens")
    written = details.integer("cache_creation_tokens")
    return Usage(
        input_tokens=record.integer("prompt_tokens"),
        cached_tokens=record.integer("cache_read_input_tokens") if cached is None else cached,
        cache_write_tokens=record.integer("cache_creation_input_tokens") if written is None else written,
        output_tokens=record.integer("completion_tokens"),
    )


def _anthropic(record: Record) -> Usage:
    fresh = record.integer("input_tokens")
    read = record.integer("cache_read_input_tokens")
    written = record.integer("cache_creation_input_tokens")
    return Usage(
        input_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
        cached_tokens=read,
        cache_write_tokens=written,
        output_tokens=record.integer("output_tokens"),
    )
