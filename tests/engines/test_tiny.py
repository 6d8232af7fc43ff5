"""The bundled engine: what needle-rs gives becomes an envelope, with nothing that needle-rs did not say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.bench.tasks import read_tasks
from harness.engines.envelope import CompleteError, TurnState, parse_completion, turn_state
from harness.engines.process import EngineProcess
from harness.engines.spec import read_spec
from harness.engines.tiny import MODEL, Tiny, envelope
from harness.engines.turn import EngineFailure, TurnInput, sha256_of
from harness.errors import HarnessError

CALL = '[{"name":"set_light","arguments":{"room":"hall","on":true}}]'
LIGHT = {
    "name": "set_light",
    "description": "Switch light",
    "parameters": {
        "type": "object",
        "properties": {"room": {"type": "string"}, "on": {"type": "boolean"}},
        "required": ["room", "on"],
    },
}


def found(tool_call: str | None, stop: str = "EndToken", reasoning: str | None = None) -> dict[str, Any]:
    return {"text": f"text {tool_call}", "tool_call": tool_call, "reasoning": reasoning, "stop_reason": stop}


def test_a_call() -> None:
    written = json.loads(envelope(found(CALL), None))
    assert written == {"type": "call", "success": True, "function_calls": json.loads(CALL)}
    completion = parse_completion(envelope(found(CALL, reasoning="hall from query"), 0.75))
    assert completion.reasoning == "hall from query"
    assert completion.confidence is not None
    assert completion.confidence.value == 0.75
    assert turn_state(completion) is TurnState.NOT_REPORTED


def test_a_refusal_and_words_are_told_apart() -> None:
    refused = parse_completion(envelope(found("[]"), None))
    assert (refused.type, refused.function_calls) == ("call", ())
    words = parse_completion(envelope(found(None), None))
    assert (words.type, words.function_calls) == ("respond", ())
    assert json.loads(words.text)["response"] == "text None"
    assert turn_state(refused) is turn_state(words) is TurnState.NO_CALL


@pytest.mark.parametrize(
    ("given", "detail"),
    [
        (found(None, stop="MaxTokens"), "truncated"),
        (found(CALL, stop="MaxTokens"), "truncated"),
        (found(CALL, stop="MaxSeqLen"), "truncated"),
        (found('[{"name":'), "malformed_calls"),
        (found('{"name": "set_light"}'), "malformed_calls"),
    ],
)
def test_what_is_no_list_of_calls_is_a_failure_with_its_text(given: dict[str, Any], detail: str) -> None:
    with pytest.raises(CompleteError, match=detail) as caught:
        parse_completion(envelope(given, None))
    assert caught.value.completion is not None
    assert json.loads(caught.value.completion.text)["response"] == given["text"]


def test_a_model_that_is_none(tmp_path: Any) -> None:
    pytest.importorskip("needle_rs", reason="needs the extra `tiny`")
    path = tmp_path / "broken.cact"
    path.write_bytes(b"no model")
    with pytest.raises(HarnessError, match=r"broken\.cact: needle-rs cannot load it"):
        Tiny(str(path)).load()


def test_it_runs() -> None:
    pytest.importorskip("needle_rs", reason="needs the extra `tiny`")
    if not MODEL.exists():
        pytest.skip("the bundled model is not there")
    engine = EngineProcess(read_spec("tiny"))
    identity = engine.start().identity
    assert identity.hashes == {"weights": sha256_of(MODEL)}
    assert identity.build == "needle-rs 0.3.1"
    engine.declare([LIGHT], "")
    answer, again = (engine.complete(TurnInput("a/1", "turn on the light in the kitchen"), 128) for _ in range(2))
    engine.close()
    assert answer.envelope == again.envelope
    (call,) = parse_completion(answer.envelope).function_calls or ()
    assert (call.name, call.arguments) == ("set_light", {"room": "kitchen", "on": True})
    assert answer.seconds is not None
    assert answer.first_seconds is not None
    assert answer.prompt_tokens is not None
    assert answer.output_tokens is not None
    assert answer.prompt_tokens > 10
    assert 5 < answer.output_tokens < 128


def test_definitions_are_given_in_the_order_that_the_model_knows() -> None:
    pytest.importorskip("needle_rs", reason="needs the extra `tiny`")
    engine = Tiny()
    engine.declare([{"description": "Switch light", "parameters": LIGHT["parameters"], "name": "set_light"}], "")
    assert json.loads(engine._tools) == [LIGHT]
    assert list(json.loads(engine._tools)[0]) == ["name", "description", "parameters"]


def test_a_prompt_that_does_not_fit_is_refused_not_cut() -> None:
    pytest.importorskip("needle_rs", reason="needs the extra `tiny`")
    engine = Tiny()
    engine.load()
    engine.declare([LIGHT], "")
    with pytest.raises(EngineFailure, match="the prompt does not fit into 2048 tokens"):
        engine.complete(TurnInput("a/1", "hall kitchen " * 2000), 16)


def test_tools_are_declared_with_the_name_first(tmp_path: Any) -> None:
    path = tmp_path / "tasks.jsonl"
    tool = {"parameters": LIGHT["parameters"], "description": "Switch light", "name": "set_light"}
    turns = [{"input": "light on in the hall", "calls": []}]
    path.write_text(json.dumps({"id": "a", "family": "home", "tools": [tool], "turns": turns}), encoding="utf-8")
    (task,) = read_tasks(path)
    engine = Tiny()
    engine.declare(task.tools, "")
    assert engine._tools == json.dumps([LIGHT], separators=(",", ":"))
