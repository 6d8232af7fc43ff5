"""What the estimate says of a run that was recorded under `identity`: the added calls of METHOD, section 4."""

from __future__ import annotations

from typing import Any

from harness import Policy
from harness.evidence import EvidenceRun, find_borne
from harness.loop.episode import Counting, Episode
from harness.money.bill import RequestPrices, Tariff
from harness.policies.spec import make_policy
from harness.replay.added import Added, tokens_per_byte
from harness.replay.ledger import account_of
from harness.replay.visibility import states_of


class Estimate:
    """The estimates of one recording; one instance serves all policies."""

    def __init__(self, recording: Episode, counting: Counting, tariff: Tariff) -> None:
        transcript, self._layout = recording.transcript, recording.layout
        self._counter = counting.counter
        self._evidence = EvidenceRun(find_borne(transcript))
        prices = RequestPrices.uniform(tariff, len(self._layout.requests))
        whole = account_of(self._layout, make_policy("identity"), self._counter)
        self._added = Added(self._layout, self._evidence, prices, tokens_per_byte(self._layout, whole))

    def columns(self, policy: Policy) -> dict[str, Any]:
        """low, evidence, high and losses; at_risk: requests whose evidence is not all visible; replayed_tokens: input
        tokens of the recording replayed under the policy, which the added tokens come on top of."""
        account = account_of(self._layout, policy, self._counter)
        found = self._added.columns(account)
        return {
            "low": found["added_low"],
            "evidence": found["added_evidence"],
            "high": found["added_high"],
            "losses": found["unrecoverable"] + found["unrecoverable_unknown"],
            "evidence_tokens": found["added_tokens_evidence"],
            "high_tokens": found["added_tokens_high"],
            "at_risk": sum(1 for state in states_of(self._evidence, account) if state.at_risk),
            "elided_bytes": sum(view.elided_bytes for view in account.views.values()),
            "replayed_tokens": int(account.prompt.sum()),
        }
