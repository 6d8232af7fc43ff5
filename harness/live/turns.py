"""Turns that were paid for are kept as they come, and never asked again.

Every answer of a server is in the journal before the next request of its run is sent. A run that is killed and gone on
with takes its turns from there: as the environment of a task is made anew from its seed, the same answers lead to the
same requests. What may be paid twice is at most the one request of each run that was in flight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from harness.engines.question import question_digest
from harness.engines.raw import pack, unpack
from harness.engines.spec import EngineSpec
from harness.engines.turn import Answer, Tool, TurnInput
from harness.live.spend import Spend, is_remote, rates_of

KIND = "turn"


@dataclass
class Turns:
    """keep: puts a record into the journal, at once. kept: by run and number of the turn, what a journal held."""

    spend: Spend
    keep: Callable[[dict[str, Any]], None]
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def going_on(cls, records: Iterable[dict[str, Any]], spend: Spend, keep: Callable[[dict[str, Any]], None]) -> Turns:
        """With what a journal holds, which counts as spent."""
        turns = cls(spend, keep)
        for record in records:
            if record["kind"] == KIND:
                turns.kept[record["place"]] = record
                spend.tokens += record["tokens"]
                spend.usd += record["usd"] or 0.0
        return turns

    def ask(
        self,
        place: str,
        spec: EngineSpec,
        turn: TurnInput,
        tools: Sequence[Tool],
        system: str,
        max_tokens: int,
        ask: Callable[[], Answer],
    ) -> Answer:
        """The answer to a turn, from the journal or from the engine. Raises `OutOfBudget` before a request that might
        cost more than is left, and what `ask` raises."""
        if not is_remote(spec):
            return ask()
        question = question_digest(turn, tools, system)
        known = self.kept.get(place)
        if known is not None and known["question"] == question:
            return Answer(unpack(known["envelope"]), **known["answer"])
        rates = rates_of(spec)
        size = len(system.encode()) + sum(len(_json(part)) for part in (list(tools), list(turn.context), turn.input))
        with self.spend.room(rates, size, max_tokens):
            answer = ask()
        tokens, usd = self.spend.paid(rates, answer)
        self.keep(
            {
                "kind": KIND,
                "place": place,
                "question": question,
                "envelope": pack(answer.envelope),
                "answer": answer.to_record(),
                "tokens": tokens,
                "usd": usd,
            }
        )
        return answer


def _json(value: Any) -> bytes:
    return orjson.dumps(value, default=str)


def paid_and_stopped(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the manifest says of it: what was paid for, and whether the budget ended the run."""
    facts: dict[str, Any] = {}
    if paid := [record for record in records if record["kind"] == KIND]:
        known = [record["usd"] for record in paid if record["usd"] is not None]
        usd = sum(known) if len(known) == len(paid) else None
        facts["paid"] = {"requests": len(paid), "tokens": sum(record["tokens"] for record in paid), "usd": usd}
    if records[-1]["kind"] == "stopped":
        facts["stopped"] = {key: records[-1][key] for key in ("why", "done", "of")}
    return facts
