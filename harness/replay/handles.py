"""What handles did in a recording of an agent that has them, and what it would have cost without.

CAR shows a preview of each value and keeps the whole under a name that the model may pass on (`"$r3.rows"`). References
are told as right (the handle was given before, and its preview shows the path), untold (a path that the preview does
not show), wrong (a path that is not there, or a handle written otherwise) and invented (never given). Without handles
each value would have stood in the prompt whole, and the model would have had to write each part out that it passed on:
both are estimated from the sizes that previews state, at the preview's own tokens per byte, cache warm.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from harness.json.value import JsonValue, MalformedJson, parse_value
from harness.money.bill import RequestPrices
from harness.preview.recorded import RecordedPreview, recorded_preview
from harness.replay.ledger import Account, Counter, Layout
from harness.transcript import Transcript

Fate = Literal["right", "untold", "wrong", "invented"]
REFERENCE = re.compile(r"\$(r\d+)(?:\.(.*))?", re.DOTALL)
MISWRITTEN = re.compile(r"[\s\"'`$({\[<]*(r\d+)(?:\.[\w.]*)?[\s\"'`)}\]>]*|.*\$\{?(r\d+)\b.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Use:
    """One argument that names a handle. request: the message that makes the call. size: bytes of what a right one
    stands for, `None` where no preview states them."""

    request: int
    handle: str
    fate: Fate
    text: str
    size: int | None


def previews(transcript: Transcript) -> dict[int, RecordedPreview]:
    """The results that stand as previews, by message."""
    found = ((i, recorded_preview(m.result.content)) for i, m in enumerate(transcript.messages) if m.result is not None)
    return {i: seen for i, seen in found if seen is not None}


def uses(transcript: Transcript) -> list[Use]:
    """Every argument of a call that names a handle, in order."""
    shown = previews(transcript)
    known: dict[str, RecordedPreview] = {}
    found: list[Use] = []
    for i, message in enumerate(transcript.messages):
        if i in shown:
            known[shown[i].handle] = shown[i]
        if shown and not message.copied:
            for call in message.calls:
                found += (
                    use for text in _strings(_parsed(call.arguments)) if (use := _use(i, text, known)) is not None
                )
    return found


def handle_columns(layout: Layout, identity: Account, counter: Counter, prices: RequestPrices) -> dict[str, Any]:
    """The columns of one transcript. Estimates leave out what states no size, and count it."""
    transcript = layout.transcript
    shown = previews(transcript)
    named = uses(transcript)
    fates = Tally(use.fate for use in named)
    parts = {i: seen for i, seen in shown.items() if not seen.whole}
    density = {
        seen.handle: counter.count(seen.body) / max(len(seen.body.encode("utf-8", "surrogatepass")), 1)
        for seen in shown.values()
    }
    whole = {
        i: max(0, round(seen.size * density[seen.handle]) - counter.count(seen.body))
        for i, seen in parts.items()
        if seen.size is not None
    }
    written: Tally[int] = Tally()
    for use in named:
        if use.fate == "right" and use.size is not None:
            written[use.request] += max(0, round(use.size * density[use.handle]) - counter.count(use.text))
    prompt_tokens, prompt_usd = _carried(layout, identity, prices, whole)
    kept_tokens, kept_usd = _carried(layout, identity, prices, dict(written))
    *_, out = prices.rates(identity.prompt)
    at = {int(i): k for k, i in enumerate(layout.requests)}
    output_usd = sum(float(out[at[i]]) * tokens for i, tokens in written.items() if i in at) / 1e6
    return {
        "handles_given": len(shown),
        "handles_partly_shown": len(parts),
        "handles_size_not_stated": len(parts) - len(whole),
        "stated_bytes": sum(seen.size for seen in parts.values() if seen.size is not None),
        **{f"references_{fate}": fates[fate] for fate in ("right", "untold", "wrong", "invented")},
        "references_size_not_stated": sum(1 for use in named if use.fate == "right" and use.size is None),
        "written_out_tokens": sum(written.values()),
        "written_out_carried_tokens": kept_tokens,
        "written_out_cost": output_usd + kept_usd,
        "whole_values_tokens": prompt_tokens,
        "whole_values_cost": prompt_usd,
    }


def _carried(layout: Layout, identity: Account, prices: RequestPrices, more: dict[int, int]) -> tuple[int, float]:
    """Input tokens and USD if messages had so many tokens more, in every prompt that shows them."""
    if not more:
        return 0, 0.0
    extra = np.zeros(len(layout.requests), np.int64)
    new = np.zeros_like(extra)
    before: set[int] = set()
    for k, (_, shown) in enumerate(layout.transcript.prompts()):
        standing = more.keys() & set(shown)
        extra[k] = sum(more[i] for i in standing)
        new[k] = sum(more[i] for i in standing - before)
        before = standing
    _, read, write, _ = prices.rates(identity.prompt + extra)
    return int(extra.sum()), float((write * new + read * (extra - new)).sum() / 1e6)


def _use(request: int, text: str, known: dict[str, RecordedPreview]) -> Use | None:
    if match := REFERENCE.fullmatch(text):
        handle, path = match[1], match[2] or ""
        if handle not in known:
            return Use(request, handle, "invented", text, None)
        told = known[handle].names(path)
        fate: Fate = "untold" if told is None else "right" if told else "wrong"
        return Use(request, handle, fate, text, known[handle].size_of(path) if told else None)
    match = MISWRITTEN.fullmatch(text) if len(text) < 10_000 else None
    if match is not None and (handle := match[1] or match[2]) in known:
        return Use(request, handle, "wrong", text, None)
    return None


def _parsed(arguments: str) -> JsonValue:
    try:
        return parse_value(arguments)
    except MalformedJson:
        return arguments


def _strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
