"""The task files: the reader and its complaints, and that the project's own tasks keep what their page says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.bench.paths import leaves
from harness.bench.scoring import score_turn
from harness.bench.task import ExpectedCall, Task, Turn
from harness.bench.tasks import read_tasks
from harness.engines.envelope import Call
from harness.engines.turn import TurnInput
from harness.errors import HarnessError
from harness.grounding import Origin, Said, ground_call
from tasks.engine import make
from tests.bench.schema import faults

FOLDER = Path(make.__file__).parent
FILES = sorted(FOLDER.glob("*.jsonl"))
NO_CALL = {"missing", "no_tool"}
LIGHT = {
    "name": "light",
    "description": "Switch a light.",
    "parameters": {"type": "object", "properties": {"room": {"type": "string"}, "on": {"type": "boolean"}}},
}


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [task for path in FILES for task in read_tasks(path)]


@pytest.fixture(scope="module")
def turns(tasks: list[Task]) -> list[tuple[Task, Turn]]:
    return [(task, turn) for task in tasks for turn in task.turns]


def test_the_files_are_what_the_maker_makes() -> None:
    made = make.files()
    assert {path.name for path in FILES} == set(made)
    for name, lines in made.items():
        assert FOLDER.joinpath(name).read_text(encoding="utf-8") == make.text(lines), f"run the maker again: {name}"
    page = FOLDER.joinpath("README.md").read_text(encoding="utf-8")
    assert make.readme(page, made) == page


def test_there_are_enough_turns_of_every_kind(turns: list[tuple[Task, Turn]]) -> None:
    counts = Counter(turn.kind for _, turn in turns)
    assert sum(counts.values()) >= 400
    assert set(counts) == {
        "single", "several", "many_tools", "missing", "negation", "no_tool", "default", "enum", "number_words",
        "derived", "dates", "units", "quotation", "scripts", "distracting", "result",
    }  # fmt: skip
    assert min(counts.values()) >= 14
    families = Counter(task.family for task, _ in turns)
    assert set(families) == {"home", "phone", "car", "media", "calendar", "notes", "developer", "tiny"}
    assert min(families.values()) >= 40


def test_no_request_is_there_twice(tasks: list[Task], turns: list[tuple[Task, Turn]]) -> None:
    assert len({task.id for task in tasks}) == len(tasks)
    asked = Counter((turn.text.casefold(), turn.policy) for _, turn in turns)
    assert max(asked.values()) == 1
    alone = Counter(turn.input.casefold() for _, turn in turns if turn.kind != "result")
    assert max(alone.values()) == 1


def test_every_right_call_is_valid_by_its_schema(turns: list[tuple[Task, Turn]]) -> None:
    for task, turn in turns:
        tools = {tool["name"]: tool for tool in task.tools}
        for calls in (turn.expected, *turn.alternatives):
            for call in calls:
                if any(str(value).startswith("$r") for value in call.arguments.values()):
                    assert turn.hidden
                assert list(faults(call.arguments, tools[call.name]["parameters"])) == [], (task.id, call)


def test_every_default_is_valid_by_its_schema(tasks: list[Task]) -> None:
    schemas = [schema for task in tasks for tool in task.tools for schema in tool["parameters"]["properties"].values()]
    assert any("default" in schema for schema in schemas)
    assert [fault for schema in schemas if "default" in schema for fault in faults(schema["default"], schema)] == []


def test_every_value_is_grounded_where_it_stands(turns: list[tuple[Task, Turn]]) -> None:
    spoken = 0
    for task, turn in turns:
        tools = {tool["name"]: tool for tool in task.tools}
        for call in turn.expected:
            assert set(call.spans) | set(call.unspoken) == {path for path, _ in leaves(call.arguments)}
            for path, (start, end) in call.spans.items():
                said = turn.text[start:end]
                assert said == said.strip(), (task.id, said)
                found = {one.path: one for one in ground_call(call, tools[call.name], said, turn.today)}[path]
                assert found.state in (Origin.GROUNDED, Origin.DERIVED), (task.id, said, found)
                spoken += 1
    assert spoken > 400


def test_in_the_whole_input_only_implied_values_may_look_invented(turns: list[tuple[Task, Turn]]) -> None:
    for task, turn in turns:
        tools = {tool["name"]: tool for tool in task.tools}
        for call in turn.expected:
            for found in ground_call(call, tools[call.name], Said.of(turn.context, turn.input, turn.today)):
                reason = call.unspoken.get(found.path)
                if reason is None:
                    assert found.state in (Origin.GROUNDED, Origin.DERIVED), (task.id, found)
                elif reason == "default":
                    assert found.state is not Origin.UNGROUNDED, (task.id, found)


def test_values_of_other_turns_are_hardly_ever_traced(turns: list[tuple[Task, Turn]]) -> None:
    by_tool: dict[str, list[ExpectedCall]] = {}
    for _, turn in turns:
        for call in turn.expected:
            by_tool.setdefault(call.name, []).append(call)
    traced = foreign = 0
    for task, turn in turns:
        if turn.kind == "result":  # values of one result are foreign to each other by name only
            continue
        tools = {tool["name"]: tool for tool in task.tools}
        own = [value for call in turn.expected for _, value in leaves(call.arguments)]
        for call in turn.expected:
            for other in by_tool[call.name][:4]:
                for found in ground_call(other, tools[call.name], Said.of(turn.context, turn.input, turn.today)):
                    if found.state is not Origin.DEFAULT and found.value not in own:
                        foreign += 1
                        traced += found.state is not Origin.UNGROUNDED
    assert foreign > 500
    assert traced / foreign < 0.02


def test_the_right_calls_are_right_and_others_are_not(turns: list[tuple[Task, Turn]]) -> None:
    for task, turn in turns:
        for calls in (turn.expected, *turn.alternatives):
            score = score_turn(turn, calls, task.tools)
            assert (score.right, score.unknown_arguments, score.unknown_tools) == (True, 0, 0), task.id
        more = [*turn.expected, Call(task.tools[0]["name"], {"surprise": 1})]
        assert not score_turn(turn, more, task.tools).right, task.id


def test_turns_that_need_no_call_have_none(turns: list[tuple[Task, Turn]]) -> None:
    assert all(not turn.needs_call for _, turn in turns if turn.kind in NO_CALL)
    assert all(turn.needs_call for _, turn in turns if turn.kind not in {*NO_CALL, "negation", "enum", "result"})
    needing = sum(turn.needs_call for _, turn in turns)
    assert 0.6 < needing / len(turns) < 0.85


def test_many_tools_are_many(turns: list[tuple[Task, Turn]]) -> None:
    assert {len(task.tools) for task, turn in turns if turn.kind == "many_tools" and task.family != "tiny"} == {59}


def test_each_result_is_shown_under_each_policy(turns: list[tuple[Task, Turn]]) -> None:
    shown: dict[str, dict[str, Turn]] = {}
    for _, turn in turns:
        if turn.kind == "result":
            assert turn.value is not None
            assert turn.policy is not None
            shown.setdefault(turn.value, {})[turn.policy] = turn
    assert len(shown) == 17
    for by_policy in shown.values():
        assert list(by_policy) == ["identity", "head:bytes=1000", "middle:bytes=1000", "car"]
        assert by_policy["identity"].hidden is False
        assert len({turn.input for turn in by_policy.values()}) == 1
        for policy, turn in by_policy.items():
            references = [v for call in turn.expected for v in call.arguments.values() if str(v).startswith("$r1")]
            assert turn.needs_call == (not turn.hidden or bool(references))
            assert not references or (policy == "car" and turn.hidden)
    hidden = Counter(policy for by_policy in shown.values() for policy, turn in by_policy.items() if turn.hidden)
    assert all(5 <= hidden[policy] <= 14 for policy in ("head:bytes=1000", "middle:bytes=1000", "car"))
    by_reference = [by["car"].value for by in shown.values() if by["car"].hidden and by["car"].needs_call]
    assert len(by_reference) == 4


def test_the_tiny_file_has_the_tools_of_the_tiny_model(turns: list[tuple[Task, Turn]]) -> None:
    from tasks.tiny.catalog import TOOLS

    known = {tool["name"]: tool for tool in TOOLS}
    used = {tool["name"] for task, _ in turns if task.family == "tiny" for tool in task.tools}
    assert used == set(known)
    assert all(tool == known[tool["name"]] for task, _ in turns if task.family == "tiny" for tool in task.tools)


def test_the_text_is_what_an_engine_of_one_text_gets(turns: list[tuple[Task, Turn]]) -> None:
    for task, turn in turns:
        assert TurnInput(task.id, turn.input, turn.context).text == turn.text


def write(path: Path, *lines: Any) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def task_line(**turn: Any) -> dict[str, Any]:
    return {"id": "one", "family": "home", "tools": ["light"], "turns": [{"input": "Light in the hall", **turn}]}


def test_all_that_a_task_can_have(tmp_path: Path) -> None:
    call = {
        "name": "light",
        "arguments": {"room": "hall", "on": True},
        "accept": {"room": ["hallway"]},
        "optional": ["on"],
        "spans": {"room": [23, 27]},
        "unspoken": {"on": "implied"},
    }
    line = task_line(
        calls=[call], alternatives=[[]], ordered=True, kind="single", comparison="bfcl", today="2026-11-30",
        context=[{"role": "system", "content": "Be brief"}], policy="head:bytes=9", value="v", hidden=False,
    )  # fmt: skip
    line["tools"] = ["light", {"type": "function", "function": {"name": "stop", "parameters": {}}}]
    line["synonyms"] = {"hall": ["entrance"]}
    (task,) = read_tasks(write(tmp_path / "t.jsonl", {"tools": [LIGHT]}, "", line))
    (turn,) = task.turns
    assert [tool["name"] for tool in task.tools] == ["light", "stop"]
    assert task.synonyms == {"hall": ("entrance",)}
    assert turn.text == "Be brief\n\nLight in the hall"
    assert turn.text[slice(*turn.expected[0].spans["room"])] == "hall"
    assert turn.expected == (
        ExpectedCall("light", {"room": "hall", "on": True}, {"room": ("hallway",)}, frozenset({"on"}),
                     {"room": (23, 27)}, {"on": "implied"}),
    )  # fmt: skip
    assert turn.alternatives == ((),)
    assert (turn.ordered, turn.comparison, turn.policy, turn.value, turn.hidden) == (
        True, "bfcl", "head:bytes=9", "v", False,
    )  # fmt: skip
    assert str(turn.today) == "2026-11-30"


COMPLAINTS: list[tuple[Any, str]] = [
    ("[1]", "t.jsonl:2: must be an object, not [1]"),
    ("{", "t.jsonl:2: not one JSON value a line"),
    ('{"id": "a", "id": "b"}', "the key 'id' is given twice"),
    ({"id": "a", "tols": []}, "no key is called 'tols' (did you mean 'tools'?)"),
    ({"id": "a", "family": "x", "tools": ["ligt"], "turns": [1]}, "no tool 'ligt' in the lines before (did you mean"),
    ({"id": "a", "family": "x", "tools": ["light", "light"], "turns": []}, "the tool 'light' is declared twice"),
    ({"id": "a", "family": "x", "tools": [], "turns": []}, "turns: a task needs a turn"),
    ({"id": "a", "tools": [], "turns": [{"input": "", "calls": []}]}, "'family' is missing"),
    ({"id": 1, "family": "x", "tools": [], "turns": [{"input": "", "calls": []}]}, "id: must be a text, not 1"),
    ({"tools": [{"name": "x"}]}, "tools[0]: 'parameters' is missing"),
    ({"tools": [{"name": "x", "parameters": {"properties": []}}]}, "parameters.properties: must be an object, not []"),
    ({"tools": [{"name": "", "parameters": {}}]}, "tools[0].name: a tool needs a name"),
    (task_line(), "turns[0]: 'calls' is missing"),
    (task_line(calls={}), "turns[0].calls: must be a list, not {}"),
    (task_line(calls=[], orderd=True), "turns[0]: no key is called 'orderd' (did you mean 'ordered'?)"),
    (task_line(calls=[], ordered=1), "turns[0].ordered: must be true or false, not 1"),
    (task_line(calls=[], comparison="loose"), "turns[0].comparison: must be one of folded, bfcl, not \"loose\""),
    (task_line(calls=[], today="today"), "turns[0].today: must be a day such as 2026-05-03"),
    (task_line(calls=[], context=[{"role": "user"}]), "turns[0].context[0]: 'content' is missing"),
    (task_line(calls=[], alternatives=[{}]), "turns[0].alternatives[0]: must be a list of calls"),
    (task_line(calls=[{"name": "ligth", "arguments": {}}]), "calls[0].name: the task declares no tool 'ligth'"),
    (task_line(calls=[{"name": "light", "arguments": {"rom": 1}}]), "light has no argument 'rom' (did you mean"),
    (task_line(calls=[{"name": "light", "arguments": {}, "optional": ["lamp"]}]), "optional: no value at 'lamp'"),
    (task_line(calls=[{"name": "light", "arguments": {"room": "a"}, "spans": {"room": [3, 99]}}]),
     "turns[0].calls[0].spans.room: must be [start, end] within the 17 characters of the input"),
    (task_line(calls=[{"name": "light", "arguments": {"room": "a"}, "unspoken": {"room": "guess"}}]),
     "unspoken.room: must be one of default, implied"),
    (task_line(calls=[{"name": "light", "arguments": {"room": "a"}, "accept": {"room": "b"}}]),
     "accept.room: must be a list"),
    ({**task_line(calls=[]), "synonyms": {"a": [1]}}, "synonyms.a[0]: must be a text, not 1"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), COMPLAINTS)
def test_complaints_name_the_place(tmp_path: Path, line: Any, message: str) -> None:
    path = write(tmp_path / "t.jsonl", {"tools": [LIGHT]}, line)
    with pytest.raises(HarnessError) as caught:
        list(read_tasks(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}:2: ")


def test_an_id_is_given_once(tmp_path: Path) -> None:
    line = task_line(calls=[])
    with pytest.raises(HarnessError, match=r"t\.jsonl:3: a second task has the id 'one'"):
        list(read_tasks(write(tmp_path / "t.jsonl", {"tools": [LIGHT]}, line, line)))


def test_files_that_are_no_task_files(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="cannot be read"):
        list(read_tasks(tmp_path / "nothing"))
    with pytest.raises(HarnessError, match="no tasks in it"):
        list(read_tasks(write(tmp_path / "empty.jsonl")))
    with pytest.raises(HarnessError, match="no tasks in it"):
        list(read_tasks(write(tmp_path / "tools.jsonl", {"tools": [LIGHT]})))
    (tmp_path / "latin").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(HarnessError, match="not UTF-8 at byte 8"):
        list(read_tasks(tmp_path / "latin"))
