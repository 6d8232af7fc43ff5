"""CAR run traces: JSONL under `~/.car/runs/<agent>/`, records `started`, `turn` and `ended`.

Source: CAR's release notes (no recording was at hand): a turn is `RunTurn{index?, prompt?, tool?, parameters?, output?,
cli_outcome?, verifier_verdict?, policy_rejected?}`; strings are capped at some 16 KB with `…[truncated]`, a turn at 256
KiB, a run at 2,000 turns. A record names its kind in `type` (or `kind`, `event`), or is `{"turn": {...}}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.json_text import Unreadable, compact
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Message, ToolCall, Transcript

KINDS = ("started", "turn", "ended")
TURN_FIELDS = frozenset(
    {"prompt", "tool", "parameters", "output", "cli_outcome", "verifier_verdict", "policy_rejected"}
)
UNKNOWN = ("which turns were requests of their own", "what stood in the prompt besides", "model")


class CarRuns:
    name = "car-runs"
    read_on = "its release notes alone"

    def sniff(self, head: Head) -> bool:
        return head.kind == "jsonl" and any(_is_turn(record) for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        prompts: list[str] = []
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            record = Record(value, f"{source.name}: line {number}", assembly.problems.append)
            try:
                if _kind(value) == "turn":
                    _turn(assembly, record.record("turn") if "turn" in record else record, prompts)
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        if not assembly.messages:
            raise HoldsNothing("a run without turns")
        agent = PurePosixPath(source.name).parent.name
        yield assembly.transcript(source.name, self.name, cluster=agent, unknown=UNKNOWN)


def _kind(record: dict[str, Any]) -> str | None:
    for key in ("type", "kind", "event", "record"):
        if isinstance(record.get(key), str) and record[key] in KINDS:
            return str(record[key])
    return next((kind for kind in KINDS if isinstance(record.get(kind), dict)), None)


def _is_turn(record: dict[str, Any]) -> bool:
    if _kind(record) != "turn":
        return False
    inner = record.get("turn")
    fields = inner if isinstance(inner, dict) else record
    return bool(TURN_FIELDS & fields.keys())


def _turn(assembly: Assembly, turn: Record, prompts: list[str]) -> None:
    """A turn: the prompt where it is a new one, the call with its output, or what the agent said."""
    time = turn.time("timestamp")
    prompt = turn.string("prompt")
    if prompt and prompts[-1:] != [prompt]:
        prompts.append(prompt)
        assembly.add(Message("user", prompt, time=time))
    output = turn.raw("output")
    text = output if isinstance(output, str) else "" if output is None else compact(output)
    tool = turn.string("tool")
    if not tool:
        if text:
            assembly.add(Message("assistant", text, time=time))
        return
    parameters = turn.raw("parameters")
    arguments = parameters if isinstance(parameters, str) else "" if parameters is None else compact(parameters)
    assembly.add(Message("assistant", calls=(ToolCall(tool, arguments),), time=time))
    if output is not None:
        rejected = turn.raw("policy_rejected")
        assembly.answer(
            text, name=tool, is_json=not isinstance(output, str), is_error=True if rejected else None, time=time
        )
