"""What counts as right, which parts of an answer are, and that scoring keeps its promises on any answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.bench.comparing import EXACT, READINGS
from harness.bench.scoring import score_turn
from harness.bench.task import ExpectedCall, Turn
from harness.engines.envelope import Call

TOOLS = [
    {"name": "light", "parameters": {"properties": {"room": {}, "on": {}, "level": {}}}},
    {"name": "timer", "parameters": {"properties": {"minutes": {}}}},
]


def light(**arguments: Any) -> ExpectedCall:
    return ExpectedCall("light", arguments)


def turn(*expected: ExpectedCall, **more: Any) -> Turn:
    return Turn("do it", expected, **more)


# expected, called, right, exact
CASES: list[tuple[list[ExpectedCall], list[Call], bool, bool]] = [
    ([light(room="hall")], [Call("light", {"room": "hall"})], True, True),
    ([light(room="hall")], [Call("light", {"room": "HALL"})], True, False),
    ([light(room="hall")], [Call("Light", {"room": "hall"})], True, False),
    ([light(level=3)], [Call("light", {"level": 3.0})], True, False),
    ([light(level=1)], [Call("light", {"level": True})], False, False),
    ([light(level=3)], [Call("light", {"level": "3"})], False, False),
    ([light(level=3.5)], [Call("light", {"level": 3})], False, False),
    ([light(room="hall")], [Call("light", {"room": "hall", "on": True})], False, False),
    ([light(room="hall", on=True)], [Call("light", {"room": "hall"})], False, False),
    ([light(room="hall")], [Call("timer", {"room": "hall"})], False, False),
    ([light(room="hall")], [], False, False),
    ([], [], True, True),
    ([], [Call("light", {})], False, False),
    ([light()], [Call("light", None)], True, True),
    ([light()], [Call("light", [1])], False, False),
    ([light(room={"a": 1, "b": 2})], [Call("light", {"room": {"b": 2, "a": 1}})], True, True),
    ([light(room=["a", "b"])], [Call("light", {"room": ["b", "a"]})], False, False),
    ([light(room="a"), light(room="b")], [Call("light", {"room": "b"}), Call("light", {"room": "a"})], True, True),
    ([light(room="a"), light(room="a")], [Call("light", {"room": "a"})], False, False),
    ([light(room="a")], [Call("light", {"room": "a"}), Call("light", {"room": "a"})], False, False),
]


@pytest.mark.parametrize(("expected", "called", "right", "exact"), CASES)
def test_right_and_exact(expected: list[ExpectedCall], called: list[Call], right: bool, exact: bool) -> None:
    score = score_turn(turn(*expected), called)
    assert (score.right, score.exact) == (right, exact)


def test_order_counts_only_where_the_turn_says_so() -> None:
    calls = [Call("light", {"room": "b"}), Call("light", {"room": "a"})]
    expected = light(room="a"), light(room="b")
    assert score_turn(turn(*expected), calls).right
    ordered = score_turn(turn(*expected, ordered=True), calls)
    assert not ordered.right
    assert ordered.matched_calls == 2
    assert score_turn(turn(*expected, ordered=True), calls[::-1]).right


def test_accepted_and_optional_values() -> None:
    expected = ExpectedCall(
        "light",
        {"room": "hall", "where": {"floor": 1, "side": "left"}},
        accept={"room": ("hallway",), "where.side": ("west",), "level": (50, 100)},
        optional=frozenset({"where.side", "level"}),
    )
    right: list[dict[str, Any]] = [
        {"room": "hallway", "where": {"floor": 1, "side": "west"}},
        {"room": "hall", "where": {"floor": 1}},
        {"room": "hall", "where": {"floor": 1}, "level": 100},
    ]
    wrong: list[dict[str, Any]] = [
        {"room": "hall", "where": {"floor": 1}, "level": 60},
        {"room": "hall", "where": {"side": "left"}},
        {"room": "hall", "where": {"floor": 1, "side": "east"}},
        {"room": "hall", "where": {"floor": 1}, "on": True},
        {"where": {"floor": 1}},
    ]
    assert all(score_turn(turn(expected), [Call("light", arguments)]).right for arguments in right)
    assert not any(score_turn(turn(expected), [Call("light", arguments)]).right for arguments in wrong)


def test_calls_that_accept_much_leave_the_strict_ones_their_own() -> None:
    either = ExpectedCall("light", {"room": "a"}, accept={"room": ("b",)})
    calls = [Call("light", {"room": "a"}), Call("light", {"room": "b"})]
    assert score_turn(turn(either, light(room="a")), calls).right
    assert score_turn(turn(light(room="a"), either), calls).right


def test_the_nearest_alternative_is_reported() -> None:
    asked = turn(light(room="a"), alternatives=((light(room="b"), light(room="c")), ()))
    both = score_turn(asked, [Call("light", {"room": "c"}), Call("light", {"room": "b"})])
    assert (both.right, both.answer, both.needs_call) == (True, 1, True)
    silent = score_turn(asked, [])
    assert (silent.right, silent.answer, silent.needs_call) == (True, 2, False)
    assert score_turn(asked, [Call("light", {"room": "a"}), Call("timer", {})]).answer == 0


def test_the_parts_of_a_wrong_answer() -> None:
    asked = turn(light(room="hall", on=True), ExpectedCall("timer", {"minutes": 5}))
    score = score_turn(asked, [Call("light", {"room": "hall", "level": 3, "hue": 1}), Call("alarm", {"at": 7})], TOOLS)
    assert (score.expected_calls, score.calls, score.matched_names, score.matched_calls) == (2, 2, 1, 0)
    assert (score.expected_arguments, score.right_arguments, score.missing_arguments) == (2, 1, 1)
    assert (score.arguments, score.extra_arguments, score.unknown_arguments) == (3, 2, 1)
    assert score.unknown_tools == 1
    assert score.confusions == (("timer", "alarm"),)


def test_what_was_called_without_need_is_confused_with_nothing() -> None:
    assert score_turn(turn(), [Call("light", {})]).confusions == ((None, "light"),)
    assert score_turn(turn(light()), []).confusions == (("light", None),)


def test_without_the_tools_nothing_is_said_about_unknown_names() -> None:
    score = score_turn(turn(light()), [Call("nothing", {"x": 1})])
    assert (score.unknown_tools, score.unknown_arguments) == (None, None)


def test_bfcl_reading() -> None:
    asked = turn(ExpectedCall("math.add", {"when": "April 1, 2024"}), comparison="bfcl")
    assert score_turn(asked, [Call("math_add", {"when": "april 1 2024"})]).right
    assert not score_turn(asked, [Call("mathadd", {"when": "april 1 2024"})]).right
    assert not score_turn(turn(light(level=3), comparison="bfcl"), [Call("light", {"level": 3.0})]).right


scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.sampled_from(["a", "A", "b", ""])
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from("xyz"), v, max_size=3), max_leaves=5
)
arguments = st.dictionaries(st.sampled_from(["room", "on", "level"]), values, max_size=3)
calls = st.lists(st.builds(Call, st.sampled_from(["light", "timer"]), arguments), max_size=5)


def as_expected(found: list[Call]) -> tuple[ExpectedCall, ...]:
    return tuple(ExpectedCall(call.name, call.arguments) for call in found)


@settings(max_examples=40)
@given(calls, st.randoms())
def test_any_order_of_the_expected_calls_is_right(found: list[Call], rng: Any) -> None:
    shuffled = rng.sample(found, len(found))
    score = score_turn(turn(*as_expected(found)), shuffled)
    assert score.right
    assert score.exact
    assert score.matched_calls == score.matched_names == len(found)
    assert score.right_arguments == score.expected_arguments == score.arguments
    assert (score.missing_arguments, score.extra_arguments, score.confusions) == (0, 0, ())


@settings(max_examples=40)
@given(calls, calls)
def test_the_counts_of_any_answer_agree_with_each_other(wanted: list[Call], found: list[Call]) -> None:
    score = score_turn(turn(*as_expected(wanted)), found, TOOLS)
    assert score.right == (len(wanted) == len(found) == score.matched_calls)
    assert score.right or not score.exact
    assert score.matched_calls <= score.matched_names <= min(len(wanted), len(found))
    assert score.right_arguments + score.missing_arguments <= score.expected_arguments
    assert score.arguments == score.expected_arguments - score.missing_arguments + score.extra_arguments
    assert len(score.confusions) == max(len(wanted), len(found)) - score.matched_names
    assert (score.unknown_arguments, score.unknown_tools) == (
        sum(
            name not in TOOLS[call.name == "timer"]["parameters"]["properties"]
            for call in found
            for name in call.arguments
        ),
        0,
    )


@settings(max_examples=40)
@given(calls, calls)
def test_scoring_does_not_depend_on_which_side_is_listed_first(wanted: list[Call], found: list[Call]) -> None:
    there = score_turn(turn(*as_expected(wanted)), found)
    back = score_turn(turn(*as_expected(found)), wanted)
    assert (there.right, there.exact) == (back.right, back.exact)
    assert (there.matched_calls, there.matched_names) == (back.matched_calls, back.matched_names)


def reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@given(values)
def test_the_order_of_keys_counts_in_no_reading(value: Any) -> None:
    for reading in (EXACT, *READINGS.values()):
        assert reading.value(value) == reading.value(reordered(value))
