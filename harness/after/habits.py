"""Habits that cost calls, whether or not a result was cut: the same call again with the same result, output that the
agent cut itself, handles that never were."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from harness.after.acts import Acts
from harness.after.timeline import Made, Timeline
from harness.evidence.handles import uses
from harness.formats.spilled import FOLDERS

THRASH = 3
"""Calls that turned back to one value, its cut answers among them, from which on that is called thrash."""
_SPILLED_PATH = re.compile(rf"(?<=[/\\])(?:{'|'.join(map(re.escape, FOLDERS))})[/\\][\w./\\-]+\.\w+")
_HANDLE = re.compile(r"\btla:[0-9a-f]{12}\b")


@dataclass(frozen=True)
class Repeats:
    """Calls with the same tool, arguments and result as an earlier one. calls: those but the first of each group.
    groups: with two or more. longest: calls of the largest group. made: the calls but the first."""

    calls: int
    groups: int
    longest: int
    made: tuple[Made, ...]


def repeats(timeline: Timeline) -> Repeats:
    """What was asked again though the answer was the same to the byte."""
    found: dict[tuple[str, str], list[Made]] = defaultdict(list)
    for made in timeline.calls:
        result = timeline.result(made)
        if result is not None:
            found[made.asked.key, result.content].append(made)
    groups = [group for group in found.values() if len(group) > 1]
    again = sorted((made for group in groups for made in group[1:]), key=lambda made: made.at)
    return Repeats(len(again), len(groups), max((len(g) for g in groups), default=0), tuple(again))


def limited_calls(timeline: Timeline) -> int:
    """Calls that cut their own output: `| head`, `| tail -3`, `limit`, a range."""
    return sum(made.asked.limited for made in timeline.calls)


def thrashed(acts: Acts) -> dict[int, int]:
    """By the cut result that it began with, the calls that turned back, where they are `THRASH` or more."""
    calls: dict[int, int] = defaultdict(int)
    for after in acts.cuts():
        if after.root is not None:
            calls[after.root] += len(after.back)
    return {root: n for root, n in calls.items() if n >= THRASH}


def invented(timeline: Timeline) -> int:
    """Handles and files of spilled results in arguments that nothing before had named."""
    count = sum(use.fate == "invented" for use in uses(timeline.transcript))
    named: set[str] = set()
    for message in timeline.transcript.messages:
        text = message.result.content if message.result is not None else message.text
        if message.role != "assistant":
            named.update(_names(text))
            continue
        for call in message.calls:
            for name in _names(call.arguments.replace("\\\\", "\\")):
                count += not message.copied and name not in named
                named.add(name)
    return count


def _names(text: str) -> set[str]:
    """Handles, and the file names of spilled results, in a text."""
    paths = {re.split(r"[/\\]", match[0])[-1] for match in _SPILLED_PATH.finditer(text)}
    return paths | set(_HANDLE.findall(text))
