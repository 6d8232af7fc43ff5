"""The adapter for chat-completions servers against a server that is a process of its own, on the loopback interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.engines.envelope import CompleteError, parse_completion
from harness.engines.openai import OpenAI
from harness.engines.turn import Answer, EngineFailure, TurnInput
from harness.errors import HarnessError

KEY = "sk-do-not-tell-anyone"
TOOL = {"name": "home.set_light", "description": "", "parameters": {"type": "object", "properties": {}}}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    script = Path(__file__).parent / "chat_server.py"
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | {"SERVER_KEY": KEY}
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


@pytest.fixture
def engine(server: str, monkeypatch: pytest.MonkeyPatch) -> OpenAI:
    monkeypatch.setenv("TEST_KEY", KEY)
    found = OpenAI(f"{server}/v1/", key="TEST_KEY", seconds=2.0, retries=1)
    found.load()
    found.declare([TOOL], "Today is Monday.")
    return found


def ask(engine: OpenAI, text: str, **more: Any) -> Answer:
    return engine.complete(TurnInput("t/1", text, **more), 64)


def last_request(server: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{server}/requests") as answer:
        found: dict[str, Any] = json.load(answer)[-1]
    return found


def test_a_streamed_call_becomes_an_envelope(engine: OpenAI) -> None:
    answer = ask(engine, "hall light on")
    completion = parse_completion(answer.envelope)
    assert completion.type == "call"
    assert completion.function_calls is not None
    (call,) = completion.function_calls
    assert (call.name, call.arguments) == ("home.set_light", {"room": "hall"})
    assert completion.reported == {"type", "success", "function_calls", "prefill_tps", "decode_tps"}
    assert json.loads(answer.envelope)["prefill_tps"] == 500.5
    assert (answer.prompt_tokens, answer.output_tokens) == (42, 12)
    assert answer.first_seconds is not None
    assert answer.seconds is not None
    assert answer.first_seconds + 0.01 < answer.seconds


def test_what_is_asked(engine: OpenAI, server: str) -> None:
    context = ({"role": "user", "content": "look"}, {"role": "tool", "content": "rows 1 to 3"})
    engine._more = {"cache_prompt": False}
    ask(engine, "hall", context=context)
    asked = last_request(server)
    assert asked["path"] == "/v1/chat/completions"
    assert [(m["role"], m["content"]) for m in asked["messages"]] == [
        ("system", "Today is Monday."),
        ("user", "look"),
        ("user", "rows 1 to 3"),
        ("user", "hall"),
    ]
    assert asked["tools"][0]["function"]["name"] == "home_set_light"
    assert (asked["model"], asked["max_tokens"], asked["temperature"], asked["seed"]) == ("small", 64, 0.0, 1)
    assert (asked["stream"], asked["cache_prompt"], asked["had_key"]) == (True, False, True)


def test_an_answer_that_is_not_streamed_has_no_time_to_its_first_token(engine: OpenAI) -> None:
    answer = ask(engine, "whole")
    completion = parse_completion(answer.envelope)
    assert completion.function_calls is not None
    assert completion.function_calls[0].arguments == {"room": "hall"}
    assert answer.first_seconds is None
    assert answer.output_tokens == 12


def test_words_are_no_call(engine: OpenAI) -> None:
    completion = parse_completion(ask(engine, "words").envelope)
    assert (completion.type, completion.function_calls) == ("respond", ())
    assert json.loads(completion.text)["response"] == "I am fine."


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("cut off", "the engine reported failure truncated"),
        ("garbled", "the engine reported failure malformed_calls"),
        ("break off", "the engine reported failure incomplete"),
        ("error in the stream", "out of memory"),
    ],
)
def test_an_answer_that_is_not_whole_is_a_failure_with_what_there_is(text: str, detail: str, engine: OpenAI) -> None:
    answer = ask(engine, text)
    with pytest.raises(CompleteError) as caught:
        parse_completion(answer.envelope)
    assert caught.value.detail == detail
    if text != "error in the stream":
        assert '{\\"room\\":' in answer.envelope.decode("utf-8")


@pytest.mark.parametrize("text", ["busy once", "drop once"])
def test_what_passes_is_tried_again(text: str, engine: OpenAI) -> None:
    answer = ask(engine, text)
    assert parse_completion(answer.envelope).function_calls
    assert answer.seconds is not None
    assert answer.seconds < 2.0


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("busy", "refused", "HTTP 429"),
        ("refuse", "refused", r"HTTP 400: .*your key \[TEST_KEY\] is fine"),
        ("too long", "overflow", "HTTP 400: .*maximum context length"),
        ("no json", "refused", "no JSON"),
        ("hang", "timeout", "no byte for 2 s"),
        ("stop in the middle", "timeout", "stopped in the middle"),
        ("flood", "flood", "more than 16,777,216 bytes"),
    ],
)
def test_what_does_not_pass_is_a_failed_turn(text: str, kind: str, detail: str, engine: OpenAI) -> None:
    with pytest.raises(EngineFailure, match=detail) as caught:
        ask(engine, text)
    assert caught.value.kind == kind
    assert KEY not in str(caught.value)


def test_the_key_is_in_no_record(engine: OpenAI) -> None:
    identity = engine.identity()
    assert identity.build == "small tests"
    assert identity.settings["key"] == "TEST_KEY"
    assert KEY not in repr(identity)


def test_a_wrong_setup_is_named(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "wrong")
    with pytest.raises(HarnessError, match="the server refuses the key; set TEST_KEY"):
        OpenAI(f"{server}/v1", key="TEST_KEY").load()
    with pytest.raises(HarnessError, match="no server answers"):
        OpenAI("http://127.0.0.1:9/v1", seconds=1.0).load()
    for url in ("127.0.0.1:80", "ftp://x/", "http://", "http://x:99999/"):
        with pytest.raises(HarnessError, match="no address of a server"):
            OpenAI(url).load()
    with pytest.raises(HarnessError, match="a key goes into a variable"):
        OpenAI("https://me:secret@host/v1").load()
    with pytest.raises(HarnessError, match="must be a JSON object"):
        OpenAI(f"{server}/v1", extra="[1]").load()
