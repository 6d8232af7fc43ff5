"""Tokens, request by request: what each prompt holds under each policy, and how much of it the provider had seen.

    prompt_tokens(k) = priming + tool_definitions + sum over messages before k of (per_message + tok(view))

An admission policy renders a result once, so all of them are counted together: one matrix of tokens, policies by
messages, and prefix sums over it. A history policy rewrites the prompt as it goes and is followed request by request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from harness import Policy
from harness.money.cache import Ints
from harness.policies.conduct import Conduct
from harness.policies.rendering import Prompt, Rendering, Run
from harness.transcript import Message, ToolCall, Transcript

if TYPE_CHECKING:
    from harness.policies.wire.play import Played
    from harness.policies.wire.policy import WireRun


class Counter(Protocol):
    def count(self, text: str) -> int: ...


class Framing(Protocol):
    """The part of a token profile that the ledger needs."""

    @property
    def per_call(self) -> int: ...

    @property
    def priming(self) -> int: ...

    def message_framing(self, role: str) -> int: ...


@dataclass(frozen=True)
class Layout:
    """What does not depend on a policy. M messages, R requests.

    requests: (R,) index of each request's assistant message. fixed: (M,) tokens of a message in later prompts, framing
    included, 0 where a rendering stands instead. framing: (M,) tokens around each message and its calls. output: (R,)
    tokens of the answers. head: tokens before the first message (tool definitions). results: indices of the messages
    that hold tool results. boundary: (R,) number of recorded cuts before the request. shared: (R,) length of the
    leading run of messages that the prompts of k-1 and k have in common. profile: what frames messages.
    """

    transcript: Transcript
    requests: Ints
    fixed: Ints
    output: Ints
    head: int
    priming: int
    framing: Ints
    results: list[int]
    boundary: Ints
    shared: Ints
    prompt_messages: Ints
    profile: Framing

    @property
    def own_results(self) -> list[int]:
        """Results of this run; those copied from another recording stand in its prompts and are counted there."""
        return [i for i in self.results if not self.transcript.messages[i].copied]


@dataclass(frozen=True)
class Wired:
    """What a proxy did besides. added: per request, the tokens of tools, messages and text that it put in. elsewhere:
    per request, the text of messages that it added or changed and that are no results. again: input tokens of a second
    play of the session, `None` without one."""

    played: Played
    added: Ints
    elsewhere: list[str]
    again: int | None = None


@dataclass
class Account:
    """One policy over one transcript; every array is (R,), in tokens.

    kept: the leading part of the prompt that stood in the request before, unchanged. admitted: the rendering of each
    result as it arrived. changes: per request, what a history policy rewrote before it. views: the renderings at the
    end of the run. tokens: of those, framing included. removed: tokens that a history policy took out of the part of
    the prompt that would have been kept. resent: tokens of that part behind its first change, which the provider has
    to read anew. intact: how many leading messages of a prompt show what they showed at the request before. arrived:
    tokens of each result's first rendering, by message; changed_tokens: of the `changes`. rewritten: per message index,
    the request before which it was first changed. conduct: how the program behaved that made them, if one did.
    wire: the same of a proxy.
    """

    policy: Policy
    prompt: Ints
    kept: Ints
    admitted: dict[int, Rendering]
    views: dict[int, Rendering]
    tokens: dict[int, int]
    removed: Ints
    resent: Ints
    intact: Ints
    arrived: dict[int, int]
    changed_tokens: list[Mapping[int, int]] = field(default_factory=list)
    rewritten: dict[int, int] = field(default_factory=dict)
    changes: list[Mapping[int, Rendering]] = field(default_factory=list)
    conduct: Conduct | None = None
    wire: Wired | None = None

    @classmethod
    def begun(cls, layout: Layout, policy: Policy, views: dict[int, Rendering], arrived: dict[int, int]) -> Account:
        """One to be filled request by request. views, arrived: every result as it arrives, and its tokens."""
        prompt, kept, removed, resent = np.zeros((4, len(layout.requests)), np.int64)
        intact = layout.prompt_messages.copy()
        return cls(policy, prompt, kept, dict(views), views, arrived, removed, resent, intact, dict(arrived))

    def views_at(self, request: int) -> dict[int, Rendering]:
        """The renderings that the prompt of a request (from 0) is made of; later results are in it too."""
        views = dict(self.admitted)
        for change in self.changes[: request + 1]:
            views |= change
        return views


def call_tokens(call: ToolCall, counter: Counter) -> int:
    """A call counts as its name and its arguments as recorded, tokenized apart."""
    return counter.count(call.name) + counter.count(call.arguments)


def message_tokens(message: Message, counter: Counter, resends_reasoning: bool) -> int:
    """Content tokens of a message, other than a tool result, in later prompts."""
    reasoning = counter.count(message.reasoning) if resends_reasoning else 0
    return counter.count(message.text) + reasoning + sum(call_tokens(c, counter) for c in message.calls)


def lay_out(transcript: Transcript, counter: Counter, framing: Framing) -> Layout:
    """Count once what every policy shares."""
    messages = transcript.messages
    around = [framing.message_framing(m.role) + framing.per_call * len(m.calls) for m in messages]
    content = [
        0 if m.result is not None else n + message_tokens(m, counter, transcript.resends_reasoning)
        for m, n in zip(messages, around, strict=True)
    ]
    requests = transcript.requests()
    output = [message_tokens(messages[i], counter, True) for i in requests]
    boundary, shared, sizes = _boundaries(transcript)
    return Layout(
        transcript=transcript,
        requests=np.array(requests, np.int64),
        fixed=np.array(content, np.int64),
        output=np.array(output, np.int64),
        head=sum(counter.count(tool) for tool in transcript.tools or ()),
        priming=framing.priming,
        framing=np.array(around, np.int64),
        results=transcript.results(),
        boundary=np.array(boundary, np.int64),
        shared=np.array(shared, np.int64),
        prompt_messages=np.array(sizes, np.int64),
        profile=framing,
    )


def _boundaries(transcript: Transcript) -> tuple[list[int], list[int], list[int]]:
    boundary: list[int] = []
    shared: list[int] = []
    sizes: list[int] = []
    previous: list[int] = []
    cuts = 0
    for i, shown in transcript.prompts():
        passed = sum(1 for c in transcript.cuts if c.at <= i)
        if not sizes:
            shared.append(0)
        elif passed == cuts:
            shared.append(sizes[-1])
        else:
            shared.append(_common(previous, shown))
        cuts = passed
        boundary.append(passed)
        sizes.append(len(shown))
        if any(c.at > i for c in transcript.cuts):
            previous = list(shown)
    return boundary, shared, sizes


def _common(a: list[int], b: list[int]) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def admit(
    layout: Layout, policy: Policy, counter: Counter, known: dict[str, int]
) -> tuple[Run, dict[int, Rendering], dict[int, int]]:
    """Render every result as it arrives: the run's state, the renderings, and their tokens with framing, by message.

    known: tokens of renderings so far. Most policies leave most results as they are, so most are in it.
    """
    run = policy.start(layout.transcript)
    views: dict[int, Rendering] = {}
    tokens: dict[int, int] = {}
    messages = layout.transcript.messages
    for i in layout.results:
        result = messages[i].result
        assert result is not None
        call = messages[result.call[0]].calls[result.call[1]] if result.call else None
        views[i] = run.admit(i, result, call)
        text = views[i].text
        if text not in known:
            known[text] = counter.count(text)
        tokens[i] = int(layout.framing[i]) + known[text]
    return run, views, tokens


def admission_accounts(layout: Layout, policies: Sequence[Policy], counter: Counter) -> list[Account]:
    """The accounts of all admission policies, from one matrix of tokens (policies by messages)."""
    if not policies:
        return []
    known: dict[str, int] = {}
    admitted = [admit(layout, policy, counter, known) for policy in policies]
    matrix = np.tile(layout.fixed, (len(policies), 1))
    if layout.results:
        matrix[:, layout.results] = [[tokens[i] for i in layout.results] for _, _, tokens in admitted]
    prompt, kept = prompt_sums(layout, matrix)
    none = np.zeros(len(layout.requests), np.int64)
    return [
        Account(
            *(policy, prompt[p], kept[p], views, views, tokens, none, none, layout.prompt_messages, tokens),
            conduct=getattr(run, "conduct", None),
        )
        for p, (policy, (run, views, tokens)) in enumerate(zip(policies, admitted, strict=True))
    ]


def prompt_sums(layout: Layout, matrix: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Prompt and kept tokens, both (P, R), for token matrices (P, M) whose views never change."""
    before = np.zeros((matrix.shape[0], matrix.shape[1] + 1), np.int64)
    np.cumsum(matrix, axis=1, out=before[:, 1:])
    cuts = layout.transcript.cuts
    at = np.array([0] + [c.at for c in cuts], np.int64)
    base = np.stack([np.zeros(matrix.shape[0], np.int64)] + [matrix[:, list(c.keep)].sum(axis=1) for c in cuts], axis=1)
    start = layout.boundary
    body = base[:, start] + before[:, layout.requests] - before[:, at[start]]
    prompt = body + layout.head + layout.priming
    kept = np.zeros_like(body)
    if body.shape[1] > 1:
        kept[:, 1:] = body[:, :-1] + layout.head
    for k, (_, shown) in enumerate(layout.transcript.prompts()):
        if k and layout.shared[k] != layout.prompt_messages[k - 1]:
            kept[:, k] = matrix[:, shown[: layout.shared[k]]].sum(axis=1) + layout.head
    return prompt, kept


