from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from harness.engines.envelope import (
    Call,
    CompleteError,
    EnvelopeError,
    FlaggedArgument,
    TurnState,
    Validation,
    flagged_arguments,
    parse_completion,
    turn_state,
)
from harness.engines.strict_json import Number, to_single
from tests.conftest import ROOT

GOLDEN: Path = ROOT / "tests" / "golden" / "completion.jsonl"
CALL = '"function_calls":[{"name":"set_light","arguments":{"room":"kitchen","on":true}}]'
CLEAN = '"validation":{"ungrounded":[],"negation":false}'


def test_what_is_absent_stays_absent() -> None:
    completion = parse_completion('{"type":"call","reason":null}')
    assert completion.reported == {"type", "reason"}
    assert completion.validation is None
    assert completion.confidence is None
    assert completion.decode_tps is None
    assert completion.function_calls is None
    assert completion.success is None
    reference = completion.reference
    assert (reference.kind, reference.calls, reference.confidence, reference.stats.decode_tps) == ("call", (), 0.0, 0.0)
    assert reference.validation == Validation((), False)


def test_numbers_stay_as_written() -> None:
    completion = parse_completion(
        '{"confidence":1.0000,"decode_tps":809.7,"prefill_tps":1966.80e0,"peak_ram_mb":16777217}'
    )
    assert completion.confidence == Number("1.0000")
    assert completion.prefill_tps == Number("1966.80e0")
    assert completion.decode_tps is not None
    assert completion.decode_tps.value == 809.7
    assert completion.decode_tps.single == 809.7000122070312
    assert completion.reference.stats.peak_ram_mb == 16777216.0


def test_flagged_calls_are_not_grounded_calls() -> None:
    completion = parse_completion('{"function_calls":[{"name":"p"}],"validation":{"negation":true}}')
    assert completion.reference.calls == (Call("p", None),)
    assert completion.reference.grounded_calls == ()
    assert completion.validation == Validation(None, True)


def test_bytes_of_an_engine_are_read_too() -> None:
    assert parse_completion('{"reasoning":"é"}'.encode()).reasoning == "é"
    with pytest.raises(EnvelopeError, match="UTF-8"):
        parse_completion(b'{"reasoning":"\xff"}')


@pytest.mark.parametrize(
    "text",
    [
        '{"type":{"call":null}}',
        '{"function_calls":[["a"],[]]}',
        '{"function_calls":[["a",{"k":1}]]}',
        '{"validation":[["a"],true]}',
        '{"validation":[]}',
        '{"function_calls":[{"name":"a","x":"\\ud800","y":1e999}]}',
        '{"validation":{"x":1,"x":{"z":"\\ud800"}}}',
        '{"function_calls":[{"x":' + "[" * 500 + "]" * 500 + "}]}",
        '{"function_calls":[{"arguments":' + "[" * 124 + "]" * 124 + "}]}",
        '{"x":' + "[" * 126 + "]" * 126 + "}",
    ],
)
def test_accepts_the_spellings_that_serde_accepts(text: str) -> None:
    assert parse_completion(text).text == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"type":{"call":1}}', "type: a string"),
        ('{"type":{"call":null,"x":null}}', "type: a string"),
        ('{"type":1}', "type: a string was expected, not a number"),
        ('{"success":null}', "success: a boolean was expected, not null"),
        ('{"function_calls":[{"name":"a"},{"name":1}]}', r"function_calls\[1\].name"),
        ('{"function_calls":[["a",1,2]]}', r"function_calls\[0\]: at most 2"),
        ('{"function_calls":[{"name":"a","name":"a"}]}', "'name' is given twice"),
        ('{"suppressed_calls":[{"arguments":{"x":[1,"\\ud800"]}}]}', r"suppressed_calls\[0\].arguments.x\[1\]"),
        ('{"validation":{"ungrounded":[1]}}', "validation.ungrounded"),
        ('{"decode_tps":1e999}', "decode_tps"),
        ('{"x":1e999}', "x: "),
        ('{"x":"\\ud800"}', "x: "),
        ('{"x":' + "[" * 127 + "]" * 127 + "}", "nested deeper"),
        ('{"function_calls":[{"arguments":' + "[" * 125 + "]" * 125 + "}]}", "nested deeper"),
        ("[" * 100_000, "nested too deeply"),
        ('{"type":"call"', "line 1 column 15"),
        ("[]", "envelope: an object was expected, not an array"),
        ('{"reasoning":"\ud800"}', "UTF-8"),
        ('{"confidence":NaN}', "NaN"),
    ],
)
def test_a_refusal_names_the_place(text: str, place: str) -> None:
    with pytest.raises(EnvelopeError, match=place):
        parse_completion(text)


