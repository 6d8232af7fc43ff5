from __future__ import annotations

import pytest
from hypothesis import given

from harness.preview import SessionValues

from .strategies import bounded, good_json


def stored(*values: object) -> SessionValues:
    session = SessionValues()
    for value in values:
        session.put(value)
    return session


def test_handles_count_from_one() -> None:
    session = SessionValues()
    assert [session.put(None), session.put(0), session.put("")] == ["r1", "r2", "r3"]
    assert len(session) == 3
    assert session.handles() == ("r1", "r2", "r3")
    assert session.lookup("r1") is None


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("r1.a.0.b", 1),
        ("r1.a.+0.b", 1),
        ("r1.a.00.b", 1),
        ("r1.", "empty"),
        ("r1.0", "key"),
        ("r1.a." + "0" * 50 + "1", None),
    ],
)
def test_paths(path: str, found: object) -> None:
    assert stored({"a": [{"b": 1}, None], "": "empty", "0": "key"}).lookup(path) == found


@pytest.mark.parametrize(
    "path",
    [
        "r2",
        "R1",
        "r01",
        "",
        "r1.a.2",
        "r1.a.-1",
        "r1.a. 1",
        "r1.a.++1",
        "r1.a.",
        "r1.a.٠",
        "r1.a.²",
        "r1.a.0.b.c",
        "r1.a." + "9" * 5000,
    ],
)
def test_paths_to_nothing(path: str) -> None:
    session = stored({"a": [{"b": 1}, None]})
    with pytest.raises(KeyError):
        session.lookup(path)
    assert session.resolve(["$" + path]).params == ["$" + path]
    assert session.resolve(["$" + path]).references == ()


def test_references_are_whole_strings_resolved_once_and_in_order() -> None:
    session = stored("$r2", {"x": "$r1"})
    resolved = session.resolve({"$r1": "$r1", "b": ["$r2.x", "see $r1", "$r2"]})
    assert resolved.params == {"$r1": "$r2", "b": ["$r1", "see $r1", {"x": "$r1"}]}
    assert resolved.references == ("r1", "r2.x", "r2")


@bounded
@given(good_json)
def test_without_values_everything_stays(params: object) -> None:
    resolved = SessionValues().resolve(params)
    assert repr(resolved.params) == repr(params)
    assert resolved.references == ()
