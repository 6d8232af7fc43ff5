"""Policies at the budget at which they cost as many input tokens as another one: which of them shows more?

    harness match --to car --policy head --policy middle recordings/

Two policies with different bills are hard to compare. Here each gets the size at which the whole corpus costs the same,
and what is left to compare is what they show, lose and make an agent fetch again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.spec import NamedPolicy, make_policy
from harness.policies.units import utf8_length
from harness.tune.settings import MATCHED, MatchSettings
from harness.tune.sweep import Prepared, Terms, prepare, sweep

ROUND = 40
"""Sizes tried in a round; each round looks between the two neighbours of the round before."""
ROUNDS = 3
SMALLEST = 16


@dataclass(frozen=True)
class Matched:
    """A policy at its size. size: the name of the setting and its value. tokens: input tokens over the corpus."""

    policy: NamedPolicy
    size: str
    value: int
    tokens: int


@dataclass(frozen=True)
class Match:
    """to: the policy that sets the price, with its input tokens. transcripts: how many were read."""

    to: NamedPolicy
    tokens: int
    matched: list[Matched]
    transcripts: int

    @property
    def labels(self) -> list[str]:
        """The policies at their sizes."""
        return [one.policy.label for one in self.matched]

    def to_record(self) -> dict[str, Any]:
        """As a journal and a manifest hold it."""
        matched = [
            {"policy": m.policy.label, "size": m.size, "value": m.value, "tokens": m.tokens} for m in self.matched
        ]
        return {"to": self.to.label, "tokens": self.tokens, "matched": matched, "transcripts": self.transcripts}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Match:
        matched = [Matched(make_policy(m["policy"]), m["size"], m["value"], m["tokens"]) for m in record["matched"]]
        return cls(make_policy(record["to"]), record["tokens"], matched, record["transcripts"])


def match(settings: MatchSettings) -> Match:
    """Find the sizes. Raises `HarnessError` for a policy without a size, and where nothing can be read."""
    target = make_policy(settings.to)
    wanted = [make_policy(policy) for policy in settings.policies]
    sizes = [size_of(policy) for policy in wanted]
    measures = settings.replay(settings.to).measures()
    terms = Terms(measures.counter, measures.tokens, measures.tariffs)
    read = read_transcripts([Path(p) for p in settings.paths], Intake(), settings.format)
    corpus = [prepared for prepared in (prepare(t, terms) for t in read) if len(prepared.layout.requests)]
    if not corpus:
        raise HarnessError("no transcript with a request was found: see what there is with harness inspect")
    (tokens,) = _tokens(corpus, [target], terms)
    largest = max((_length(p, i) for p in corpus for i in p.layout.results), default=0)
    found = [
        _found(corpus, policy, size, tokens, max(largest, SMALLEST + 1), terms)
        for policy, size in zip(wanted, sizes, strict=True)
    ]
    return Match(target, tokens, found, len(corpus))


def size_of(policy: NamedPolicy) -> str:
    """The setting that says how much of a result is shown. Raises `HarnessError` where there is none."""
    for name in ("limit", "budget"):
        if isinstance(policy.settings.get(name), int | float):
            return name
    raise HarnessError(
        f"{policy.label} has no one setting for its size: take a policy with a limit or a budget, such as "
        f"{', '.join(MATCHED)}"
    )


def _found(
    corpus: Sequence[Prepared], policy: NamedPolicy, size: str, target: int, largest: int, terms: Terms
) -> Matched:
    """The size whose tokens come nearest to the target. Tokens rise with the size but for a few steps, since a marker
    may be longer than what it stands for; so all that was tried is kept, and the nearest of all is taken."""
    known: dict[int, int] = {}
    low, high = SMALLEST, largest
    for number in range(ROUNDS):
        space = np.linspace if number else np.geomspace
        tried = [int(n) for n in np.unique(space(low, high, ROUND).round()) if int(n) not in known]
        if not tried:
            break
        policies = [policy.varied(**{size: value}) for value in tried]
        known |= dict(zip(tried, _tokens(corpus, policies, terms), strict=True))
        ordered = sorted(known)
        nearest = min(ordered, key=lambda value: abs(known[value] - target))
        place = ordered.index(nearest)
        low, high = ordered[max(place - 1, 0)], ordered[min(place + 1, len(ordered) - 1)]
    best = min(sorted(known), key=lambda value: abs(known[value] - target))
    return Matched(policy.varied(**{size: best}), size, best, known[best])


def _length(prepared: Prepared, index: int) -> int:
    result = prepared.transcript.messages[index].result
    assert result is not None
    return utf8_length(result.value)


def _tokens(corpus: Sequence[Prepared], policies: Sequence[NamedPolicy], terms: Terms) -> list[int]:
    return [int(n) for n in sweep(corpus, policies, terms).tokens.sum(axis=1)]