def history_account(layout: Layout, policy: Policy, counter: Counter) -> Account:
    """Follow a policy that rewrites the prompt, request by request."""
    run, views, arrived = admit(layout, policy, counter, {})
    if hasattr(run, "played"):  # a session that went through a proxy, whose servers no other run has to import
        from harness.replay.wire import wire_account

        begun = Account.begun(layout, policy, views, arrived)
        return wire_account(layout, begun, cast("WireRun", run), counter)
    tokens = layout.fixed.copy()
    for i, n in arrived.items():
        tokens[i] = n
    account = Account.begun(layout, policy, views, arrived)
    prompt, kept, removed, resent = account.prompt, account.kept, account.removed, account.resent
    intact = account.intact
    for k, shown, sizes in _shown_sizes(layout, tokens):
        total = int(sizes.sum()) + layout.head + layout.priming
        changes = run.rewrite(Prompt(k, shown, tokens, views, total))
        common = int(layout.shared[k])
        stays = common
        if changes:
            for i, view in changes.items():
                views[i] = view
                tokens[i] = int(layout.framing[i]) + counter.count(view.text)
                account.rewritten.setdefault(i, k)
            stays = next((n for n, i in enumerate(shown[:common]) if i in changes), common)
            intact[k] = stays if stays < common else intact[k]
            before = int(sizes[stays:common].sum())
            sizes = tokens[np.array(shown, np.int64)]
            resent[k] = sizes[stays:common].sum()
            removed[k] = before - resent[k]
        account.changes.append(dict(changes))
        account.changed_tokens.append({i: int(tokens[i]) for i in changes})
        prompt[k] = sizes.sum() + layout.head + layout.priming
        kept[k] = sizes[:stays].sum() + layout.head if k else 0
    account.tokens = {i: int(tokens[i]) for i in layout.results}
    account.conduct = getattr(run, "conduct", None)
    return account


def account_of(layout: Layout, policy: Policy, counter: Counter) -> Account:
    """One policy's account, of whichever stage."""
    if policy.stage == "history":
        return history_account(layout, policy, counter)
    return admission_accounts(layout, [policy], counter)[0]


def _shown_sizes(layout: Layout, tokens: Ints) -> Iterator[tuple[int, list[int], Ints]]:
    for k, (_, shown) in enumerate(layout.transcript.prompts()):
        yield k, shown, tokens[np.array(shown, np.int64)]
