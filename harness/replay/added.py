"""Estimated: the calls that a policy would add to a recorded run, and what they would cost (METHOD, section 4).

    low       -(calls of the recording that only read a spilled result again which this policy would have shown)
    evidence  one recovery for each window of a result that holds an atom which a request bears and cannot see
    high      every elided result of which a later action mentions an atom, read in full by pages

A recovery is a request more: the prompt so far, the call (the run's median), and the window, carried on to the end.
It stays in the prompt, so a later request that needs the same window finds it there. Where nothing can bring the text
back the window is a loss, not a call.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.evidence import EvidenceRun
from harness.evidence.recoveries import recoveries
from harness.money.bill import RequestPrices
from harness.policies.rendering import Rendering
from harness.replay.ledger import Account, Layout
from harness.tool_table import tool
from harness.transcript import Transcript

_PATH = re.compile(r"(?:/|[A-Za-z]:\\)[^\s\"'<>|]{3,}")


@dataclass(frozen=True, slots=True)
class Fetch:
    """A window to be fetched before a request (from 0): tokens of its text."""

    request: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls, the input tokens of their requests and of what they leave in later prompts, and USD with a warm cache."""

    calls: int
    tokens: int
    usd: float


class Added:
    """The estimates of one transcript; one instance serves all policies. density: `tokens_per_byte`."""

    def __init__(self, layout: Layout, evidence: EvidenceRun, prices: RequestPrices, density: dict[int, float]) -> None:
        self.layout = layout
        self.density = density
        self.sizes = {i: _value_bytes(layout.transcript, i) for i in layout.results}
        self.evidence = evidence
        self.prices = prices
        calls = [int(n) for n, i in zip(layout.output, layout.requests, strict=True) if _calls(layout.transcript, i)]
        self.call_tokens = int(statistics.median(calls)) if calls else 0
        self.first_use = _first_uses(evidence)
        self.reread = _reread(layout.transcript)

    def columns(self, account: Account) -> dict[str, Any]:
        """One policy's estimates over the transcript."""
        fetches, losses, unrecovered = self._needed(account)
        evidence = self.cost(fetches, account)
        high = self.cost(self._in_full(account), account)
        page, whole = (self.cost(f, account) for f in self._every_elided(account))
        low = sum(1 for i in self.reread if self._shows_the_whole(i, account.views[i]))
        return {
            "added_low": -low,
            "added_evidence": evidence.calls,
            "added_high": max(high.calls, evidence.calls),
            "losses": losses,
            "unrecovered_tokens": unrecovered,
            "added_tokens_evidence": evidence.tokens,
            "added_tokens_high": max(high.tokens, evidence.tokens),
            "added_cost_evidence": evidence.usd,
            "added_cost_high": max(high.usd, evidence.usd),
            "refetch_page_calls": page.calls,
            "refetch_page_tokens": page.tokens,
            "refetch_page_cost": page.usd,
            "refetch_whole_calls": whole.calls,
            "refetch_whole_tokens": whole.tokens,
            "refetch_whole_cost": whole.usd,
        }

    def cost(self, fetches: Iterable[Fetch], account: Account) -> Cost:
        """What fetches cost: each a request with the prompt so far, its answer and its window in all prompts from
        then."""
        found = list(fetches)
        if not found:
            return Cost(0, 0, 0.0)
        at = np.array([f.request for f in found], np.int64)
        left = len(self.layout.requests) - at
        added = np.array([f.tokens for f in found], np.int64) + self.call_tokens
        prompt = account.prompt[at]
        tokens = int((prompt + added * left).sum())
        _, read, write, out = self.prices.take(at).rates(prompt)
        usd = (read * prompt + write * added + read * added * np.maximum(left - 1, 0) + out * self.call_tokens) / 1e6
        return Cost(len(found), tokens, float(usd.sum()))

    def _needed(self, account: Account) -> tuple[list[Fetch], int, int]:
        """Fetches, windows that nothing brings back, and the tokens if their results stood whole from the start."""
        parse = account.policy.settings.get("parse", "recorded")
        fetches: list[Fetch] = []
        losses = 0
        lost: set[int] = set()
        seen: set[tuple[int, int]] = set()
        views = dict(account.admitted)
        for k, request in enumerate(self.evidence.borne.requests):
            if account.changes:
                views |= account.changes[k]
            if not request.borne or not self.evidence.count(k, views, parse).at_risk:
                continue
            for r in recoveries(self.evidence, k, views, account.policy.page_bytes, parse):
                if (r.source, r.window) in seen:
                    continue
                seen.add((r.source, r.window))
                if self._can_fetch(r.source, views[r.source]):
                    fetches.append(Fetch(k, self._window_tokens(r.source, account.policy.page_bytes)))
                else:
                    losses += 1
                    lost.add(r.source)
        return fetches, losses, sum(self._left_out(source, account) for source in lost)

    def _left_out(self, source: int, account: Account) -> int:
        """Tokens that a rendering leaves out of the prompts after it."""
        whole = round(self.density[source] * self.sizes[source])
        shown = account.tokens[source] - int(self.layout.framing[source])
        left = len(self.layout.requests) - int(np.searchsorted(self.layout.requests, source))
        return max(whole - shown, 0) * left

    def _in_full(self, account: Account) -> Iterable[Fetch]:
        for source, request in self.first_use.items():
            view = account.views[source]
            if view.elided_bytes and self._can_fetch(source, view):
                tokens = self._window_tokens(source, account.policy.page_bytes)
                for _ in range(self._pages(source, account.policy.page_bytes)):
                    yield Fetch(request, tokens)

    def _every_elided(self, account: Account) -> tuple[list[Fetch], list[Fetch]]:
        """Every elided result at the request after it: one page of it, and all of it."""
        page: list[Fetch] = []
        whole: list[Fetch] = []
        for i in self.layout.results:
            request = int(np.searchsorted(self.layout.requests, i))
            if account.views[i].elided_bytes and request < len(self.layout.requests):
                page.append(Fetch(request, self._window_tokens(i, account.policy.page_bytes)))
                whole += [page[-1]] * self._pages(i, account.policy.page_bytes)
        return page, whole

    def _shows_the_whole(self, source: int, view: Rendering) -> bool:
        """Whether a rendering has all of the value of which the recording showed only a part."""
        result = self.layout.transcript.messages[source].result
        return result is not None and view.elided_bytes == 0 and view.text != result.content

    def _can_fetch(self, source: int, view: Rendering) -> bool:
        transcript = self.layout.transcript
        result = transcript.messages[source].result
        if view.reach in ("file", "handle-read"):
            return view.reach == "handle-read" or bool(self.evidence.tools.readers)
        if view.reach != "rerun" or result is None or result.call is None:
            return False
        message, number = result.call
        return tool(result.name, transcript.format).can_be_narrowed(transcript.messages[message].calls[number])

    def _window_tokens(self, source: int, page: int | None) -> int:
        """Tokens of a page of a value, by its own tokens per byte."""
        size = self.sizes[source]
        return round(self.density[source] * min(page or size, size))

    def _pages(self, source: int, page: int | None) -> int:
        return max(-(-self.sizes[source] // page), 1) if page else 1


def tokens_per_byte(layout: Layout, identity: Account) -> dict[int, float]:
    """Of each result as recorded, by message."""
    found = {}
    for i in layout.results:
        result = layout.transcript.messages[i].result
        assert result is not None
        size = len(result.content.encode("utf-8", "surrogatepass"))
        found[i] = (identity.tokens[i] - int(layout.framing[i])) / max(size, 1)
    return found


def _value_bytes(transcript: Transcript, index: int) -> int:
    result = transcript.messages[index].result
    assert result is not None
    return len(result.value.encode("utf-8", "surrogatepass"))


def _calls(transcript: Transcript, index: int) -> bool:
    return bool(transcript.messages[index].calls)


def _first_uses(evidence: EvidenceRun) -> dict[int, int]:
    """Per result, the first request that bears an atom of it."""
    found: dict[int, int] = {}
    for k, request in enumerate(evidence.borne.requests):
        for atom in request.borne:
            for source in atom.sources:
                found.setdefault(source, k)
    return found


def _reread(transcript: Transcript) -> list[int]:
    """Results that the recorder spilled to a file which a later call names, once for each such call."""
    spilled: dict[str, int] = {}
    found: list[int] = []
    for i, message in enumerate(transcript.messages):
        for call in message.calls:
            found += [source for path, source in spilled.items() if path in call.arguments]
        if message.result is not None and message.result.whole is not None:
            spilled |= dict.fromkeys(_PATH.findall(message.result.content), i)
    return found
