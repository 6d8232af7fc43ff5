from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.formats.instances import repository_of
from harness.formats.mini_swe_agent import fenced
from harness.testing.formats import read, survive
from harness.transcript import ToolCall, Transcript, Usage

FENCE = "```"
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff"


def block(command: str, fence: str = "bash") -> str:
    return f"THOUGHT: so.\n\n{FENCE}{fence}\n{command}\n{FENCE}"


def answer(content: str, created: int, prompt_tokens: int) -> dict[str, Any]:
    choices = [{"message": {"role": "assistant", "content": content, "reasoning": "hm"}}]
    usage = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 16},
    }
    response = {
        "id": f"gen-{created}",
        "model": "m-2",
        "created": created,
        "usage": usage,
        "choices": choices,
    }
    return {"role": "assistant", "content": content, "extra": {"response": response}}


def output(text: str, code: int = 0) -> dict[str, Any]:
    return {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{text}</output>"}


MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "One block."},
    {"role": "user", "content": "Fix it."},
    answer(block("ls"), 1000, 50),
    output("a.py\n"),
    answer(block("cat a.py") + "\n\n" + block("cat b.py"), 1010, 90),
    {"role": "user", "content": "Please always provide EXACTLY ONE action, found 2 actions."},
    answer(block("cat <<'E'\n# title\nE"), 1020, 150),
    output("# title\n", 1),
    answer(block(SUBMIT), 1030, 200),
    {"role": "user", "content": "diff --git a/a.py b/a.py\n"},
]
VERSION_1 = {
    "trajectory_format": "mini-swe-agent-1",
    "instance_id": "pallets__flask-4992",
    "info": {"exit_status": "Submitted", "config": {"model": {"model_name": "m"}}},
    "messages": MESSAGES,
}
BARE = [{k: v for k, v in m.items() if k != "extra"} for m in MESSAGES]


def tool_call(call_id: str, command: str) -> dict[str, Any]:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": "bash", "arguments": json.dumps({"command": command})},
    }


def observed(text: str, code: int, **more: Any) -> dict[str, Any]:
    return {
        "content": text,
        "extra": {"raw_output": text * 2, "returncode": code, "timestamp": 2000.5},
        **more,
    }


RESPONSE = {
    "object": "response",
    "id": "resp_1",
    "model": "m-5",
    "output": [
        {
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "look"}],
            "encrypted_content": "gAAA",
        },
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Looking."}]},
        {"type": "function_call", "call_id": "f1", "name": "bash", "arguments": '{"command":"ls"}'},
    ],
    "usage": {"input_tokens": 70, "output_tokens": 8, "input_tokens_details": {"cached_tokens": 0}},
    "extra": {"actions": [{"command": "ls", "tool_call_id": "f1"}], "timestamp": 2010.0},
}
VERSION_2: dict[str, Any] = {
    "trajectory_format": "mini-swe-agent-1.1",
    "info": {"config": {"model": {"model_name": "m"}}},
    "messages": [
        {"role": "system", "content": "Use bash."},
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": None, "tool_calls": [tool_call("a", "ls"), tool_call("b", "pwd")],
         "extra": {"actions": [{"command": "ls"}, {"command": "pwd"}], "timestamp": 1999.0}},
        observed("one", 0, role="tool", tool_call_id="a"),
        observed("two", 2, role="tool", tool_call_id="b"),
        {"role": "user", "content": "Bad call.", "extra": {"interrupt_type": "FormatError", "response": {}}},
        RESPONSE,
        observed("three", 0, type="function_call_output", call_id="f1", output="three"),
        {"role": "assistant", "content": block("ls -a", "mswea_bash_command"),
         "extra": {"actions": [{"command": "ls -a"}]}},
        observed("<returncode>0</returncode>\n<output>\n.</output>", 0, role="user"),
        {"role": "exit", "content": "the patch", "extra": {"submission": "the patch"}},
    ],
}  # fmt: skip
SAMPLES = {
    "one.traj.json": json.dumps(VERSION_1).encode(),
    "bare.traj.json": json.dumps(BARE).encode(),
    "two.traj.json": json.dumps(VERSION_2).encode(),
}


def only(name: str) -> Transcript:
    (run,), intake = read(name, SAMPLES[name])
    assert intake.problems == []
    assert run.format == "mini-swe-agent"
    return run


