"""What agents did after cuts, in a few counts: for `harness inspect` and for the rows of a replay."""

from __future__ import annotations

from collections import Counter
from typing import Any

from harness.after.acts import ACTS, Acts
from harness.after.habits import repeats, thrashed
from harness.after.timeline import Timeline
from harness.transcript import Transcript


def after_cuts(transcript: Transcript) -> dict[str, Any]:
    """acts: how often each was done after a cut result, those that were. repeated_calls, longest_repeat: calls with the
    tool, arguments and result of an earlier one. thrashed: values that three or more calls turned back to."""
    timeline = Timeline(transcript)
    acts = Acts(timeline)
    counts = Counter(after.act for after in acts.cuts())
    again = repeats(timeline)
    return {
        "acts": {act: counts[act] for act in ACTS if counts[act]},
        "repeated_calls": again.calls,
        "longest_repeat": again.longest,
        "thrashed": len(thrashed(acts)),
    }
