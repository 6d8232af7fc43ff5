from __future__ import annotations

from harness.formats.pairing import Pairing
from harness.transcript import ToolCall


def call(name: str, call_id: str | None = None) -> ToolCall:
    return ToolCall(name, "{}", call_id)


def test_a_repeated_id_means_the_nearest_unanswered_call() -> None:
    pairing = Pairing()
    pairing.called(1, [call("first", "a")])
    pairing.called(3, [call("second", "a")])
    assert pairing.answer("a") == ((3, 0), call("second", "a"))
    assert pairing.answer("a") == ((1, 0), call("first", "a"))
    assert pairing.answer("a") is None


def test_one_id_twice_in_a_message_is_answered_in_order() -> None:
    pairing = Pairing()
    pairing.called(0, [call("first", "a"), call("second", "a")])
    assert [pairing.answer("a"), pairing.answer("a")] == [
        ((0, 0), call("first", "a")),
        ((0, 1), call("second", "a")),
    ]


def test_without_ids_position_and_name_decide() -> None:
    pairing = Pairing()
    pairing.called(0, [call("old")])
    pairing.called(2, [call("read"), call("list"), call("read")])
    assert pairing.answer(None, "list") == ((2, 1), call("list"))
    assert pairing.answer(None) == ((2, 0), call("read"))
    assert pairing.answer(None) == ((2, 2), call("read"))
    assert pairing.answer(None) == ((0, 0), call("old"))
    assert pairing.answer(None) is None


def test_an_unknown_id_answers_a_call_without_id_and_never_another_id() -> None:
    pairing = Pairing()
    pairing.called(0, [call("other", "b")])
    assert pairing.answer("a") is None
    pairing.called(1, [call("bare")])
    assert pairing.answer("a") == ((1, 0), call("bare"))
    assert pairing.answer("b") == ((0, 0), call("other", "b"))


def test_a_known_place_is_taken_once() -> None:
    pairing = Pairing()
    pairing.called(0, [call("first", "a"), call("second", "a")])
    assert pairing.take((0, 1)) == ((0, 1), call("second", "a"))
    assert pairing.take((0, 1)) is None
    assert pairing.take((7, 0)) is None
    assert pairing.answer("a") == ((0, 0), call("first", "a"))


def test_many_calls_and_results_are_paired_in_order() -> None:
    pairing = Pairing()
    pairing.called(0, [call("read") for _ in range(20_000)])
    for number in range(20_000):
        pairing.called(number + 1, [call("other", "same")])
    assert [pairing.answer("nobody", "write") for _ in range(20_000)] == [None] * 20_000
    assert pairing.answer("same") == ((20_000, 0), call("other", "same"))
    assert [pairing.answer(None, "read") for _ in range(20_000)] == [((0, n), call("read")) for n in range(20_000)]
    assert pairing.answer(None, "read") is None
