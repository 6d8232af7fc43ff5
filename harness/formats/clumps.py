"""Results of exactly one size: a cut that leaves no mark (METHOD, section 2).

A clump is at least `FEWEST` distinct values of `SMALLEST` or more bytes, characters or lines at one size, none above
it, each ending in mid-text. Looked for among the results of one tool, and among all results of a run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from harness.transcript import Message, ToolResult

FEWEST = 5
SMALLEST = 1000
SIZES: dict[str, Callable[[str], int]] = {
    "characters": len,
    "bytes": lambda text: len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")),
    "lines": lambda text: text.count("\n") + (not text.endswith("\n")),
}
CLOSED = "\n\r.!?)]}>\"'`”’»。"
"""What a text ends with that is finished. A cut may fall behind one of these too, so a few of a clump may be missed."""


def with_clumps(messages: Sequence[Message]) -> list[Message]:
    """The messages, the results of clumps marked as clipped by what they have in common."""
    unmarked = [i for i, m in enumerate(messages) if m.result is not None and m.result.clipped is None]
    largest = {
        i: r.content for i, m in enumerate(messages) if (r := m.result) is not None and len(r.content) >= SMALLEST
    }
    found: dict[int, str] = {}
    for group in _groups(messages, largest):
        for name, size in SIZES.items():
            for i in clump([(i, largest[i]) for i in group], size):
                found.setdefault(i, f"no mark: results of one size, {size(largest[i]):,} {name}, end in mid-text")
    marked = list(messages)
    for i in unmarked:
        result = marked[i].result
        if i in found and result is not None:
            marked[i] = replace(marked[i], result=replace(result, clipped=found[i]))
    return marked


def clump(texts: Iterable[tuple[int, str]], size: Callable[[str], int]) -> list[int]:
    """The numbers of the texts that make a clump by this size, none if they make none."""
    sizes = {i: size(text) for i, text in texts}
    top = max(sizes.values(), default=0)
    members = {i: text for i, text in texts if sizes[i] == top and ends_in_mid_text(text)}
    return list(members) if top >= SMALLEST and len(set(members.values())) >= FEWEST else []


def ends_in_mid_text(text: str) -> bool:
    """Whether a text stops without an end: of a sentence, a line, a bracket, a quotation."""
    return bool(text) and text[-1] not in CLOSED


def _groups(messages: Sequence[Message], results: Iterable[int]) -> list[list[int]]:
    """All results, and those of each tool."""
    by_tool: dict[str, list[int]] = defaultdict(list)
    for i in results:
        result = messages[i].result
        assert isinstance(result, ToolResult)
        by_tool[result.name].append(i)
    every = [i for group in by_tool.values() for i in group]
    groups = [every, *by_tool.values()] if len(by_tool) > 1 else [every]
    return [group for group in groups if len(group) >= FEWEST]
