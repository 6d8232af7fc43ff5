"""The account of a proxy: the prompt is what arrived, all of it.

What arrived as it was sent counts as the ledger counts it; what is new or changed is counted as it arrived, with the
same framing. The kept prefix is that of what arrived.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.money.cache import Ints
from harness.policies.rendering import Prompt
from harness.policies.wire.matched import Arrived
from harness.policies.wire.play import Played
from harness.policies.wire.policy import WireRun
from harness.policies.wire.said import Item
from harness.replay.ledger import Account, Counter, Layout, Wired


def wire_account(layout: Layout, account: Account, run: WireRun, counter: Counter) -> Account:
    """Fill the account of a session that was played."""
    if not run.played.steps:  # no proxy: every prompt as recorded
        return _as_recorded(layout, account)
    counted = _Counted(layout, counter)
    account.wire = Wired(run.played, counted.added(run.played), _elsewhere(run.played), _total(counted, run.again))
    before: list[Arrived] = []
    sizes_before: list[int] = []
    tools_before: object = None
    for k, step in enumerate(run.played.steps):
        sizes = counted.sizes(step.arrived)
        head = counted.tools(step.tools)
        account.prompt[k] = sum(sizes) + head + layout.priming
        same = _common(before, step.arrived)
        account.kept[k] = sum(sizes[:same]) + head if k and step.tools == tools_before else 0
        _changed(layout, account, k, before, sizes_before, step.arrived, sizes, same)
        changes = run.rewrite(Prompt(k, (), np.zeros(0, np.int64), account.views, int(account.prompt[k])))
        tokens = {i: int(layout.framing[i]) + counter.count(view.text) for i, view in changes.items()}
        account.views |= changes
        account.tokens |= tokens
        account.changes.append(changes)
        account.changed_tokens.append(tokens)
        for i in changes:
            account.rewritten.setdefault(i, k)
        before, sizes_before, tools_before = list(step.arrived), sizes, step.tools
    return account


def _changed(
    layout: Layout,
    account: Account,
    k: int,
    before: Sequence[Arrived],
    sizes_before: Sequence[int],
    now: Sequence[Arrived],
    sizes: Sequence[int],
    same: int,
) -> None:
    """What of the prefix that would have been kept was taken out, and what has to be read anew."""
    stays = sum(1 for one in now[:same] if one.sent is not None)
    if not k or stays >= layout.shared[k]:
        return
    account.intact[k] = stays
    in_both = {one.sent for one in before} & {one.sent for one in now} - {None}
    old = sum(size for one, size in zip(before[same:], sizes_before[same:], strict=True) if one.sent in in_both)
    new = sum(size for one, size in zip(now[same:], sizes[same:], strict=True) if one.sent in in_both)
    account.resent[k] = new
    account.removed[k] = old - new


class _Counted:
    """Tokens of what arrived."""

    def __init__(self, layout: Layout, counter: Counter) -> None:
        self.layout = layout
        self.counter = counter
        self._whole: dict[int, int] = {}
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = self.counter.count(text)
        return self._known[text]

    def sizes(self, arrived: Sequence[Arrived]) -> list[int]:
        """Tokens of each message, framing included."""
        return [self.size(one) for one in arrived]

    def size(self, one: Arrived) -> int:
        if one.sent is None:
            return self.anew(one.item)
        result = self.layout.transcript.messages[one.sent].result
        if result is not None:
            return int(self.layout.framing[one.sent]) + self.count(one.item.text)
        return self.anew(one.item) if one.changed else int(self.layout.fixed[one.sent])

    def anew(self, item: Item) -> int:
        profile = self.layout.profile
        calls = sum(self.count(call.name) + self.count(call.arguments) for call in item.calls)
        return profile.message_framing(item.role) + profile.per_call * len(item.calls) + self.count(item.text) + calls

    def tools(self, tools: Sequence[tuple[int | None, str]]) -> int:
        """Of definitions; those that were sent count as recorded, which is nothing where none were."""
        recorded = self.layout.transcript.tools or ()
        known = [self.count(recorded[n]) if n < len(recorded) else 0 for n, _ in tools if n is not None]
        return sum(known) + sum(self.count(tool) for n, tool in tools if n is None)

    def added(self, played: Played) -> Ints:
        found = []
        for step in played.steps:
            tokens = sum(self.count(tool) for n, tool in step.tools if n is None)
            for one in step.arrived:
                if one.sent is None:
                    tokens += self.anew(one.item)
                elif one.changed and one.item.role != "tool":
                    tokens += max(0, self.size(one) - int(self.layout.fixed[one.sent]))
            found.append(tokens)
        return np.array(found, np.int64)


def _elsewhere(played: Played) -> list[str]:
    return [
        "\n".join(
            one.item.text for one in step.arrived if one.item.role != "tool" and (one.changed or one.sent is None)
        )
        for step in played.steps
    ]


def _total(counted: _Counted, again: Played | None) -> int | None:
    if again is None:
        return None
    return sum(
        sum(counted.sizes(step.arrived)) + counted.tools(step.tools) + counted.layout.priming for step in again.steps
    )


def _common(before: Sequence[Arrived], now: Sequence[Arrived]) -> int:
    pairs = zip(before, now, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if a.sent != b.sent or a.item != b.item), min(len(before), len(now))
    )


def _as_recorded(layout: Layout, account: Account) -> Account:
    from harness.replay.ledger import prompt_sums

    tokens = layout.fixed.copy()
    for i, n in account.arrived.items():
        tokens[i] = n
    prompt, kept = prompt_sums(layout, tokens[None, :])
    account.prompt[:], account.kept[:] = prompt[0], kept[0]
    account.changes = [{} for _ in layout.requests]
    account.changed_tokens = [{} for _ in layout.requests]
    return account
