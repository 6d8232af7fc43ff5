"""The rows of a policy that a program of somebody else's stands behind: what it took before each request, how it
failed, and whether it answers alike when it is asked twice."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from harness.policies.conduct import Asked
from harness.replay.advertised import without_tool
from harness.replay.ledger import Account, Counter, Layout, Wired
from harness.runs.schema import PROGRAMS

Columns = dict[str, list[Any]]


def columns(layout: Layout, account: Account, counter: Counter) -> Columns:
    """A row a request before which the program was asked; none for a policy of the harness's own."""
    names = [c.name for c in PROGRAMS if c.per_policy and c.name != "policy"]
    rows: list[dict[str, Any]] = []
    if account.conduct is not None:
        rows = _rows(layout, account, account.conduct.asked, counter)
    elif account.wire is not None:
        rows = _wire_rows(layout, account, account.wire)
    return {name: [row[name] for row in rows] for name in names}


def _rows(layout: Layout, account: Account, asked: list[Asked], counter: Counter) -> list[dict[str, Any]]:
    requests = layout.requests.tolist()
    by_request: dict[int, list[Asked]] = {}
    for one in asked:
        by_request.setdefault(bisect_right(requests, one.message), []).append(one)
    return [
        {
            "request": k + 1,
            "asked": len(found),
            "seconds": sum(one.seconds for one in found),
            "failures": sum(1 for one in found if one.failed),
            "failed": "+".join(sorted({one.failed for one in found if one.failed})),
            "again": sum(1 for one in found if one.again is not None),
            "different": sum(1 for one in found if _difference(account, one, counter) is not None),
            "noise": float(sum((_difference(account, one, counter) or 0) ** 2 for one in found)),
            "carried": len(found) * (len(requests) - k) ** 2,
            "told": "",
            "told_times": 0,
            "added_tokens": 0,
            "handles": 0,
            "own_seconds": 0.0,
            "tried": "",
            "memory": max((one.memory for one in found if one.memory is not None), default=None),
        }
        for k, found in sorted(by_request.items())
        if k < len(requests)
    ]


def _wire_rows(layout: Layout, account: Account, wire: Wired) -> list[dict[str, Any]]:
    """A row a request of a session that was played. That it was played twice stands in the first."""
    steps = wire.played.steps
    noise = 0 if wire.again is None else wire.again - int(account.prompt.sum())
    new = without_tool(layout, account)
    return [
        {
            "request": k + 1,
            "asked": 1,
            "seconds": step.seconds,
            "failures": int(bool(step.failed)),
            "failed": step.failed,
            "again": int(wire.again is not None and k == 0),
            "different": int(noise != 0 and k == 0),
            "noise": float(noise**2) if k == 0 else 0.0,
            "carried": int(k == 0),
            "told": "+".join(sorted(step.told)),
            "told_times": sum(step.told.values()),
            "added_tokens": int(wire.added[k]),
            "handles": new[k],
            "own_seconds": step.own_seconds,
            "tried": "+".join(wire.played.tried) if k == 0 else "",
            "memory": step.memory,
        }
        for k, step in enumerate(steps)
    ]


def _difference(account: Account, one: Asked, counter: Counter) -> int | None:
    """Tokens of the second answer less those of the first; `None` where they are the same text, or there is none."""
    first = account.admitted[one.message].text
    if one.again is None or one.again == first:
        return None
    return counter.count(one.again) - counter.count(first)
