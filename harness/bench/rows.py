"""A turn's row: what the engine said, what the clock said, and whether it was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.bench.bands import band
from harness.bench.claims import Claims, claims, contradicted_by_clock
from harness.bench.outcome import Outcome
from harness.bench.schema_check import schema_breaks
from harness.bench.scoring import TurnScore, score_turn
from harness.bench.task import Task, Turn
from harness.engines.call_in_text import CALL_IN_TEXT
from harness.engines.envelope import (
    Call,
    CompleteError,
    Completion,
    EnvelopeError,
    flagged_arguments,
    parse_completion,
    turn_state,
)
from harness.engines.turn import Answer
from harness.grounding import Origin, Said, Source, ground_call

_SCORES: Final = (
    *("exact", "right", "matched_calls", "matched_names", "expected_calls", "right_arguments"),
    *("expected_arguments", "missing_arguments", "extra_arguments"),
)
_TRACED: Final = ("checked", "ungrounded", "both", "grounded_calls", "ungrounded_let_through", "schema_breaks")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What follows from the envelope alone. claim: None where there is no envelope."""

    columns: Mapping[str, Any]
    claim: Claims | None


class Judge:
    """Makes rows. What an engine answers again word for word is read and judged once."""

    def __init__(self) -> None:
        self._readings: dict[tuple[str, int, bytes, str | None, str], _Reading] = {}
        self._judgements: dict[tuple[str, int, str], dict[str, Any]] = {}

    def row(self, task: Task, number: int, outcome: Outcome) -> dict[str, Any]:
        """The row of turn `number` (from 1), without what belongs to the repetition and the stretch."""
        key = task.id, number, outcome.envelope, outcome.failure, outcome.detail
        if (found := self._readings.get(key)) is None:
            found = self._readings[key] = self._read(task, number, outcome)
        answer = outcome.answer or Answer(b"")
        return {
            **found.columns,
            "init_seconds": outcome.declared.seconds if outcome.declared else None,
            "prefix_tokens": outcome.declared.prefix_tokens if outcome.declared else None,
            "seconds": answer.seconds,
            "first_seconds": answer.first_seconds,
            "prompt_tokens": answer.prompt_tokens,
            "output_tokens": answer.output_tokens,
            "pieces": answer.pieces,
            "retries": answer.retries if outcome.answer else None,
            "contradicted": "+".join(contradicted_by_clock(found.claim, answer)) if found.claim else "",
        }

    def _read(self, task: Task, number: int, outcome: Outcome) -> _Reading:
        turn = task.turns[number - 1]
        parsed = read_outcome(outcome)
        completion = parsed if isinstance(parsed, Completion) else None
        reported = parsed.completion if isinstance(parsed, CompleteError) else completion
        claim = claims(reported) if reported else None
        told = claim or Claims()
        columns = _where(task, number, turn) | _said(parsed, outcome)
        columns |= {
            "claimed_prefill": told.prefill,
            "claimed_decode": told.decode,
            "claimed_memory": told.memory,
            "claimed_first": told.first,
            "claimed_seconds": told.seconds,
            "claimed_prompt_tokens": told.prompt_tokens,
            "claimed_output_tokens": told.output_tokens,
        }
        return _Reading(columns | self._judged(task, number, turn, completion), claim)

    def _judged(self, task: Task, number: int, turn: Turn, completion: Completion | None) -> dict[str, Any]:
        if completion is None:
            return dict.fromkeys((*_SCORES, *_TRACED)) | {"confusions": "", "sources": ""}
        calls = completion.function_calls or ()
        key = task.id, number, repr((calls, completion.suppressed_calls, completion.validation))
        if (found := self._judgements.get(key)) is None:
            found = _scored(score_turn(turn, calls, task.tools)) | _traced(task, turn, completion)
            self._judgements[key] = found
        return found


def read_outcome(outcome: Outcome) -> Completion | EnvelopeError | CompleteError | None:
    """The envelope read, or why there is none to read."""
    if outcome.failure is not None:
        return None
    try:
        return parse_completion(outcome.envelope)
    except (EnvelopeError, CompleteError) as error:
        return error


