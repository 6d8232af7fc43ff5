"""What an engine's answer has of the recorded action: the same tools, the same arguments, arguments with a source.

References to handles are put back to the values that they stand for before arguments are compared, since a recording
holds the values themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from harness.bench.outcome import Outcome
from harness.bench.rows import read_outcome
from harness.bench.scoring import score_turn
from harness.bench.task import ExpectedCall, Turn
from harness.engines.envelope import Call, CompleteError, Completion, turn_state
from harness.engines.overflow import is_overflow
from harness.engines.turn import Answer
from harness.grounding import Origin, ground_call
from harness.loop.task import Step
from harness.loop.uptake import Kept, Uptake
from harness.redrive.prompt import RecordedPrompt
from harness.redrive.tools import arguments_of
from harness.transcript import ToolCall

NOT_ASKED: Final[dict[str, Any]] = {
    "failure": "",
    "state": "",
    "calls": None,
    "same_tools": None,
    "same_arguments": None,
    "exact": None,
    "checked": None,
    "ungrounded": None,
    "handles_used": None,
    "handles_wrong": None,
    "handles_invented": None,
    "seconds": None,
    "first_seconds": None,
    "engine_prompt_tokens": None,
    "engine_output_tokens": None,
    "envelope": "",
}
"""The columns of a request whose prompt is known not to fit, so that nobody was asked."""


def judge(
    outcome: Outcome, prompt: RecordedPrompt, recorded: Sequence[ToolCall], kept: Kept, window: int
) -> dict[str, Any]:
    """The live columns of a row but `asked`. Figures of a turn that failed or did not fit are absent, save its time."""
    parsed = read_outcome(outcome)
    answer = outcome.answer or Answer(b"")
    columns = NOT_ASKED | {
        "state": str(turn_state(parsed)),
        "seconds": answer.seconds,
        "first_seconds": answer.first_seconds,
        "engine_prompt_tokens": answer.prompt_tokens,
        "engine_output_tokens": answer.output_tokens,
        "envelope": hashlib.sha256(outcome.envelope).hexdigest()[:16] if outcome.envelope else "",
    }
    if _overflowed(outcome, parsed, answer, window):
        return columns | {"outcome": "overflow"}
    if not isinstance(parsed, Completion):
        failure = outcome.failure or ("error" if isinstance(parsed, CompleteError) else "garbage")
        return columns | {"outcome": "failed", "failure": str(failure)}
    calls = parsed.function_calls or ()
    return columns | {"outcome": "call" if calls else "no call"} | _compared(calls, prompt, recorded, kept)


def _overflowed(outcome: Outcome, parsed: object, answer: Answer, window: int) -> bool:
    """Whether the engine said that the prompt is too long, or its own count fills the window."""
    if outcome.failure == "overflow":
        return True
    if isinstance(parsed, CompleteError) and is_overflow(parsed.detail):
        return True
    return answer.prompt_tokens is not None and answer.prompt_tokens + (answer.output_tokens or 0) >= window


def _compared(
    calls: Sequence[Call], prompt: RecordedPrompt, recorded: Sequence[ToolCall], kept: Kept
) -> dict[str, Any]:
    expected = tuple(ExpectedCall(call.name, arguments_of(call)) for call in recorded)
    uptake = Uptake()
    written = [Call(c.name, uptake.resolve(kept, Step(c.name, _object(c)))) for c in calls]
    score = score_turn(Turn("", expected), written)
    return {
        "calls": len(calls),
        "same_tools": score.matched_names == len(expected) == len(calls),
        "same_arguments": score.right,
        "exact": score.exact,
        "handles_used": uptake.used,
        "handles_wrong": uptake.wrong,
        "handles_invented": uptake.invented,
    } | _traced(calls, prompt)


def _traced(calls: Sequence[Call], prompt: RecordedPrompt) -> dict[str, Any]:
    """How many arguments the harness's rules of grounding find in the prompt, of the calls as they were written."""
    tools = {str(tool["name"]): tool for tool in prompt.tools}
    traced = [one for call in calls for one in ground_call(call, tools.get(call.name), prompt.text)]
    return {"checked": len(traced), "ungrounded": sum(one.state == Origin.UNGROUNDED for one in traced)}


def _object(call: Call) -> dict[str, Any]:
    return call.arguments if isinstance(call.arguments, dict) else {}
