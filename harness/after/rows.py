"""The rows of one transcript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.after.acts import BACK, WITHIN, Act, Acts, After
from harness.after.habits import invented, limited_calls, repeats, thrashed
from harness.after.offers import cut_of
from harness.after.timeline import Made, Timeline
from harness.policies.units import utf8_length
from harness.transcript import Transcript, cluster_of

Count = Callable[[str], int]
TARGET: frozenset[Act] = frozenset({"asked narrower", "asked the same again", "asked otherwise"})
"""Those that ask for the same target, which a result that stands whole can have, too."""


def rows_of(transcript: Transcript, count: Count, within: int = WITHIN) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A row a result, and the row of the transcript. count: the tokens of a text."""
    timeline = Timeline(transcript)
    acts = Acts(timeline, within)
    named = {
        "transcript": transcript.id,
        "cluster": cluster_of(transcript.cluster, transcript.id),
        "agent": transcript.format,
    }
    results = [named | _result(timeline, after, count) for after in acts.after]
    return results, named | _whole(transcript, timeline, acts, count)


def _result(timeline: Timeline, after: After, count: Count) -> dict[str, Any]:
    message = timeline.transcript.messages[after.message]
    result, offer, made = message.result, after.offer, after.made
    assert result is not None
    shown = utf8_length(result.content)
    answer = timeline.transcript.messages[made.message] if made else None
    turned = offer is not None
    return {
        "model": (answer.model if answer else None) or timeline.transcript.model or "",
        "tool": result.name,
        "message": after.message,
        "cut": offer.cut if offer else "",
        "mark": result.clipped or "",
        "shown_bytes": shown,
        "whole_size": offer.whole if offer else shown,
        "told_by": offer.told_by if offer else "itself",
        "limited": made is not None and made.asked.limited,
        "offered": offer.kind if offer else "",
        "act": after.act,
        "distance": after.distance,
        "again": None if after.act == "not identified" else after.act in TARGET,
        "calls": len(after.back) if turned else 0,
        "requests": len({call.message for call in after.back}) if turned else 0,
        "tokens": sum(_tokens(timeline, call, count) for call in after.back) if turned else 0,
        "seconds": _seconds(timeline, after) if turned else None,
        "fate": after.fate or "",
        "used_after": after.later,
        "root": after.root,
    }


def _tokens(timeline: Timeline, call: Made, count: Count) -> int:
    result = timeline.result(call)
    return count(call.call.name) + count(call.call.arguments) + (count(result.content) if result else 0)


def _seconds(timeline: Timeline, after: After) -> float | None:
    """From the result to the last result of a call that turned back; `None` where there is none, or no times."""
    if not after.back or after.act not in BACK:
        return None
    last = after.back[-1]
    messages = timeline.transcript.messages
    start, end = messages[after.message].time, messages[last.message if last.result is None else last.result].time
    return None if start is None or end is None or end < start else end - start


def _whole(transcript: Transcript, timeline: Timeline, acts: Acts, count: Count) -> dict[str, Any]:
    again = repeats(timeline)
    own = [m.result for m in transcript.messages if m.result is not None and not m.copied]
    return {
        "model": transcript.model or "",
        "digest": transcript.digest(),
        "requests": len(timeline.requests),
        "tool_calls": len(timeline.calls),
        "results": len(own),
        "cut_results": len(acts.cuts()),
        "removed_results": sum(result.clipped is not None and cut_of(result) is None for result in own),
        "repeated_calls": again.calls,
        "repeated_groups": again.groups,
        "longest_repeat": again.longest,
        "repeated_tokens": sum(_tokens(timeline, call, count) for call in again.made),
        "limited_calls": limited_calls(timeline),
        "thrashed": len(thrashed(acts)),
        "invented": invented(timeline),
    }
