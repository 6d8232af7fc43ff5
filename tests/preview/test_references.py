from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from harness.preview import Reference, SessionValues, find_references, rewrite, serialize
from harness.preview.references import MIN_BYTES, same

from .strategies import any_json, bounded, good_json

LONG = "a text of well over forty bytes, as tools return it"


def stored(*values: object) -> SessionValues:
    session = SessionValues()
    for value in values:
        session.put(value)
    return session


@bounded
@given(st.lists(good_json, min_size=1, max_size=3), good_json, st.data())
def test_what_is_rewritten_resolves_to_the_original(values: list[object], other: object, data: st.DataObject) -> None:
    argument = {
        "one": data.draw(st.sampled_from(values)),
        "two": [other, data.draw(st.sampled_from(values))],
        "three": LONG,
    }
    session = stored(*values, LONG)
    rewritten, _ = rewrite(session, argument)
    assert repr(session.resolve(rewritten).params) == repr(argument)
    for reference in find_references(session, argument):
        part: object = argument
        for step in reference.at:
            part = part[step]  # type: ignore[index]
        assert repr(session.resolve(reference.text).params) == repr(part)
        assert reference.bytes == len(serialize(part)) >= MIN_BYTES


@bounded
@given(good_json)
def test_a_long_stored_value_is_always_found(value: object) -> None:
    assume(isinstance(value, (str, list, dict)) and len(serialize(value)) >= MIN_BYTES)
    assume(repr(value) == repr(SessionValues().resolve(value).params))
    assert find_references(stored(value), value) == [Reference((), "$r1", len(serialize(value)))]


@bounded
@given(any_json, any_json)
def test_hostile_values_raise_nothing(value: object, argument: object) -> None:
    session = stored(value)
    rewritten, _ = rewrite(session, [argument, value])
    assert (
        same(session.resolve(rewritten).params, [argument, value])
        or rewritten == [argument, value]
        or "nan" in repr(value)
    )


def test_fields_are_found_at_their_paths() -> None:
    row = {"id": 7, "name": "a row with a longer name than most rows have"}
    session = stored({"rows": [row, LONG], "": {"text": LONG + "!"}})
    argument = {"row": row, "nested": {"list": [1, LONG, LONG + "!"]}, "short": "x"}
    assert [(r.at, r.text) for r in find_references(session, argument)] == [
        (("row",), "$r1.rows.0"),
        (("nested", "list", 1), "$r1.rows.1"),
        (("nested", "list", 2), "$r1..text"),
    ]
    assert rewrite(session, argument)[0] == {
        "row": "$r1.rows.0",
        "nested": {"list": [1, "$r1.rows.1", "$r1..text"]},
        "short": "x",
    }


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        ([1, LONG], [1.0, LONG]),
        ([1, LONG], [True, LONG]),
        ([0.0, LONG], [-0.0, LONG]),
        ({"a": 1, "b": LONG}, {"b": LONG, "a": 1}),
        ({"a": "x" * 40}, {"a": "x" * 41}),
        ([LONG + "\ud800"], [LONG + "\ufffd"]),
    ],
)
def test_equal_is_not_enough(value: object, argument: object) -> None:
    assert () not in [reference.at for reference in find_references(stored(value), argument)]


@pytest.mark.parametrize("value", [{"a.b": LONG}, {"a": {"x.y": LONG}}])
def test_keys_with_dots_cannot_be_referred_to(value: object) -> None:
    assert find_references(stored(value), LONG) == []
    assert find_references(stored({"pad": LONG * 2, "v": value}), value) != [] or len(serialize(value)) < MIN_BYTES


def test_forty_bytes_are_the_least() -> None:
    text = "x" * (MIN_BYTES - 2)
    assert len(find_references(stored(text), text)) == 1
    assert find_references(stored(text[1:]), text[1:]) == []


def test_the_newest_handle_and_its_outermost_value_come_first() -> None:
    session = stored(LONG, [[LONG], LONG])
    assert find_references(session, LONG)[0].text == "$r2.0.0"
    session.put(LONG)
    assert find_references(session, LONG)[0].text == "$r3"


def test_an_argument_that_would_be_changed_stays_as_it_is() -> None:
    session = stored(LONG)
    argument = {"a": LONG, "b": "$r1"}
    assert find_references(session, argument) != []
    assert rewrite(session, argument) == (argument, [])
