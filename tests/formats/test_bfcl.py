from __future__ import annotations

import json
from typing import Any

import pytest

from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Usage


def state(name: str) -> list[dict[str, Any]]:
    return [{"role": "state_info", "class_name": name, "content": {"root": {}}}]


def step(content: Any, decoded: list[str], *results: Any) -> list[dict[str, Any]]:
    log = {"role": "handler_log", "content": "Successfully decoded model response.", "model_response_decoded": decoded}
    return [{"role": "assistant", "content": content}, log, *({"role": "tool", "content": r} for r in results)]


FUNCTIONS = {
    "id": "multi_turn_base_0",
    "result": [[[{"cd": '{"folder": "a"}'}]]],
    "input_token_count": [[900, 950], [0, 1000]],
    "output_token_count": [[20, 5], [0, 7]],
    "latency": [[1.0, 1.0], [1.0, 1.0]],
    "inference_log": [
        state("FileSystem"),
        {
            "begin_of_turn_query": [{"role": "system", "content": "Call."}, {"role": "user", "content": "Go to a."}],
            "step_0": step(
                [{"cd": '{"folder": "a"}'}, {"ls": "{}"}], ["cd(folder='a')", "ls()"], '{"cwd": "a"}', '{"ls": []}'
            ),
            "step_1": [{"role": "inference_input", "content": "x"}, *step("Done.", [])],
        },
        state("FileSystem"),
        {
            "begin_of_turn_query": [{"role": "user", "content": "Back."}],
            "step_0": [{"role": "assistant", "content": "I cannot."}, {"role": "handler_log", "error": "x"}],
            "step_1": step([{"cd": '{"folder": ".."}'}], ["cd(folder='..')"], "Error: none"),
            "step_10": step([], []),
        },
    ],
}
PROMPTED = {
    "id": "multi_turn_base_1",
    "result": [],
    "inference_log": [
        {
            "begin_of_turn_query": [{"role": "user", "content": "Go."}],
            "step_0": step("[cd(folder='b'),ls()]", ["cd(folder='b')", "ls()"], "None", "{}"),
            "step_1": step("[ cd( folder='c' ) ]", ["cd(folder='c')"], "None"),
        }
    ],
}
WITHOUT = {"id": "multi_turn_base_2", "result": [[["x"]]], "input_token_count": [[1]]}
LINES = b"\n".join(json.dumps(entry).encode() for entry in (FUNCTIONS, PROMPTED)) + b"\n"
SAMPLES = {"BFCL_v4_multi_turn_base_result.json": LINES}
(NAME,) = SAMPLES


def test_steps_are_requests_and_results_answer_in_order() -> None:
    (run, _), intake = read(NAME, LINES)
    assert intake.problems == []
    assert run.problems == ()
    assert (run.id, run.cluster, run.format) == (f"{NAME}#multi_turn_base_0", "multi_turn_base_0", "bfcl")
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "tool", "assistant",
        "user", "assistant", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert run.messages[2].calls == (ToolCall("cd", '{"folder": "a"}'), ToolCall("ls", "{}"))
    assert [(r.content, r.name, r.call, r.is_json) for m in run.messages if (r := m.result)] == [
        ('{"cwd": "a"}', "cd", (2, 0), False),
        ('{"ls": []}', "ls", (2, 1), False),
        ("Error: none", "cd", (8, 0), False),
    ]


def test_usage_per_step() -> None:
    (run, _), _ = read(NAME, LINES)
    assert [run.messages[i].usage for i in run.requests()] == [
        Usage(900, None, None, 20), Usage(950, None, None, 5), None, Usage(1000, None, None, 7), None,
    ]  # fmt: skip


def test_calls_that_a_prompted_model_wrote_as_text_count_once() -> None:
    (_, run), _ = read(NAME, LINES)
    answers = [m for m in run.messages if m.role == "assistant"]
    assert (answers[0].text, answers[0].calls) == ("[,]", (ToolCall("cd", "folder='b'"), ToolCall("ls", "")))
    assert (answers[1].text, answers[1].calls) == ("[ cd( folder='c' ) ]", (ToolCall("cd", ""),))
    assert len(run.results()) == 3


def test_without_inference_logs_there_is_nothing_to_replay() -> None:
    runs, intake = read(NAME, json.dumps(WITHOUT).encode() + b"\n" + json.dumps(WITHOUT).encode())
    assert runs == []
    assert intake.problems == []
    assert intake.skipped == [(NAME, "2 results without an inference log: what the tools gave back is not recorded")]
    runs, intake = read(NAME, LINES + json.dumps(WITHOUT).encode())
    assert len(runs) == 2
    assert [p.place for p in intake.problems] == [f"{NAME}: entry 3"]


def test_mutants() -> None:
    survive("bfcl", NAME, LINES, 200)


@pytest.mark.slow
def test_many_mutants() -> None:
    survive("bfcl", NAME, LINES, 2000, seed=2)
