"""Results that a proxy shows under a handle that the recorded agent had no tool for."""

from __future__ import annotations

from bisect import bisect_right

from harness.policies.wire.advertised import advertised, has, tools_of
from harness.replay.ledger import Account, Layout


def without_tool(layout: Layout, account: Account) -> list[int]:
    """Per request, how many results arrive in it for the first time that are so shown."""
    tools = tools_of(layout.transcript)
    found = [0] * len(layout.requests)
    requests = layout.requests.tolist()
    for i in layout.results:
        result = layout.transcript.messages[i].result
        at = bisect_right(requests, i)
        if result is None or at == len(found) or account.admitted[i].text == result.content:
            continue
        found[at] += any(not has(tool, tools) for tool in advertised(account.admitted[i].text, result.value))
    return found
