"""The rows of a policy that a program of somebody else's stands behind: what it took before each request, how it
failed, and whether it answers alike when it is asked twice."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from harness.policies.conduct import Asked
from harness.replay.ledger import Account, Counter, Layout
from harness.runs.schema import PROGRAMS

Columns = dict[str, list[Any]]


def columns(layout: Layout, account: Account, counter: Counter) -> Columns:
    """A row a request before which the program was asked; none for a policy of the harness's own."""
    names = [c.name for c in PROGRAMS if c.per_policy and c.name != "policy"]
    rows = [] if account.conduct is None else _rows(layout, account, account.conduct.asked, counter)
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
            "memory": max((one.memory for one in found if one.memory is not None), default=None),
        }
        for k, found in sorted(by_request.items())
        if k < len(requests)
    ]


def _difference(account: Account, one: Asked, counter: Counter) -> int | None:
    """Tokens of the second answer less those of the first; `None` where they are the same text, or there is none."""
    first = account.admitted[one.message].text
    if one.again is None or one.again == first:
        return None
    return counter.count(one.again) - counter.count(first)
