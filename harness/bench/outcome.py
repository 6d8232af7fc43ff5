"""What became of one turn, as it is observed and as the journal keeps it. Everything else is worked out from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from harness.engines.raw import pack, unpack
from harness.engines.turn import Answer, Declared, FailureKind


@dataclass(frozen=True, slots=True)
class Outcome:
    """envelope: what the engine wrote, also of a failed turn. answer: None for a failed one. declared: if the tools
    were declared just before."""

    envelope: bytes
    answer: Answer | None = None
    failure: FailureKind | None = None
    detail: str = ""
    declared: Declared | None = None

    def to_record(self) -> dict[str, Any]:
        """As JSON holds it."""
        record: dict[str, Any] = {"envelope": pack(self.envelope)}
        if self.answer is not None:
            record |= {"times": list(self.answer.to_record().values())}
        if self.failure is not None:
            record |= {"failure": self.failure, "detail": self.detail}
        if self.declared is not None:
            record |= {"init": [self.declared.seconds, self.declared.prefix_tokens]}
        return record

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """What `to_record` wrote."""
        envelope = unpack(record["envelope"])
        return cls(
            envelope,
            Answer(envelope, *record["times"]) if "times" in record else None,
            record.get("failure"),
            record.get("detail", ""),
            Declared(*record["init"]) if "init" in record else None,
        )
