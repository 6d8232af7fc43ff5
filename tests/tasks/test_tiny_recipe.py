"""The tiny model's data: made the same every time, held-out halves really held out, values copied from the query."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tasks.tiny import catalog, generate, refusals
from tasks.tiny.values import NUMBER_WORDS, Values

HELDOUT = Path(generate.__file__).parent / "heldout"


@pytest.fixture(scope="module")
def held_out() -> dict[str, list[generate.Turn]]:
    return dict(generate.held_out())


def expanded(patterns: list[Any]) -> set[str]:
    """Every sentence of the patterns, slots left as they are."""
    found = set()
    for entry in patterns:
        text = (entry[0] if isinstance(entry, tuple) else entry).lstrip("~")
        parts = [part[1:-1].split("|") if part.startswith("[") else [part] for part in re.split(r"(\[.*?\])", text)]
        found |= {re.sub(" +", " ", "".join(choice)).strip() for choice in itertools.product(*parts)}
    return found


@pytest.mark.parametrize("name", sorted(generate.HELD_SETS))
def test_the_held_out_files_are_what_the_generator_makes(held_out: dict[str, list[generate.Turn]], name: str) -> None:
    lines = (HELDOUT / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == held_out[name]
    assert len(lines) == generate.HELD_SETS[name]


@pytest.mark.parametrize("tool", generate.NAMES)
def test_no_held_out_phrasing_is_trained_on(tool: str) -> None:
    held = expanded(catalog.HELD[tool])
    assert len(held) >= 5
    assert not held & expanded(catalog.TRAIN[tool])
    assert not expanded(refusals.MISSING_HELD[tool]) & expanded(refusals.MISSING_TRAIN[tool])


def test_no_held_out_refusal_is_trained_on() -> None:
    held = expanded(refusals.OFF_TOPIC_HELD)
    assert len(held) > 30
    assert not held & expanded(refusals.OFF_TOPIC_TRAIN)
    assert not set(refusals.REFUSING_HELD) & set(refusals.REFUSING_TRAIN)
    assert not set(generate.ASKING_HELD) & set(generate.ASKING)


def test_no_held_out_value_is_trained_on() -> None:
    trained, held = Values(Random(0), held=False), Values(Random(0), held=True)
    for kind in ("rooms", "names", "cities", "places", "days", "months", "words", "texts"):
        shared = set(getattr(trained, kind)) & set(getattr(held, kind))
        assert shared <= {"{words}"}, kind
    assert not {trained.number(0, 200) for _ in range(2000)} & {held.number(0, 200) for _ in range(2000)}


def test_every_value_stands_in_the_query() -> None:
    source = generate.Generator(5)
    values = 0
    for _ in range(1500):
        turn = source.mixed(8)
        for key, value in [item for call in turn["answers"] for item in call["arguments"].items()]:
            if isinstance(value, str):
                assert value in turn["query"] or value.lower() in turn["query"].lower(), turn
            elif key != "on":
                words = [word for word, number in NUMBER_WORDS.items() if number == value]
                assert str(value) in turn["query"] or any(word in turn["query"].lower() for word in words), turn
            values += 1
    assert values > 1000


def test_every_call_fits_its_tool_and_the_tool_is_shown() -> None:
    kinds = {"string": str, "integer": int, "boolean": bool}
    source = generate.Generator(6, held_phrasings=True, held_values=True)
    for _ in range(1000):
        turn = source.mixed(8)
        shown = {tool["name"]: tool["parameters"]["properties"] for tool in turn["tools"]}
        for call in turn["answers"]:
            properties = shown[call["name"]]
            assert set(call["arguments"]) == set(properties)
            assert all(type(call["arguments"][key]) is kinds[spec["type"]] for key, spec in properties.items())


def test_an_absent_tool_is_not_shown() -> None:
    source = generate.Generator(7)
    turns = [source.absent_tool(8) for _ in range(200)]
    assert {len(turn["answers"]) for turn in turns} == {0}
    assert all(1 <= len(turn["tools"]) <= 8 for turn in turns)
