"""What a manifest says of recordings and of how their tokens were counted."""

from __future__ import annotations

import hashlib
from typing import Any

from harness.tokens.profiles import TokenProfile
from harness.tokens.vocabulary import rank_file, tiktoken_version


def token_record(profile: TokenProfile) -> dict[str, Any]:
    """The token profile with the hash of its vocabulary and the tokenizer that counted."""
    return {
        "profile": profile.name,
        "encoding": profile.encoding,
        "priming": profile.priming,
        "per_message": {role: profile.message_framing(role) for role in ("system", "user", "assistant", "tool")},
        "per_call": profile.per_call,
        "tool_definitions": profile.tool_definitions,
        "source": profile.source,
        "vocabulary_sha256": rank_file(profile.encoding).sha256,
        "tiktoken": tiktoken_version(),
    }


def corpus_record(digests: dict[str, str]) -> dict[str, Any]:
    """How many transcripts, and one hash over all of them by name."""
    lines = "".join(f"{name}\t{digest}\n" for name, digest in sorted(digests.items()))
    return {
        "transcripts": len(digests),
        "sha256": hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest(),
    }
