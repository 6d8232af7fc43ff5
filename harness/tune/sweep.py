"""Many settings of a policy over a corpus for a few times the price of one.

What does not depend on the settings is found once a transcript: tokens of all other messages, the atoms that requests
bear. Results are rendered one by one under all settings, so that a value is measured once; equal renderings are counted
and searched once, and of others the pieces that they share. The prompts of all settings are one matrix.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from harness.evidence.borne import Borne, find_borne
from harness.evidence.visibility import Visibility
from harness.money.tariffs import Tariffs
from harness.policies.family import Arrival
from harness.policies.rendering import Rendering
from harness.policies.spec import NamedPolicy, make_policy
from harness.replay.billing import Billing
from harness.replay.ledger import Account, Layout, account_of, history_account, lay_out, prompt_sums
from harness.replay.measure import start_times
from harness.tokens.alike import count_alike
from harness.tokens.counter import TokenCounter
from harness.tokens.profiles import TokenProfile
from harness.transcript import Transcript

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Pieces = tuple[str, ...]


@runtime_checkable
class Knowing(Protocol):
    """A run that can tell what its renderings depend on."""

    def arrive(self, arrival: Arrival) -> Hashable:
        """In place of `admit`: what the text of the next result depends on among settings of the policy."""

    def pieces(self, arrival: Arrival) -> tuple[str, ...]:
        """The text of the result that arrived last, cut where tokens are additive (`harness.tokens.alike`)."""


@dataclass(frozen=True)
class Terms:
    """How tokens are counted and priced."""

    counter: TokenCounter
    tokens: TokenProfile
    tariffs: Tariffs


@dataclass(frozen=True)
class Prepared:
    """A transcript with all that no setting changes."""

    layout: Layout
    borne: Borne
    atoms: dict[int, list[str]]
    billing: Billing
    identity: Account

    @property
    def identity_tokens(self) -> int:
        """Input tokens of everything as recorded."""
        return int(self.identity.prompt.sum())

    @property
    def recorded(self) -> dict[int, int]:
        """Tokens of each result as recorded, without framing, by message."""
        return {i: self.identity.tokens[i] - int(self.layout.framing[i]) for i in self.layout.results}

    def spans(self, source: int, atom: str) -> list[tuple[int, int]]:
        """Bytes of a result's value in which an atom stands."""
        return self.borne.byte_spans(source, atom)

    @property
    def transcript(self) -> Transcript:
        return self.layout.transcript

    @property
    def bearing(self) -> int:
        """Requests that bear an atom."""
        return sum(1 for request in self.borne.requests if request.borne)

    @property
    def borne_atoms(self) -> int:
        return sum(len(request.borne) for request in self.borne.requests)


@dataclass(frozen=True)
class Figures:
    """Of S settings over T transcripts, each (S, T). tokens: input tokens. usd: with a warm cache. visible: borne atoms
    that are. whole: requests that bear any and see all of them."""

    tokens: Floats
    usd: Floats
    visible: Floats
    whole: Floats

    def joined(self, others: Figures) -> Figures:
        """The settings of both, those of `others` behind."""
        return Figures(*(np.vstack([a, b]) for a, b in zip(vars(self).values(), vars(others).values(), strict=True)))


def prepare(transcript: Transcript, terms: Terms) -> Prepared:
    """Count and search once what all settings share."""
    layout = lay_out(transcript, terms.counter, terms.tokens)
    borne = find_borne(transcript)
    identity = account_of(layout, make_policy("identity"), terms.counter)
    billing = Billing(layout, identity, terms.tariffs, start_times(transcript))
    return Prepared(layout, borne, borne.atoms(), billing, identity)


def sweep(corpus: Sequence[Prepared], policies: Sequence[NamedPolicy], terms: Terms) -> Figures:
    """The figures of every policy over every transcript."""
    columns = [_transcript(prepared, policies, terms) for prepared in corpus]
    return Figures(*(np.stack(rows, axis=1) for rows in zip(*columns, strict=True)))


def _transcript(
    prepared: Prepared, policies: Sequence[NamedPolicy], terms: Terms
) -> tuple[Floats, Floats, Floats, Floats]:
    if any(policy.stage == "history" for policy in policies):
        return _rewritten(prepared, policies, terms)
    layout = prepared.layout
    shown = Shown(prepared, policies, terms.counter)
    matrix = np.tile(layout.fixed, (len(policies), 1))
    for i, (which, tokens) in shown.tokens.items():
        matrix[:, i] = layout.framing[i] + tokens[which]
    prompt, kept = prompt_sums(layout, matrix)
    tokens_and_usd = prompt.sum(axis=1).astype(np.float64), _usd(prepared, prompt, kept)
    return *tokens_and_usd, *shown.evidence()


