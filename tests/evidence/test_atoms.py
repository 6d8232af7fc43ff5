from __future__ import annotations

import pytest

from harness.evidence.atoms import actions, candidates, distinctive
from tests.evidence.planted import answer, calls


def pieces(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    stack = list(candidates(text))
    while stack:
        candidate = stack.pop()
        found[candidate.text] = candidate.kind
        stack += candidate.parts()
    return found


@pytest.mark.parametrize(
    "text",
    ["404", "user_id_7", "src/a.py", "camelCase", "HTTPServer", "3.14", "2024-05-15", "internationalised", "a-b-cd"],
)
def test_what_is_distinctive(text: str) -> None:
    assert distinctive(text)


@pytest.mark.parametrize("text", ["42", "word", "README", "Capital", "JFK", "a_b", "x1", "e.g", "1.2"])
def test_what_is_not(text: str) -> None:
    assert not distinctive(text)


def test_kinds() -> None:
    found = pieces('open src/deep/module_a.py and "the second of them" at 4711 for parseHeader')
    assert found["src/deep/module_a.py"] == "path"
    assert found["the second of them"] == "quoted"
    assert found["4711"] == "number"
    assert found["parseHeader"] == "identifier"
    assert "second" not in found


def test_a_path_is_tried_whole_before_its_parts() -> None:
    (whole,) = candidates("/srv/app-one/module_a.py")
    assert whole.text == "srv/app-one/module_a.py"
    assert [part.text for part in whole.parts()] == ["app-one", "module_a.py"]
    assert [part.text for part in whole.parts()[1].parts()] == ["module_a"]


def test_a_short_argument_is_a_quoted_string_itself() -> None:
    (whole,) = candidates("12 Harbour Street, Leeds")
    assert (whole.text, whole.kind) == ("12 Harbour Street, Leeds", "quoted")


def test_text_with_marks_inside_quotes_falls_back_to_its_names() -> None:
    found = pieces("sed -i 's/old_name/new_name/' \"src/x_y.py\" `other_name`\nsecond line")
    assert {"old_name", "new_name", "src/x_y.py", "other_name"} <= found.keys()


def test_arguments_are_taken_apart() -> None:
    message = calls({"path": "src/a_b.py", "edits": [{"old": "x", "line": 1200}], "flag": True}, "ls -la src")
    found = [(a.call, a.at, a.text) for a in actions(message)]
    assert found == [
        (0, ("path",), "src/a_b.py"),
        (0, ("edits", 0, "old"), "x"),
        (0, ("edits", 0, "line"), "1200"),
        (1, (), "ls -la src"),
    ]


def test_numbers_are_kept_as_written() -> None:
    message = calls('{"price": 1234.50, "big": 12345678901234567890, "e": 1e999}')
    assert [a.text for a in actions(message)] == ["1234.50", "12345678901234567890", "1e999"]


def test_arguments_that_are_no_json_are_one_text() -> None:
    assert [a.text for a in actions(calls('{"broken": '))] == ['{"broken": ']


def test_an_answer_is_an_action_and_the_text_beside_a_call_is_not() -> None:
    assert [a.text for a in actions(answer("It is ORD-991."))] == ["It is ORD-991."]
    assert [a.text for a in actions(calls({"id": "ORD-991"}, text="Looking at ORD-992"))] == ["ORD-991"]


def test_json_inside_a_string_is_unescaped() -> None:
    (argument,) = actions(calls({"input": '{"path": "src\\u002fname_1.py"}'}))
    assert "src/name_1.py" in pieces(argument.text)
