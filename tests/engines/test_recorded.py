"""Envelopes from files: found by id, by input or in order, with the times that stand beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.bench.claims import claims
from harness.engines.envelope import parse_completion
from harness.engines.question import question_digest
from harness.engines.recorded import Recorded
from harness.engines.turn import Answer, EngineFailure, TurnInput
from harness.errors import HarnessError

ENVELOPE = '{"type":"call", "function_calls":[],"note":"\\u00e9 é"}'


def recording(tmp_path: Path, *records: object) -> Recorded:
    path = tmp_path / "recording.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    engine = Recorded(str(path))
    engine.load()
    return engine


def test_by_id_and_several_in_turn(tmp_path: Path) -> None:
    engine = recording(
        tmp_path,
        {"id": "a/1", "envelope": ENVELOPE, "seconds": 0.5, "output_tokens": 40},
        {"id": "a/1", "envelope": "x"},
    )
    turn = TurnInput("a/1", "hello")
    assert engine.complete(turn, 9) == Answer(ENVELOPE.encode(), 0.5, None, None, 40)
    assert engine.complete(turn, 9).envelope == b"x"
    assert engine.complete(turn, 9).seconds == 0.5


def test_by_input(tmp_path: Path) -> None:
    engine = recording(tmp_path, {"input": "hello", "envelope": {"type": "respond"}})
    assert engine.complete(TurnInput("any/1", "hello"), 9).envelope == b'{"type":"respond"}'
    with pytest.raises(EngineFailure, match="no envelope for this turn"):
        engine.complete(TurnInput("any/2", "bye"), 9)


def test_bare_envelopes_in_the_order_of_the_turns(tmp_path: Path) -> None:
    engine = recording(tmp_path, ENVELOPE, '{"type": "respond"}')
    assert engine.complete(TurnInput("a/1", "x"), 9).envelope == ENVELOPE.encode()
    assert engine.complete(TurnInput("b/1", "x"), 9).envelope == b'{"type": "respond"}'
    assert engine.complete(TurnInput("a/1", "x"), 9).envelope == ENVELOPE.encode()
    with pytest.raises(EngineFailure):
        engine.complete(TurnInput("c/1", "x"), 9)


def test_the_kind_of_cactus_compute(tmp_path: Path) -> None:
    said = {
        "success": True,
        "error": None,
        "cloud_handoff": False,
        "response": "",
        "function_calls": [{"name": "set_light", "arguments": {"on": True}}],
        "confidence": 0.85,
        "time_to_first_token_ms": 45.5,
        "total_time_ms": 163.5,
        "prefill_tps": 619.5,
        "decode_tps": 168.42,
        "ram_usage_mb": 245.67,
        "prefill_tokens": 28,
        "decode_tokens": 12,
    }
    answer = recording(tmp_path, said).complete(TurnInput("a/1", "x"), 9)
    completion = parse_completion(answer.envelope)
    assert completion.function_calls is not None
    found = claims(completion)
    assert (found.memory, found.first, found.seconds) == (245.67, pytest.approx(0.0455), pytest.approx(0.1635))
    assert (found.prefill, found.decode, found.prompt_tokens, found.output_tokens) == (619.5, 168.42, 28, 12)
    assert completion.validation is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "envelope": "x", "seconds": "fast"}', "line 2: seconds must be a number"),
        ('{"id": "a", "envelope": "x", "output_tokens": -1}', "line 2: output_tokens must be a number"),
    ],
)
def test_what_is_no_recording_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=message):
        recording(tmp_path, ENVELOPE, line)


@pytest.mark.parametrize("torn", ["{", "[]", '{"type":"call"'])
def test_a_torn_line_is_an_envelope_that_cannot_be_read(torn: str, tmp_path: Path) -> None:
    engine = recording(tmp_path, ENVELOPE, torn, '{"type": "respond"}')
    said = [engine.complete(TurnInput(f"{task}/1", "x"), 9).envelope.decode() for task in "abc"]
    assert said == [ENVELOPE, torn, '{"type": "respond"}']


def test_a_digest_ties_an_envelope_to_its_question(tmp_path: Path) -> None:
    tools, turn = (
        [{"name": "look", "parameters": {"type": "object"}}],
        TurnInput("a/1", "hello", ({"content": "rows"},)),
    )
    engine = recording(tmp_path, {"id": "a/1", "question": question_digest(turn, tools, "S"), "envelope": ENVELOPE})
    engine.declare(tools, "S")
    assert engine.complete(turn, 9).envelope == ENVELOPE.encode()
    for other in (TurnInput("a/1", "hallo", turn.context), TurnInput("a/1", "hello", ({"content": "text(len=1KB"},))):
        with pytest.raises(EngineFailure, match="answers another question"):
            engine.complete(other, 9)
    for declared in (([], "S"), (tools, "")):
        engine.declare(*declared)
        with pytest.raises(EngineFailure, match="answers another question"):
            engine.complete(turn, 9)


def test_it_is_not_taken_for_a_live_engine(tmp_path: Path) -> None:
    assert not recording(tmp_path, ENVELOPE).identity().live
