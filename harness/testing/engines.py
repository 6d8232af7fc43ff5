"""What every engine promises."""

from __future__ import annotations

from collections.abc import Sequence

from harness.engines.process import EngineProcess
from harness.engines.spec import read_spec
from harness.engines.turn import OBSERVED, Answer, EngineFailure, Tool, TurnInput

TOOLS: Sequence[Tool] = (
    {
        "name": "set_light",
        "description": "Switch a light.",
        "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
    },
)
INPUTS = (
    "Light in the hall, please.",
    "",
    "\0\u2028\ud83d\ude00 ünï",
    "x " * 2_000,
    '{"type": "call"}',
    "<|endoftext|>",
)


def check_engine(spec: str, turn_seconds: float = 60.0) -> list[Answer | EngineFailure]:
    """In a process of its own: it loads, says what it is, takes tools, and answers every input or fails it by a named
    failure; figures are numbers that are possible; after `reset` it goes on. Returns what came."""
    process = EngineProcess(read_spec(spec), turn_seconds)
    try:
        started = process.start()
        assert started.identity.name, f"{spec}: it does not say what it is"
        process.declare(TOOLS, "You switch lights.")
        found = [_turn(process, number, text) for number, text in enumerate(INPUTS)]
        process.reset()
        found.append(_turn(process, len(INPUTS), INPUTS[0]))
    finally:
        process.close()
    assert any(isinstance(one, Answer) for one in found), f"{spec}: it answered nothing ({found[0]})"
    for answer in (one for one in found if isinstance(one, Answer)):
        _check(spec, answer)
    return found


def _turn(process: EngineProcess, number: int, text: str) -> Answer | EngineFailure:
    if not process.running:
        process.start()
        process.declare(TOOLS, "You switch lights.")
    try:
        return process.complete(TurnInput(f"t{number}", text), 64)
    except EngineFailure as failure:
        return failure


def _check(spec: str, answer: Answer) -> None:
    assert isinstance(answer.envelope, bytes), f"{spec}: an envelope is bytes, not {type(answer.envelope).__name__}"
    for name in OBSERVED:
        value = getattr(answer, name)
        assert value is None or value >= 0, f"{spec}: {name} is {value}"
    if answer.seconds is not None and answer.first_seconds is not None:
        assert answer.first_seconds <= answer.seconds, f"{spec}: its first token came after its last"