def _where(task: Task, number: int, turn: Turn) -> dict[str, Any]:
    size = len(turn.text.encode("utf-8", "surrogatepass"))
    return {
        "task": task.id,
        "turn": number,
        "family": task.family,
        "case": turn.kind,
        "policy": turn.policy or "",
        "value": turn.value or "",
        "hidden": turn.hidden,
        "band": band(size),
        "input_bytes": size,
        "tools": len(task.tools),
        "needs_call": turn.needs_call,
    }


def _said(parsed: Completion | EnvelopeError | CompleteError | None, outcome: Outcome) -> dict[str, Any]:
    match parsed:
        case None:
            failure, detail = str(outcome.failure), outcome.detail
        case EnvelopeError():
            failure, detail = "garbage", str(parsed)
        case CompleteError():
            failure, detail = _error_kind(parsed), parsed.detail
        case Completion():
            failure, detail = "", ""
    said = parsed.completion if isinstance(parsed, CompleteError) else parsed
    completion = said if isinstance(said, Completion) else None
    validation = completion.validation if completion else None
    flagged = validation.ungrounded if validation else None
    return {
        "state": str(turn_state(parsed)),
        "failure": failure,
        "detail": detail[:500],
        "type": completion.type or "" if completion else "",
        "calls": _length(completion.function_calls if completion else None),
        "suppressed": _length(completion.suppressed_calls if completion else None),
        "flagged": _length(flagged),
        "negation": validation.negation if validation else None,
        "confidence": float(completion.confidence.value) if completion and completion.confidence else None,
    }


def _error_kind(error: CompleteError) -> str:
    """`call in text`: the model made a call, and its server did not read it."""
    code = error.completion.error_code if error.completion else None
    return "call in text" if code == CALL_IN_TEXT else "error"


def _length(found: tuple[Any, ...] | None) -> int | None:
    return None if found is None else len(found)


def _scored(score: TurnScore) -> dict[str, Any]:
    pairs = (f"{expected or '-'}>{called or '-'}" for expected, called in score.confusions)
    return {name: getattr(score, name) for name in _SCORES} | {"confusions": "|".join(pairs)}


def _traced(task: Task, turn: Turn, completion: Completion) -> dict[str, Any]:
    tools: dict[str, Mapping[str, Any]] = {str(tool["name"]): tool for tool in task.tools}
    said = Said.of(turn.context, turn.input, turn.today)
    flagged = {(flag.call, flag.path) for flag in flagged_arguments(completion)}
    let_through = completion.function_calls or ()
    calls: tuple[Call, ...] = let_through + (completion.suppressed_calls or ())
    found: Counter[tuple[Source, bool]] = Counter()
    ungrounded = both = passed = 0
    for index, call in enumerate(calls):
        paths = {_dotted(path) for at, path in flagged if at == index}
        for argument in ground_call(call, tools.get(call.name), said, synonyms=task.synonyms):
            is_flagged = argument.path in paths
            found[argument.source, is_flagged] += 1
            if argument.state == Origin.UNGROUNDED:
                ungrounded += 1
                both += is_flagged
                passed += index < len(let_through)
    return {
        "checked": found.total(),
        "ungrounded": ungrounded,
        "both": both,
        "sources": _sources(found, checks=completion.validation is not None),
        "grounded_calls": len(completion.reference.grounded_calls),
        "ungrounded_let_through": passed,
        "schema_breaks": schema_breaks(let_through, tools),
    }


def _sources(found: Counter[tuple[Source, bool]], checks: bool) -> str:
    """`user:3:1|clock:1:0`: arguments, and those of them that the engine flags; `-` where it checks nothing."""
    return "|".join(
        f"{source}:{n}:{found[source, True] if checks else '-'}"
        for source in Source
        if (n := found[source, True] + found[source, False])
    )


def _dotted(path: tuple[str | int, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
