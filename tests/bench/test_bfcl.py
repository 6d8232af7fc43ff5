"""The leaderboard's files, by small samples of our own in the same form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.bench.bfcl import TYPES, json_schema
from harness.bench.places import Place
from harness.bench.scoring import score_turn
from harness.bench.task import Turn
from harness.bench.tasks import read_tasks
from harness.engines.envelope import Call
from harness.errors import HarnessError

BOOK: dict[str, Any] = {
    "name": "ferry.book",
    "description": "Book a ferry.",
    "parameters": {
        "type": "dict",
        "properties": {
            "harbour": {"type": "string", "description": "From where."},
            "persons": {"type": "integer"},
            "deposit": {"type": "float"},
            "seats": {"type": "array", "items": {"type": "float"}},
            "car": {"type": "dict", "properties": {"length": {"type": "float"}, "plate": {"type": "string"}}},
            "stops": {"type": "array", "items": {"type": "dict"}},
            "note": {"type": "any"},
        },
        "required": ["harbour", "persons"],
    },
}


def write(folder: Path, questions: list[Any], answers: list[Any] | None, category: str = "simple_python") -> Path:
    path = folder / f"BFCL_v4_{category}.json"
    path.write_text("".join(json.dumps(line) + "\n" for line in questions), encoding="utf-8")
    if answers is not None:
        (folder / "possible_answer").mkdir()
        beside = folder / "possible_answer" / path.name
        beside.write_text("".join(json.dumps(line) + "\n" for line in answers), encoding="utf-8")
    return path


def question(name: str = "simple_python_0", **more: Any) -> dict[str, Any]:
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A ferry from Åbo for two"}]
    return {"id": name, "question": [asked], "function": [BOOK], **more}


def turn_of(folder: Path, answer: dict[str, Any]) -> Turn:
    truth = {"id": "simple_python_0", "ground_truth": [{"ferry.book": answer}]}
    (task,) = read_tasks(write(folder, [question()], [truth]))
    return task.turns[0]


def right(turn: Turn, **arguments: Any) -> bool:
    return score_turn(turn, [Call("ferry.book", arguments)]).right


def test_a_question_becomes_a_task(tmp_path: Path) -> None:
    truth = {"id": "simple_python_0", "ground_truth": [{"ferry.book": {"harbour": ["Åbo", "Turku"], "persons": [2]}}]}
    (task,) = read_tasks(write(tmp_path, [question()], [truth]))
    (turn,) = task.turns
    assert (task.id, task.family, turn.kind) == ("simple_python_0", "simple_python", "simple_python")
    assert turn.text == "Be brief.\n\nA ferry from Åbo for two"
    assert [(call.name, call.arguments) for call in turn.expected] == [("ferry.book", {"harbour": "Åbo", "persons": 2})]
    (tool,) = task.tools
    assert tool["name"] == "ferry.book"
    schema = tool["parameters"]
    assert (schema["type"], schema["required"]) == ("object", ["harbour", "persons"])
    assert schema["properties"]["deposit"] == {"type": "number"}
    assert schema["properties"]["seats"] == {"type": "array", "items": {"type": "number"}}
    assert schema["properties"]["car"]["properties"]["length"] == {"type": "number"}
    assert schema["properties"]["note"] == {}


def test_accepted_values(tmp_path: Path) -> None:
    turn = turn_of(
        tmp_path, {"harbour": ["Åbo, Finland", "Turku"], "persons": [2], "deposit": [5, ""], "note": ["", 7]}
    )
    assert right(turn, harbour="Turku", persons=2)
    assert right(turn, harbour="åbo finland", persons=2, deposit=5.0, note=7)
    assert score_turn(turn, [Call("ferry_book", {"harbour": "Turku", "persons": 2})]).right
    assert not right(turn, harbour="Turku")
    assert not right(turn, harbour="Turku", persons=2.0)
    assert not right(turn, harbour="Turku", persons="2")
    assert not right(turn, harbour="Turku", persons=2, deposit=6)
    assert not right(turn, harbour="Turku", persons=2, deposit="")
    assert not right(turn, harbour="Turku", persons=2, seats=[1])
    assert not right(turn, harbour="Turku", persons=2, surprise=1)
    assert not right(turn, harbour="Oslo", persons=2)


def test_an_argument_that_the_function_requires_may_not_be_left_out(tmp_path: Path) -> None:
    turn = turn_of(tmp_path, {"harbour": ["", "Turku"], "persons": [2]})
    assert right(turn, harbour="Turku", persons=2)
    assert not right(turn, persons=2)


def test_an_argument_that_must_be_left_out(tmp_path: Path) -> None:
    turn = turn_of(tmp_path, {"harbour": ["Turku"], "persons": [2], "deposit": [""]})
    assert right(turn, harbour="Turku", persons=2)
    assert not right(turn, harbour="Turku", persons=2, deposit=1)


def test_lists_and_objects(tmp_path: Path) -> None:
    answer = {
        "harbour": ["Turku"],
        "persons": [2],
        "seats": [[3, 4], [4, 3]],
        "car": [{"length": [4, 4.5], "plate": ["AB 1", ""]}, ""],
        "stops": [[{"place": ["Oslo"]}, {"place": ["Kiel", "Kiel port"]}]],
    }
    turn = turn_of(tmp_path, answer)
    stops = [{"place": "oslo"}, {"place": "Kiel port"}]
    assert right(turn, harbour="Turku", persons=2, seats=[3.0, 4.0], stops=stops)
    assert right(turn, harbour="Turku", persons=2, seats=[4, 3], car={"length": 4.0}, stops=stops)
    assert right(turn, harbour="Turku", persons=2, seats=[4, 3], car={"length": 4.5, "plate": "ab1"}, stops=stops)
    assert not right(turn, harbour="Turku", persons=2, seats=[4, 3], car={"plate": "AB 1"}, stops=stops)
    assert not right(turn, harbour="Turku", persons=2, seats=[4, 3], car={"length": 5}, stops=stops)
    assert not right(turn, harbour="Turku", persons=2, seats=[4], stops=stops)
    assert not right(turn, harbour="Turku", persons=2, seats=[4, 3], stops=stops[:1])
    assert not right(turn, harbour="Turku", persons=2, seats=[4, 3], stops=stops[::-1])


def test_parallel_calls_come_in_any_order(tmp_path: Path) -> None:
    calls = [{"ferry.book": {"harbour": [harbour], "persons": [2]}} for harbour in ("Oslo", "Kiel")]
    path = write(tmp_path, [question("parallel_0")], [{"id": "parallel_0", "ground_truth": calls}], "parallel")
    (task,) = read_tasks(path)
    answers = [Call("ferry.book", {"harbour": harbour, "persons": 2}) for harbour in ("Kiel", "Oslo")]
    assert score_turn(task.turns[0], answers).right
    assert not score_turn(task.turns[0], answers[:1]).right


def test_irrelevance_needs_no_answers_and_no_call(tmp_path: Path) -> None:
    (task,) = read_tasks(write(tmp_path, [question("irrelevance_0")], None, "irrelevance"))
    assert (task.family, task.turns[0].needs_call) == ("irrelevance", False)
    assert score_turn(task.turns[0], []).right
    assert not score_turn(task.turns[0], [Call("ferry.book", {})]).right


def test_the_category_of_a_live_question(tmp_path: Path) -> None:
    (task,) = read_tasks(write(tmp_path, [question("live_irrelevance_3-1-0")], None, "live_irrelevance"))
    assert task.family == "live_irrelevance"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([question()], "no such file; the answers must lie there"),
        ([question("live_relevance_0-0-0")], "only asks for some call"),
        ([{"id": "multi_turn_base_0", "question": [[]], "involved_classes": []}], "runs its tools"),
        ([{"id": "simple_python_0", "ground_truth": []}], "give the file of questions"),
        ([question("irrelevance_0", question=[[{}], [{}]])], "question: a question of several turns"),
        ([question("irrelevance_0", function=[{"name": "f", "parameters": {"type": "set"}}])],
         "function[0].parameters.type: unknown type 'set'"),
    ],
)  # fmt: skip
def test_what_is_not_read(tmp_path: Path, lines: list[Any], message: str) -> None:
    path = write(tmp_path, lines, None)
    with pytest.raises(HarnessError) as caught:
        list(read_tasks(path))
    assert message in str(caught.value)


def test_answers_that_do_not_fit(tmp_path: Path) -> None:
    other = {"id": "simple_python_1", "ground_truth": [{"ferry.book": {}}]}
    path = write(tmp_path, [question()], [other])
    with pytest.raises(HarnessError, match="has no answer to it"):
        list(read_tasks(path))
    unknown = {"id": "simple_python_0", "ground_truth": [{"train.book": {}}]}
    (tmp_path / "possible_answer" / path.name).write_text(json.dumps(unknown), encoding="utf-8")
    with pytest.raises(HarnessError, match=r"train\.book"):
        list(read_tasks(path))


def test_every_type_of_the_dialect_is_one_of_json_schema() -> None:
    known = {"integer", "number", "string", "boolean", "array", "object", None}
    assert set(TYPES.values()) == known
    for name, kind in TYPES.items():
        made = json_schema(Place("x:1"), {"type": name, "optional": True, "default": 1})
        assert made == ({"type": kind, "default": 1} if kind else {"default": 1})
