"""What an engine reports about itself, and whether the harness's clock and the operating system contradict it.

Read from the envelope of Needle (prefill_tps, decode_tps, peak_ram_mb) and of cactus-compute (the same rates,
ram_usage_mb, time_to_first_token_ms, total_time_ms, prefill_tokens, decode_tokens). What is not there stays absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

from harness.engines.envelope import Completion
from harness.engines.turn import Answer

TOLERANCE: Final = 0.10
"""A claim this far off is not yet contradicted: clocks are read at slightly different moments, MB may be MiB."""

HELD_BACK: Final = 4
"""Tokens that a server may hold back before it shows the first (a call must be whole, a letter may be several)."""

_CACTUS: Final = frozenset(
    {"ram_usage_mb", "time_to_first_token_ms", "total_time_ms", "prefill_tokens", "decode_tokens"}
)


@dataclass(frozen=True, slots=True)
class Claims:
    """Rates in tokens per second, memory in MB, times in seconds, counts in tokens."""

    prefill: float | None = None
    decode: float | None = None
    memory: float | None = None
    first: float | None = None
    seconds: float | None = None
    prompt_tokens: int | None = None
    output_tokens: int | None = None


def claims(completion: Completion) -> Claims:
    """The claims of an envelope."""
    other = orjson.loads(completion.text) if completion.reported & _CACTUS else {}

    def told(name: str, scale: float = 1.0) -> float | None:
        value = other.get(name)
        return value * scale if isinstance(value, int | float) and not isinstance(value, bool) else None

    def counted(name: str) -> int | None:
        value = told(name)
        return int(value) if value is not None else None

    def number(value: Any) -> float | None:
        return None if value is None else float(value.value)

    memory = number(completion.peak_ram_mb)
    return Claims(
        number(completion.prefill_tps),
        number(completion.decode_tps),
        told("ram_usage_mb") if memory is None else memory,
        told("time_to_first_token_ms", 1e-3),
        told("total_time_ms", 1e-3),
        counted("prefill_tokens"),
        counted("decode_tokens"),
    )


def contradicted_by_clock(claim: Claims, answer: Answer) -> list[str]:
    """Which claims cannot be true: `decode`, `prefill`, `first`, `seconds`.

    A rate is held against the clock only where tokens are counted. Where the first token is timed, the time that the
    rate stands for must be the time that passed, give or take a few tokens that a stream held back; where it is not, it
    must at least fit into the turn.
    """
    whole, first = answer.seconds, answer.first_seconds
    if whole is None:
        return []
    output = (claim.output_tokens if answer.output_tokens is None else answer.output_tokens) or 0
    prompt = (claim.prompt_tokens if answer.prompt_tokens is None else answer.prompt_tokens) or 0
    step = whole / output if output else 0.0
    found = []
    if output > 1 and claim.decode:
        decoding = (output - 1) / claim.decode
        if _longer(decoding, whole) if first is None else _differ(decoding, whole - first, HELD_BACK * step):
            found.append("decode")
    if prompt and claim.prefill:
        reading = prompt / claim.prefill
        if _longer(reading, whole) if first is None else _differ(reading + step, first, HELD_BACK * step):
            found.append("prefill")
    if claim.first is not None and (_longer(claim.first, whole) if first is None else _differ(claim.first, first)):
        found.append("first")
    if claim.seconds is not None and _differ(claim.seconds, whole):
        found.append("seconds")
    return found


def contradicted_by_system(memory: float | None, peak_bytes: int | None, loaded_bytes: int | None) -> list[str]:
    """`memory`, where the claimed peak (MB) is above all that the process had, or below what loading alone took."""
    if memory is None or peak_bytes is None or loaded_bytes is None:
        return []
    return ["memory"] if _longer(memory * 1e6, peak_bytes) or _longer(loaded_bytes, memory * 1e6) else []


def _longer(claimed: float, seen: float, slack: float = 0.0) -> bool:
    return claimed > seen * (1 + TOLERANCE) + slack


def _differ(claimed: float, seen: float, slack: float = 0.0) -> bool:
    return _longer(claimed, seen, slack) or _longer(seen, claimed, slack)
