"""The tiny model's data: made the same every time, held-out halves really held out, values copied from the query."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tasks.tiny import catalog, generate, paraphrases, refusals
from tasks.tiny.values import NUMBER_WORDS, Values

HELDOUT = Path(generate.__file__).parent / "heldout"
ENGINE_TASKS = Path(generate.__file__).parents[1] / "engine" / "tiny.jsonl"


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
    held, missing = expanded(catalog.HELD[tool]), expanded(refusals.MISSING_HELD[tool])
    trained = expanded(generate.TRAIN[tool]) | expanded(generate.MISSING_TRAIN[tool])
    assert len(held) >= 5
    assert expanded(paraphrases.CALLS[tool]) < trained
    assert not (held | missing) & trained


def test_no_held_out_refusal_is_trained_on() -> None:
    held = expanded(refusals.OFF_TOPIC_HELD)
    assert len(held) > 30
    assert not held & expanded(generate.OFF_TOPIC_TRAIN)
    assert not set(refusals.REFUSING_HELD) & set(generate.REFUSING_TRAIN)
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
    for turn in [turn for _ in range(1200) for turn in source.mixed(8)]:
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
    for turn in [turn for _ in range(800) for turn in source.mixed(8)]:
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


def test_a_refusal_has_a_twin_that_is_answered() -> None:
    source = generate.Generator(8)
    pairs = [pair for pair in (source.mixed(8) for _ in range(1000)) if len(pair) == 2]
    assert {refused["kind"] for refused, _ in pairs} == {"absent_tool", "missing_argument", "negated"}
    for refused, twin in pairs:
        (tool,) = refused["wanted"]
        assert refused["answers"] == []
        assert [call["name"] for call in twin["answers"]] == [tool]
        assert (tool in {shown["name"] for shown in refused["tools"]}) == (refused["kind"] != "absent_tool")
        if refused["kind"] == "absent_tool":
            assert refused["query"].lower().rstrip(".!?") == twin["query"].lower().rstrip(".!?")


WORDS = r"[^ ]+(?: [^ ]+){0,3}"


def pattern(entry: Any) -> re.Pattern[str]:
    """Every sentence that training can make of an entry, but that a slot takes any one to four words."""

    def either(items: list[str]) -> str:
        return f"(?:{'|'.join(map(re.escape, items))})"

    values = Values(Random(0), held=False)
    number = rf"(?:\d+|{either(list(NUMBER_WORDS))})"
    month = either(values.months)
    kinds = {
        **dict.fromkeys(("minutes", "degrees", "level"), number),
        "number": r"\d+",
        "state": "(?:on|off)",
        "word": "[^ ]+",
        "day": rf"(?:{either(values.days)}|{month} \d+|the \d+th of {month}|\d+ {month})",
        "time": r"(?:\d+(?::\d+)?(?: am| pm| o'clock| in the morning)?|noon|half past six|half past ten)",
    }
    text = (entry[0] if isinstance(entry, tuple) else entry).lstrip("~")
    signs = {"[": "(?:", "]": ")", "|": "|"}
    found = "".join(
        signs.get(part) or (kinds.get(part[1:-1], WORDS) if part.startswith("{") else re.escape(part))
        for part in re.split(r"([\[\]|]|\{\w+\})", text)
    ).replace(r"\ ", " *")
    before = either([*generate.ASKING, "please", "hey", "ok,"])
    return re.compile(rf"(?:{before} )?{found}{either(generate.AFTER)}?[.!?]?", re.IGNORECASE)


def test_the_engine_tasks_hold_no_sentence_of_training() -> None:
    """A sentence that a training pattern matches must hold a value that is held out."""
    lists = [generate.OFF_TOPIC_TRAIN, *generate.TRAIN.values(), *generate.MISSING_TRAIN.values()]
    bare = re.compile(r"~(the )?\{word\}( and)?( \{word\})*")
    patterns = [pattern(entry) for entries in lists for entry in entries if not bare.fullmatch(str(entry))]
    held = Values(Random(0), held=True)
    kinds = ("rooms", "names", "cities", "places", "days", "months", "words")
    values = re.compile(
        rf"\b({'|'.join(re.escape(v) for kind in kinds for v in getattr(held, kind))})\b", re.IGNORECASE
    )

    def is_held(text: str) -> bool:
        return bool(values.search(text)) or not text.isascii() or any(int(n) % 7 == 3 for n in re.findall(r"\d+", text))

    records = [json.loads(line) for line in ENGINE_TASKS.read_text(encoding="utf-8").splitlines()]
    inputs = [turn["input"] for record in records for turn in record.get("turns", [])]
    assert len(inputs) == 62
    assert any(found.fullmatch("could you set a timer please") for found in patterns)
    assert [text for text in inputs if not is_held(text) and any(found.fullmatch(text) for found in patterns)] == []
