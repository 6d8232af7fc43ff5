"""What arrived, held against what was sent: by role, call id and order. What cannot be matched is told, not guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from harness.policies.wire.said import Item, Said


@dataclass(frozen=True, slots=True)
class Arrived:
    """One message of what arrived. sent: which message of what was sent it is, `None` for one that was added."""

    item: Item
    sent: int | None
    changed: bool


@dataclass(frozen=True)
class Matched:
    """tools: the definitions that arrived, each with the number of the one sent that it equals, if it does. told: what
    was done to the request besides other texts of results, by name, and how often."""

    arrived: tuple[Arrived, ...]
    dropped: tuple[int, ...]
    tools: tuple[tuple[int | None, str], ...]
    told: Counter[str]


def matched(sent: Said, arrived: Said) -> Matched:
    """Hold a request against what became of it."""
    pairs = _pairs(sent.items, arrived.items)
    found = tuple(
        Arrived(item, at, at is not None and item != sent.items[at])
        for item, at in zip(arrived.items, pairs, strict=True)
    )
    kept = {at for at in pairs if at is not None}
    dropped = tuple(at for at in range(len(sent.items)) if at not in kept)
    told = Counter(f"changed {one.item.role} message" for one in found if one.changed and one.item.role != "tool")
    told += Counter(f"added {one.item.role} message" for one in found if one.sent is None)
    told += Counter(f"dropped {sent.items[at].role} message" for at in dropped)
    order = [one.sent for one in found if one.sent is not None]
    told["moved message"] = sum(1 for a, b in pairwise(order) if b < a)
    for name, broken in _broken(arrived.items).items():
        told[name] = max(0, broken - _broken(sent.items)[name])
    told["model rewritten"] = int(arrived.model != sent.model)
    told["streaming changed"] = int(arrived.streams != sent.streams)
    told["added tool"] = sum(1 for name in arrived.tools if name not in sent.tools)
    told["dropped tool"] = sum(1 for name in sent.tools if name not in arrived.tools)
    told["changed tool"] = sum(1 for name, tool in arrived.tools.items() if sent.tools.get(name, tool) != tool)
    number = {item: n for n, item in enumerate(sent.tools.items())}
    tools = tuple((number.get(item), item[1]) for item in arrived.tools.items())
    return Matched(found, dropped, tools, +told)


def _broken(items: Sequence[Item]) -> Counter[str]:
    """What a provider would refuse: calls without a result, results without a call, two results of one call."""
    answered: Counter[str] = Counter(item.call_id for item in items if item.role == "tool")
    last = max((n for n, item in enumerate(items) if item.role == "tool"), default=-1)
    called = {call.id for item in items for call in item.calls}
    waiting = [call.id for item in items[: last + 1] for call in item.calls]
    return Counter(
        {
            "orphaned call": sum(1 for call in waiting if not answered[call]),
            "orphaned result": sum(1 for call in answered if call not in called),
            "doubled result": sum(count - 1 for count in answered.values()),
        }
    )


def _pairs(sent: Sequence[Item], arrived: Sequence[Item]) -> list[int | None]:
    """For each message that arrived, which of those sent it is. Equal keys in order first; keys that moved next; what
    is left between two that are matched is paired in order where role and number agree."""
    pairs: list[int | None] = [None] * len(arrived)
    a, b = [item.key for item in sent], [item.key for item in arrived]
    start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    end = next(
        (n for n, (x, y) in enumerate(zip(reversed(a[start:]), reversed(b[start:]), strict=False)) if x != y),
        min(len(a), len(b)) - start,
    )
    for n in range(start):
        pairs[n] = n
    for n in range(1, end + 1):
        pairs[len(b) - n] = len(a) - n
    inner_a, inner_b = a[start : len(a) - end], b[start : len(b) - end]
    codes = SequenceMatcher(None, inner_a, inner_b, autojunk=False).get_opcodes()
    for code, a1, a2, b1, _ in codes:
        if code == "equal":
            for n in range(a2 - a1):
                pairs[start + b1 + n] = start + a1 + n
    taken = {at for at in pairs if at is not None}
    places: dict[tuple[str, ...], list[int]] = {}
    for n in range(len(a)):
        if n not in taken:
            places.setdefault(a[n], []).append(n)
    for n, key in enumerate(b):
        if pairs[n] is None and places.get(key):
            pairs[n] = places[key].pop(0)
    for code, a1, a2, b1, b2 in codes:
        if code != "equal":
            for x, y in _by_role(sent, arrived, pairs, range(start + a1, start + a2), range(start + b1, start + b2)):
                pairs[y] = x
    return pairs


def _by_role(
    sent: Sequence[Item], arrived: Sequence[Item], pairs: Sequence[int | None], of_sent: range, of_arrived: range
) -> Iterator[tuple[int, int]]:
    """Messages without ids of one role, where as many stand on both sides."""
    taken = {at for at in pairs if at is not None}
    for role in ("system", "user", "assistant"):
        left = [n for n in of_sent if n not in taken and sent[n].role == role and not sent[n].calls]
        right = [n for n in of_arrived if pairs[n] is None and arrived[n].role == role and not arrived[n].calls]
        if len(left) == len(right):
            yield from list(zip(left, right, strict=True))