def test_a_failure_keeps_what_the_envelope_reports_beside_it() -> None:
    with pytest.raises(CompleteError) as raised:
        parse_completion('{"success":false,"error_code":"truncated","decode_tps":5}')
    assert raised.value.detail == "the engine reported failure truncated"
    assert raised.value.completion is not None
    assert raised.value.completion.decode_tps == Number("5")
    assert turn_state(raised.value) is TurnState.FAILED


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        (f"{CALL},{CLEAN}", "grounded"),
        (f'{CALL},"validation":{{}}', "grounded"),
        (f'{CALL},"validation":{{"ungrounded":["set_light.room"]}}', "flagged"),
        (f'{CALL},"validation":{{"negation":true}}', "flagged"),
        (CALL, "not reported"),
        (f'"function_calls":[],"suppressed_calls":[{{"name":"a"}}],{CLEAN}', "withheld"),
        (f'{CALL},"suppressed_calls":[{{"name":"a"}}],{CLEAN}', "withheld"),
        ('"function_calls":[],"validation":{"ungrounded":["x.y"]}', "withheld"),
        (f'"function_calls":[],{CLEAN}', "no call"),
        ('"type":"call","function_calls":[]', "no call"),
        ('"success":true', "no call"),
    ],
)
def test_turn_states(fields: str, state: str) -> None:
    assert turn_state(parse_completion(f"{{{fields}}}")) == state


@pytest.mark.parametrize("outcome", [None, EnvelopeError("x"), CompleteError("x")])
def test_turns_without_an_answer_failed(outcome: EnvelopeError | CompleteError | None) -> None:
    assert turn_state(outcome) is TurnState.FAILED


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("start.x[0].y", [(0, ("x", 0, "y"))]),
        ("x[0].y", [(0, ("x", 0, "y"))]),
        ("kitchen", [(0, ("room",))]),
        ("30", [(1, ("minutes",)), (2, ("minutes",))]),
        ("a.b.minutes", [(1, ("minutes",))]),
        ("x", [(0, ("x",))]),
        ("nowhere", []),
    ],
)
def test_ungrounded_entries_are_paths_or_values(entry: str, found: list[tuple[int, tuple[str | int, ...]]]) -> None:
    calls = [
        {"name": "start", "arguments": {"x": [{"y": 5}], "room": "kitchen"}},
        {"name": "a.b", "arguments": {"minutes": 30}},
    ]
    held = [{"name": "c", "arguments": {"minutes": 30}}]
    envelope = {"function_calls": calls, "suppressed_calls": held, "validation": {"ungrounded": [entry]}}
    flagged = flagged_arguments(parse_completion(json.dumps(envelope)))
    assert flagged == [FlaggedArgument(entry, call, path) for call, path in found]


def test_nothing_flagged_without_validation() -> None:
    assert flagged_arguments(parse_completion(f"{{{CALL}}}")) == []


@pytest.mark.parametrize(
    ("value", "single"),
    [
        (16777217, 16777216.0),
        (9007199791611905, 9007200328482816.0),
        (-(2**63), -9.223372036854776e18),
        (1e39, float("inf")),
        (-1e39, float("-inf")),
        (0.1, 0.10000000149011612),
    ],
)
def test_numbers_are_rounded_once_to_32_bits(value: int | float, single: float) -> None:
    assert to_single(value) == single


def mutants(seed: int, count: int) -> list[str]:
    """Golden envelopes with a few bytes deleted, doubled, swapped or replaced."""
    rng = random.Random(seed)
    texts = [json.loads(line)["text"][:2000] for line in GOLDEN.read_text(encoding="utf-8").split("\n") if line]
    pieces = [
        *'{}[]",:\\0e.-+ \n\x00\ud800é',
        "null",
        "true",
        "1e999",
        "-0",
        '"\\ud800"',
        "[[",
        '{"a":',
        '"type":',
        "NaN",
    ]
    found = []
    for _ in range(count):
        text = rng.choice(texts)
        for _ in range(rng.randrange(1, 4)):
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.randrange(8))
            text = text[:start] + rng.choice([rng.choice(pieces), text[start:end] * 2, ""]) + text[end:]
        found.append(text)
    return found


def check_mutants(seed: int, count: int) -> None:
    read = failed = refused = 0
    for text in mutants(seed, count):
        try:
            completion = parse_completion(text)
        except EnvelopeError:
            refused += 1
        except CompleteError:
            failed += 1
        else:
            assert completion.text == text
            assert completion.reference.kind in ("call", "respond", "unknown")
            assert turn_state(completion) in TurnState
            flagged_arguments(completion)
            read += 1
    assert min(read, failed, refused) > count // 200


def test_mutants_raise_only_the_two_named_errors() -> None:
    check_mutants(seed=1, count=2_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 32))
def test_many_more_mutants(seed: int) -> None:
    check_mutants(seed, count=10_000)
