"""llama.cpp: the schema that a model decodes under; with a GGUF file named in the environment, a real turn."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.engines.llama import Llama, calls_schema
from harness.engines.turn import EngineFailure, TurnInput
from harness.errors import HarnessError

LIGHT = {
    "name": "set_light",
    "description": "Switch light",
    "parameters": {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]},
}


def test_the_schema_admits_declared_tools_only() -> None:
    schema = calls_schema([LIGHT, {"name": "stop", "description": ""}])
    light, stop = schema["items"]["anyOf"]
    assert light["properties"]["name"] == {"const": "set_light"}
    assert light["properties"]["arguments"] == LIGHT["parameters"]
    assert stop["properties"]["arguments"] == {"type": "object", "properties": {}}
    assert light["required"] == ["name", "arguments"]
    assert calls_schema([])["maxItems"] == 0


def test_a_missing_file_is_named() -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra `llama`")
    with pytest.raises(HarnessError, match=r"none\.gguf: no such file"):
        Llama("none.gguf").load()


def test_an_unknown_cache_type_is_named(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra `llama`")
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(HarnessError, match=r"kv is 'q9', which llama\.cpp does not have"):
        Llama(str(tmp_path / "m.gguf"), kv="q9").load()


def test_a_raw_turn_writes_until_the_budget_ends() -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra `llama`")
    if not (model := os.environ.get("HARNESS_TEST_GGUF", "")):
        pytest.skip("needs a GGUF file, named in HARNESS_TEST_GGUF")
    engine = Llama(model, context=512, raw=True)
    engine.load()
    answer = engine.complete(TurnInput("a/1", "one two three"), 8)
    assert answer.output_tokens == 8
    assert len(json.loads(answer.envelope)["inter_token_ms"]) == 7
    with pytest.raises(EngineFailure, match="overflow"):
        engine.complete(TurnInput("a/2", "one two three " * 400), 8)


def test_a_real_turn() -> None:
    pytest.importorskip("xllamacpp", reason="needs the extra `llama`")
    if not (model := os.environ.get("HARNESS_TEST_GGUF", "")):
        pytest.skip("needs a GGUF file, named in HARNESS_TEST_GGUF")
    engine = Llama(model, context=1024)
    engine.load()
    engine.declare([LIGHT], "")
    answer = engine.complete(TurnInput("a/1", "light in the hall"), 24)
    assert answer.output_tokens is not None
    assert answer.seconds is not None
    assert answer.first_seconds is not None
    assert 0 < answer.first_seconds < answer.seconds
    assert answer.output_tokens <= 24
