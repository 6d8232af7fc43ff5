"""Estimated: the calls that a policy would add to a recorded run, and what they would cost (METHOD, section 4).

    low       -(calls of the recording that only read a spilled result again which this policy would have shown)
    evidence  the recoveries of (request, result) pairs with a dependency that is not visible; one window counts once
    high      every elided result of which a later action mentions an atom, read in full by windows

One rule for every policy (`harness.evidence.recoveries`) and one size of window. A recovery is a request more: the
prompt so far, the call (the run's median), and the window, carried on to the end. It stays in the prompt, so a later
request that needs the same window finds it there. Recovered text is a tool result like any other and passes through the
policy: what would be cut again is read in smaller windows. A pair that no way and no number of windows brings back is
unrecoverable; it costs no call, so its price is a range, from nothing to the whole value read once on arrival.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from harness.evidence import EvidenceRun
from harness.evidence.recoveries import Need, Way, Ways
from harness.money.bill import RequestPrices
from harness.policies.rendering import Rendering, Run
from harness.replay.ledger import Account, Layout
from harness.transcript import ToolCall, Transcript

WINDOW_BYTES = 4000
"""How much of a value one recovery brings back, under all policies."""
SMALLEST = 60
"""Bytes of the smallest window that is tried where a policy cuts larger ones again."""
READ_HANDLE = "read_handle"

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


@dataclass
class Needed:
    """What one policy leaves to be fetched. unrecoverable: pairs (request, message of the result) that nothing brings
    back; unknown: pairs that only a tool which the table does not know may bring back."""

    fetches: list[Fetch] = field(default_factory=list)
    unrecoverable: set[tuple[int, int]] = field(default_factory=set)
    unknown: set[tuple[int, int]] = field(default_factory=set)


class Added:
    """The estimates of one transcript; one instance serves all policies. density: `tokens_per_byte`. window: bytes of
    a value that one recovery brings back."""

    def __init__(
        self,
        layout: Layout,
        evidence: EvidenceRun,
        prices: RequestPrices,
        density: dict[int, float],
        window: int = WINDOW_BYTES,
    ) -> None:
        self.layout = layout
        self.density = density
        self.window = window
        self.sizes = {i: _value_bytes(layout.transcript, i) for i in layout.results}
        self.evidence = evidence
        self.ways = Ways(evidence)
        self.prices = prices
        calls = [int(n) for n, i in zip(layout.output, layout.requests, strict=True) if _calls(layout.transcript, i)]
        self.call_tokens = int(statistics.median(calls)) if calls else 0
        self.first_use = _first_uses(evidence)
        self.reread = _reread(layout.transcript)

    def columns(self, account: Account) -> dict[str, Any]:
        """One policy's estimates over the transcript."""
        passing = _Passing(self.layout.transcript, account, self.window)
        needed = self._needed(account, passing)
        evidence = self.cost(needed.fetches, account)
        high = self.cost(self._in_full(account, passing), account)
        window, whole = (self.cost(f, account) for f in self._every_elided(account))
        gone = self.cost(self._on_arrival({i for _, i in needed.unrecoverable | needed.unknown}), account)
        avoided = [k for k, i in self.reread if self._shows_the_whole(i, account.views[i])]
        return {
            "added_low": -len(avoided),
            "added_evidence": evidence.calls,
            "added_high": max(high.calls, evidence.calls),
            "unrecoverable": len(needed.unrecoverable),
            "unrecoverable_unknown": len(needed.unknown - needed.unrecoverable),
            "added_tokens_low": -self._avoided_tokens(avoided, account),
            "added_tokens_evidence": evidence.tokens,
            "added_tokens_high": max(high.tokens, evidence.tokens),
            "added_cost_evidence": evidence.usd,
            "added_cost_high": max(high.usd, evidence.usd),
            "unrecoverable_tokens": gone.tokens,
            "unrecoverable_cost": gone.usd,
            "refetch_page_calls": window.calls,
            "refetch_page_tokens": window.tokens,
            "refetch_page_cost": window.usd,
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

    def _needed(self, account: Account, passing: _Passing) -> Needed:
        parse = account.policy.settings.get("parse", "recorded")
        needed = Needed()
        fetched: dict[int, list[tuple[int, int]]] = {}
        views = dict(account.admitted)
        for k, request in enumerate(self.evidence.borne.requests):
            if account.changes:
                views |= account.changes[k]
            if not request.borne or not self.evidence.count(k, views, parse).at_risk:
                continue
            for need in self.ways.needs(k, views, parse):
                there = fetched.setdefault(need.source, [])
                if need.way == "reference" or _lies_in(there, need.spans):
                    continue
                size = passing.window(need) if need.way in ("read", "rerun") else None
                if size is None:
                    pairs = needed.unknown if need.way == "unknown" else needed.unrecoverable
                    pairs.add((k, need.pair))
                    continue
                start, end = need.spans[0]
                window = start // size * size
                there.append((window, max(window + size, end)))
                needed.fetches.append(Fetch(k, self._window_tokens(need.source, size)))
        return needed

    def _in_full(self, account: Account, passing: _Passing) -> Iterable[Fetch]:
        for source, request in self.first_use.items():
            view = account.views[source]
            way = self.ways.to_some_part(request, source, view) if view.elided_bytes else "none"
            size = passing.window_of(source, way) if way in ("read", "rerun") else None
            if size is not None:
                yield from [Fetch(request, self._window_tokens(source, size))] * self._windows(source, size)

    def _every_elided(self, account: Account) -> tuple[list[Fetch], list[Fetch]]:
        """Every elided result at the request after it: one window of it, and all of it."""
        window: list[Fetch] = []
        whole: list[Fetch] = []
        for i in self.layout.results:
            request = int(np.searchsorted(self.layout.requests, i))
            if account.views[i].elided_bytes and request < len(self.layout.requests):
                window.append(Fetch(request, self._window_tokens(i, self.window)))
                whole += [window[-1]] * self._windows(i, self.window)
        return window, whole

    def _on_arrival(self, sources: set[int]) -> Iterator[Fetch]:
        """Each result read whole, once, at the request after it."""
        for i in sorted(sources):
            yield Fetch(int(np.searchsorted(self.layout.requests, i)), self._window_tokens(i, self.sizes[i]))

    def _avoided_tokens(self, requests: list[int], account: Account) -> int:
        """Input tokens of requests that would not have been made, and of their answers in later prompts."""
        at = np.array(requests, np.int64)
        left = len(self.layout.requests) - at - 1
        return int((account.prompt[at] + self.layout.output[at] * left).sum()) if requests else 0

    def _shows_the_whole(self, source: int, view: Rendering) -> bool:
        """Whether a rendering has all of the value of which the recording showed only a part."""
        result = self.layout.transcript.messages[source].result
        return result is not None and view.elided_bytes == 0 and view.text != result.content

    def _window_tokens(self, source: int, window: int) -> int:
        """Tokens of a window of a value, by its own tokens per byte."""
        return round(self.density[source] * min(window, self.sizes[source]))

    def _windows(self, source: int, window: int) -> int:
        return max(-(-self.sizes[source] // window), 1)


def _lies_in(windows: Iterable[tuple[int, int]], spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a span lies wholly in a window."""
    return any(a <= start and end <= b for a, b in windows for start, end in spans)


class _Passing:
    """The largest windows that a policy lets through uncut when an agent recovers them."""

    def __init__(self, transcript: Transcript, account: Account, window: int) -> None:
        self.transcript = transcript
        self.policy = account.policy
        self.largest = window
        self._run: Run | None = None
        self._sizes: dict[tuple[str, bool], int | None] = {}

    def window(self, need: Need) -> int | None:
        """In bytes; `None` where no window that holds the dependency passes."""
        size = self.window_of(need.source, need.way)
        return size if size is not None and any(end - start <= size for start, end in need.spans) else None

    def window_of(self, source: int, way: Way) -> int | None:
        result = self.transcript.messages[source].result
        assert result is not None
        key = result.name if way == "rerun" else "", result.is_json
        if key not in self._sizes:
            self._sizes[key] = self._tried(source, key[0] or READ_HANDLE)
        return self._sizes[key]

    def _tried(self, source: int, tool: str) -> int | None:
        result = self.transcript.messages[source].result
        assert result is not None
        self._run = self._run or self.policy.start(self.transcript)
        data = result.value.encode("utf-8", "surrogatepass")
        data *= self.largest // max(len(data), 1) + 1
        size = self.largest
        while size >= SMALLEST:
            text = data[:size].decode("utf-8", "ignore")
            part = replace(result, content=text, whole=None, clipped=None, name=tool, is_json=False)
            if not self._run.admit(source, part, ToolCall(tool, "{}")).elided_bytes:
                return size
            size //= 2
        return None


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


def _reread(transcript: Transcript) -> list[tuple[int, int]]:
    """For each call that names the file to which the recorder spilled a result: its request (from 0), the result."""
    spilled: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    number = {message: k for k, message in enumerate(transcript.requests())}
    for i, message in enumerate(transcript.messages):
        if i in number:
            for call in message.calls:
                found += [(number[i], source) for path, source in spilled.items() if path in call.arguments]
        if message.result is not None and message.result.whole is not None:
            spilled |= dict.fromkeys(_PATH.findall(message.result.content), i)
    return found
