"""What policies that rewrite the prompt share: an admission policy below them, a replacement, and what is new
in a prompt.

Every change costs the provider's cache everything behind it. A change stays: what was replaced is never put
back. Tokens are the ledger's (of its tokenizer, framing included), whatever the agent estimates for itself.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from harness.errors import HarnessError
from harness.policies.conduct import Conduct
from harness.policies.family import Admission, Arrival, Family, PolicySpec, Stage, stateless
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.tools import covers, patterns
from harness.policies.units import utf8_length
from harness.transcript import ToolCall, ToolResult, Transcript

IDENTITY = PolicySpec("identity")
REMOVED = PolicySpec('head:bytes=0,marker="[old tool result removed]"')


@dataclass(frozen=True, kw_only=True)
class History(Family):
    """Replaces results later, when they have been in the prompt for a while.

    admission: the policy under which results arrive. replace: the policy that renders a replaced result, from its whole
    value. min_bytes, exempt, only: results that are never replaced, as for an admission policy.
    """

    stage: ClassVar[Stage] = "history"
    counts: ClassVar[str] = "tokens"
    admission: PolicySpec = IDENTITY
    replace: PolicySpec = REMOVED
    min_bytes: float = 0
    exempt: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.min_bytes < 0:
            raise HarnessError(f"min_bytes is {self.min_bytes}: give a size of 0 or more, or inf")
        patterns((*self.exempt, *self.only))
        for name in ("admission", "replace"):
            if not getattr(self, name):
                raise HarnessError(f"{name} is empty: give a policy, such as {name}=identity")
        if self.arriving.stage != "admission":
            raise HarnessError(f"admission={self.admission!r} rewrites the prompt itself: give an admission policy")
        self.replacement  # noqa: B018  a bad policy is an error here, not in mid-replay

    @cached_property
    def arriving(self) -> Family:
        from harness.policies.spec import make_policy

        return make_policy(self.admission).family

    @cached_property
    def replacement(self) -> Admission:
        family = stateless(self.replace)
        assert family is not None, "an empty replacement is refused before"
        return family

    @property
    def page_bytes(self) -> int | None:
        return self.replacement.page_bytes or self.arriving.page_bytes

    @property
    def notice(self) -> str:
        return self.replacement.notice

    def spares(self, arrival: Arrival) -> bool:
        """Whether a result is never replaced."""
        if math.isinf(self.min_bytes) or (self.min_bytes and utf8_length(arrival.value) < self.min_bytes):
            return True
        return bool(self.only and not covers(self.only, arrival.tool)) or covers(self.exempt, arrival.tool)

    @abstractmethod
    def start(self, transcript: Transcript) -> Rewriting:
        """Fresh state for one transcript."""


class Rewriting:
    """The state of a history policy over one transcript; a family adds `stale`.

    waiting: results that may still be replaced. shown: result messages in the prompt, in order.
    """

    def __init__(self, policy: History, transcript: Transcript) -> None:
        self.policy = policy
        self.transcript = transcript
        self.inner: Run = policy.arriving.start(transcript)
        self.waiting: dict[int, Arrival] = {}
        self.shown: list[int] = []
        self.read = 0
        self.restarts = _restarts(transcript)

    @property
    def conduct(self) -> Conduct | None:
        """How the program behaved under which results arrive, if it is one."""
        return getattr(self.inner, "conduct", None)

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        arrival = Arrival(result.value, index, result, call)
        if not self.policy.spares(arrival):
            self.waiting[index] = arrival
        return self.inner.admit(index, result, call)

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        restarted = prompt.request in self.restarts
        if restarted:
            self.read = 0
            self.shown = []
        news = prompt.shown[self.read :]
        self.read = len(prompt.shown)
        results = [i for i in news if self.transcript.messages[i].result is not None]
        self.shown += results
        return self.replaced(self.stale(prompt, news, results, restarted), prompt)

    def stale(self, prompt: Prompt, news: Sequence[int], results: Sequence[int], restarted: bool) -> Sequence[int]:
        """Which results are to be replaced before this request.

        news: messages that this prompt shows and the one before did not, and of those the results; all messages of the
        prompt after a recorded cut (`restarted`), so that state can be built anew. Indices that do not wait
        are ignored.
        """
        raise NotImplementedError

    def replaced(self, indices: Sequence[int], prompt: Prompt) -> dict[int, Rendering]:
        """Their replacements; one that would not be shorter than what stands there is left out."""
        views: dict[int, Rendering] = {}
        for index in indices:
            arrival = self.waiting.pop(index, None)
            if arrival is None:
                continue
            view = self.policy.replacement.admit_arrival(arrival)
            if utf8_length(view.text) < utf8_length(prompt.views[index].text):
                views[index] = view
        return views


def _restarts(transcript: Transcript) -> frozenset[int]:
    """Numbers of the requests before which a recorded cut changed the prompt."""
    found: set[int] = set()
    requests = transcript.requests()
    cuts = iter(transcript.cuts)
    cut = next(cuts, None)
    for number, message in enumerate(requests):
        while cut is not None and cut.at <= message:
            found.add(number)
            cut = next(cuts, None)
    return frozenset(found)