def test_version_1_calls_and_results() -> None:
    run = only("one.traj.json")
    assert run.problems == ()
    assert run.cluster == "pallets/flask"
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert [m.calls for m in run.messages if m.role == "assistant"] == [
        (ToolCall("bash", "ls"),),
        (),
        (ToolCall("bash", "cat <<'E'\n# title\nE"),),
        (ToolCall("bash", SUBMIT),),
    ]
    results = [m.result for m in run.messages if m.result]
    assert [(r.content, r.name, r.call, r.exit_code) for r in results] == [
        ("<returncode>0</returncode>\n<output>\na.py\n</output>", "bash", (2, 0), 0),
        ("<returncode>1</returncode>\n<output>\n# title\n</output>", "bash", (6, 0), 1),
    ]


def test_a_command_is_not_counted_twice() -> None:
    run = only("one.traj.json")
    message = run.messages[2]
    assert message.text == "THOUGHT: so.\n\n```\n\n```"
    recorded = MESSAGES[2]["content"]
    assert len(message.text) + sum(len(c.name) + len(c.arguments) for c in message.calls) == len(recorded)


def test_version_1_usage_times_and_reasoning() -> None:
    answers = [m for m in only("one.traj.json").messages if m.role == "assistant"]
    assert [m.usage for m in answers] == [Usage(n, 16, None, 9) for n in (50, 90, 150, 200)]
    assert [m.time for m in answers] == [1000, 1010, 1020, 1030]
    assert {(m.reasoning, m.model) for m in answers} == {("hm", "m-2")}


def test_a_bare_list_of_messages() -> None:
    run = only("bare.traj.json")
    assert len(run.messages) == 9
    assert run.unknown == ("usage", "time", "tool definitions")


def test_version_2_in_its_three_dialects() -> None:
    run = only("two.traj.json")
    assert run.problems == ()
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "tool", "user", "assistant", "tool", "assistant", "tool",
    ]  # fmt: skip
    results = [m.result for m in run.messages if m.result]
    assert [(r.call, r.exit_code, r.call_id) for r in results] == [
        ((2, 0), 0, "a"), ((2, 1), 2, "b"), ((6, 0), 0, "f1"), ((8, 0), 0, None),
    ]  # fmt: skip
    response = run.messages[6]
    assert (response.text, response.reasoning, response.encrypted) == ("Looking.", "look", 1)
    assert (response.message_id, response.model, response.time) == ("resp_1", "m-5", 2010.0)
    assert response.usage == Usage(70, 0, None, 8)
    assert run.messages[8].calls == (ToolCall("bash", "ls -a"),)
    assert "ls -a" not in run.messages[8].text
    assert run.notes == ("1 refused answers are not in the recording",)


def test_the_fence_is_the_one_that_the_prompt_asks_for() -> None:
    text = block("echo no") + "\n" + block("echo yes", "mswea_bash_command")
    assert fenced(text, "bash") == ["echo no"]
    assert fenced(text, "mswea_bash_command") == ["echo yes"]
    assert fenced("```bash\nls" * 3, "bash") == []
    assert fenced("```bash\n```", "bash") == []


@pytest.mark.parametrize(
    ("instance", "repository"),
    [
        ("django__django-14238", "django/django"),
        ("scikit-learn__scikit-learn-25102", "scikit-learn/scikit-learn"),
        ("pandas-dev__pandas.95280573.pr_53856", "pandas-dev/pandas"),
        ("sveltejs/svelte:pr-12", "sveltejs/svelte"),
        ("my-own-task", "my-own-task"),
        ("", ""),
    ],
)
def test_the_repository_of_an_instance(instance: str, repository: str) -> None:
    assert repository_of(instance) == repository


def counts(run: Transcript) -> dict[str, int]:
    results = [m.result for m in run.messages if m.result]
    return {
        "calls": sum(len(m.calls) for m in run.messages),
        "results": len(results),
        "total": sum(len(r.content.encode()) for r in results),
    }


def test_the_recorded_runs(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    refused = {"django": 1, "scikit-learn": 1, "official-github": 0}
    seen = 0
    for run in read_transcripts([corpora / "mini-swe-agent"], Intake()):
        figures = expected[f"mini-swe-agent/{run.id}"]
        found = counts(run)
        assert (found["results"], found["total"]) == (figures["results"], figures["total"])
        # The rough reader takes an answer with several blocks, which the agent refused, for a call.
        (refusals,) = (n for prefix, n in refused.items() if run.id.startswith(prefix))
        assert found["calls"] == figures["calls"] - refusals
        assert run.problems == ()
        seen += 1
    assert seen == 3


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("mini-swe-agent", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("mini-swe-agent", name, SAMPLES[name], 2000, seed=2)
