"""What a policy holds for a run by each of its requests: the values that handles stand for."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.policies.car import typed_value
from harness.policies.family import Arrival
from harness.preview import JsonValue, SessionValues
from harness.replay.ledger import Account
from harness.transcript import Transcript


@dataclass
class KeptValues:
    """values: what `$rN` stands for, in the order of arrival. handles: the same by name, also where a policy numbers
    them otherwise."""

    transcript: Transcript
    account: Account
    values: SessionValues = field(default_factory=SessionValues)
    handles: dict[str, JsonValue] = field(default_factory=dict)
    _next: int = 0

    def arrive(self, before: int) -> None:
        """Take in the results that stand before this message; requests are asked in order."""
        sniffs = self.account.policy.settings.get("parse") == "sniff"
        for i in sorted(at for at in self.account.admitted if self._next <= at < before):
            view, result = self.account.admitted[i], self.transcript.messages[i].result
            if view.handle is None or result is None:
                continue
            value = typed_value(Arrival(result.value, i, result, None), "sniff" if sniffs else "recorded")
            self.handles[view.handle] = value
            if view.handle == f"r{len(self.values) + 1}":
                self.values.put(value)
        self._next = max(self._next, before)