def _usd(prepared: Prepared, prompt: Ints, kept: Ints) -> Floats:
    return np.asarray(prepared.billing.warm(prompt, kept).sum(axis=1), np.float64)


class Shown:
    """All results of a transcript under all settings. tokens: per message, which of its distinct renderings each
    setting has, (S,), and their tokens. search: whether evidence is looked for in them."""

    def __init__(
        self, prepared: Prepared, policies: Sequence[NamedPolicy], counter: TokenCounter, search: bool = True
    ) -> None:
        self.prepared = prepared
        self.settings = len(policies)
        self.tokens: dict[int, tuple[Ints, Ints]] = {}
        self._seen: dict[tuple[int, str], NDArray[np.bool_]] = {}
        transcript = prepared.transcript
        runs = [policy.start(transcript) for policy in policies]
        knowing = [run for run in runs if isinstance(run, Knowing)]
        for i in prepared.layout.results:
            result = transcript.messages[i].result
            assert result is not None
            call = transcript.messages[result.call[0]].calls[result.call[1]] if result.call else None
            if len(knowing) == len(runs):
                which, views = _arrived(knowing, Arrival(result.value, i, result, call))
            else:
                which, views = _admitted(run.admit(i, result, call) for run in runs)
            self.tokens[i] = which, count_pieces(views, counter)
            if search:
                self._search(i, which, views)

    def _search(self, source: int, which: Ints, views: list[Pieces]) -> None:
        atoms = self.prepared.atoms.get(source)
        if not atoms:
            return
        visibility = Visibility(self.prepared.borne.texts[source], atoms)
        seen = [visibility.seen("".join(pieces)) for pieces in views]
        for atom in atoms:
            self._seen[source, atom] = np.array([atom in found for found in seen], bool)[which]

    def seen(self, source: int, atom: str) -> NDArray[np.bool_]:
        """Per setting, whether an atom of a result is visible in it."""
        return self._seen[source, atom]

    def evidence(self) -> tuple[Floats, Floats]:
        """Per setting, borne atoms that are visible, and requests that see all that they bear."""
        visible = np.zeros(self.settings)
        whole = np.zeros(self.settings)
        for request in self.prepared.borne.requests:
            every = np.ones(self.settings, bool)
            for atom in request.borne:
                any_source = np.logical_or.reduce([self._seen[source, atom.text] for source in atom.sources])
                visible += any_source
                every &= any_source
            if request.borne:
                whole += every
        return visible, whole


def _arrived(runs: Iterable[Knowing], arrival: Arrival) -> tuple[Ints, list[Pieces]]:
    """Which of the texts each run shows, (S,), and these, none rendered twice."""
    known: dict[Hashable, int] = {}
    views: list[Pieces] = []
    which = []
    for run in runs:
        key = run.arrive(arrival)
        number = known.get(key)
        if number is None:
            number = known[key] = len(views)
            views.append(run.pieces(arrival))
        which.append(number)
    return np.array(which, np.int64), views


def _admitted(views: Iterable[Rendering]) -> tuple[Ints, list[Pieces]]:
    known: dict[str, int] = {}
    which = np.array([known.setdefault(view.text, len(known)) for view in views], np.int64)
    return which, [(text,) for text in known]


def count_pieces(views: Sequence[Pieces], counter: TokenCounter) -> Ints:
    """Tokens of texts in pieces over whose joints tokens are additive; equal pieces are counted once."""
    tokens = np.zeros(len(views), np.int64)
    for place in range(max(map(len, views), default=0)):
        known: dict[str, int] = {}
        having = [n for n, pieces in enumerate(views) if place < len(pieces)]
        which = [known.setdefault(views[n][place], len(known)) for n in having]
        tokens[having] += np.array(count_alike(list(known), counter), np.int64)[which]
    return tokens


def _rewritten(
    prepared: Prepared, policies: Sequence[NamedPolicy], terms: Terms
) -> tuple[Floats, Floats, Floats, Floats]:
    """History policies are followed one by one."""
    from harness.evidence.states import EvidenceRun

    run = EvidenceRun(prepared.borne)
    rows: list[tuple[Any, ...]] = []
    for policy in policies:
        account = history_account(prepared.layout, policy, terms.counter)
        views = dict(account.admitted)
        visible = whole = 0
        for k, change in enumerate(account.changes):
            views |= change
            states = run.count(k, views)
            visible += states.every.visible
            whole += states.all_visible
        usd = _usd(prepared, account.prompt[None, :], account.kept[None, :])[0]
        rows.append((account.prompt.sum(), usd, visible, whole))
    tokens, money, seen, all_seen = np.array(rows, np.float64).T
    return tokens, money, seen, all_seen
