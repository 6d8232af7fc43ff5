from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.testing.formats import read, survive
from harness.transcript import Cut, ToolCall, Transcript


def item(role: str, content: Any, kind: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main", "message_type": kind, **more}


def parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def called(call_id: str, name: str, arguments: str) -> list[dict[str, Any]]:
    return [{"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}]


PROMPT = [
    item("system", "Solve it.", "system_prompt"),
    item("user", "A demonstration:", "demonstration", is_demo=True),
    item("assistant", "Looking.", "action", is_demo=True, tool_calls=called("d", "open", '{"path":"x"}')),
    item("tool", "[File: x]", "observation", is_demo=True, tool_call_ids=["d"]),
    item("user", parts("The issue."), "observation"),
]
FUNCTION_CALLING_STEPS = [
    item("assistant", "First.", "action", action="ls", tool_calls=called("a", "bash", '{"command":"ls"}')),
    item("tool", parts("OBSERVATION:\na.py\r\nb.py"), "observation", tool_call_ids=["a"]),
    item("assistant", "Second.", "action", action="open a.py", tool_calls=called("a", "open", '{"path":"a.py"}')),
    item("tool", "1:x = 1", "observation", tool_call_ids=["a"]),
    item("assistant", "Third.", "action", action="submit", tool_calls=called("s", "submit", "{}")),
    item("tool", "diff --git", "observation", tool_call_ids=["s"]),
]
ELIDED = "Old environment output: (2 lines omitted)"


def step(number: int, **more: Any) -> dict[str, Any]:
    return {"action": "x", "observation": "y", "response": "z", "state": '{"open_file": "n/a"}', **more}


def prompts() -> list[list[dict[str, Any]]]:
    """What each request was sent: before the third, the agent shortened the first observation."""
    history = PROMPT + FUNCTION_CALLING_STEPS
    third = [dict(m) for m in history[:9]]
    third[6] = item("tool", ELIDED, "observation", tool_call_ids=["a"])
    return [history[:5], history[:7], third]


def trajectory(steps: list[dict[str, Any]]) -> dict[str, Any]:
    stats = {"tokens_sent": 900, "tokens_received": 50, "api_calls": 3}
    return {
        "environment": "main",
        "trajectory": steps,
        "history": PROMPT + FUNCTION_CALLING_STEPS,
        "info": {"exit_status": "submitted", "model_stats": stats},
    }


QUERIES = trajectory([step(i, query=query) for i, query in enumerate(prompts())])
COPIES = trajectory([step(i, messages=query) for i, query in enumerate([*prompts()[1:], []])])
TEXT = {
    "trajectory": [step(0), step(1)],
    "history": [
        item("system", "Solve it.", ""),
        item("user", "The task.", ""),
        item("assistant", "Try.\n```\n./rock -v\n```", "", action="./rock -v\n", thought="Try.\n"),
        item("user", "usage: rock\n(Open file: n/a)", ""),
        item("assistant", "Edit.\n```\nedit 1:2\nx = 1\nend_of_edit\n```", "", action="edit 1:2\nx = 1\nend_of_edit\n"),
        item("user", "[File: a]", ""),
        item("assistant", "I am done.", "", action=""),
        item("user", "Your answer had no command.", ""),
    ],
    "info": {"model_stats": {"tokens_sent": 0}},
}
SAMPLES = {
    "pallets__flask-4992.traj": json.dumps(QUERIES).encode(),
    "copies.traj": json.dumps(COPIES).encode(),
    "text.traj": json.dumps(TEXT).encode(),
}


def only(name: str) -> Transcript:
    (run,), intake = read(name, SAMPLES[name])
    assert intake.problems == []
    assert run.problems == ()
    assert run.format == "swe-agent"
    return run


def test_demonstrations_are_prompt_and_no_requests() -> None:
    run = only("pallets__flask-4992.traj")
    assert [(m.role, m.copied) for m in run.messages[:5]] == [
        ("system", False), ("user", False), ("assistant", True), ("user", False), ("user", False),
    ]  # fmt: skip
    assert run.messages[2].text == 'Looking.\nopen {"path":"x"}'
    assert len(run.requests()) == 3
    assert run.cluster == "pallets/flask"


def test_results_are_what_history_holds_and_ids_may_repeat() -> None:
    run = only("pallets__flask-4992.traj")
    assert [(r.content, r.name, r.call) for m in run.messages if (r := m.result)] == [
        ("OBSERVATION:\na.py\r\nb.py", "bash", (5, 0)),
        ("1:x = 1", "open", (7, 0)),
        ("diff --git", "submit", (10, 0)),
    ]
    assert run.notes == ("the whole run: 900 tokens sent, 50 received",)


@pytest.mark.parametrize("name", ["pallets__flask-4992.traj", "copies.traj"])
def test_a_prompt_that_the_agent_shortened_is_rebuilt(name: str) -> None:
    run = only(name)
    assert run.cuts == (Cut(10, (0, 1, 2, 3, 4, 5, 9, 7, 8), "cleared"),)
    assert run.messages[9].text == ELIDED
    shown = [list(s) for _, s in run.prompts()]
    assert shown == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 9, 7, 8]]


def test_a_text_action_is_a_call_and_is_taken_out_of_the_text() -> None:
    run = only("text.traj")
    answers = [m for m in run.messages if m.role == "assistant"]
    assert [m.calls for m in answers] == [
        (ToolCall("bash", "./rock -v"),),
        (ToolCall("edit", "1:2\nx = 1\nend_of_edit"),),
        (),
    ]
    assert answers[0].text == "Try.\n```\n\n```"
    assert [m.role for m in run.messages] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user",
    ]  # fmt: skip
    assert "which earlier results later prompts left out" in run.unknown
    assert "usage" in run.unknown


def test_several_agents_are_several_transcripts() -> None:
    document = {**TEXT, "history": [*TEXT["history"], {**item("system", "You review.", ""), "agent": "reviewer"}]}
    runs, _ = read("two.traj", json.dumps(document).encode())
    assert [(r.id, len(r.messages)) for r in runs] == [("two.traj#main", 8), ("two.traj#reviewer", 1)]


def test_the_recorded_runs(corpora: Path, expected: Mapping[str, Mapping[str, int]]) -> None:
    seen = {}
    for run in read_transcripts([corpora / "swe-agent"], Intake()):
        results = [m.result for m in run.messages if m.result]
        assert sum(len(m.calls) for m in run.messages) == expected[f"swe-agent/{run.id}"]["calls"]
        assert run.problems == ()
        assert run.cuts == ()
        seen[run.id] = (len(results), sum(len(r.content.encode()) for r in results))
    # The rough reader counts `observation` of the steps in the first file. The model saw them in `history`, each with
    # the shell's state behind it, and never saw the last.
    assert seen.pop("ctf-rev-rock.traj") == (11, 14149)
    assert seen == {
        name.removeprefix("swe-agent/"): (figures["results"], figures["total"])
        for name, figures in expected.items()
        if name.startswith("swe-agent/") and "ctf-rev-rock" not in name
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants(name: str) -> None:
    survive("swe-agent", name, SAMPLES[name], 70)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_many_mutants(name: str) -> None:
    survive("swe-agent", name, SAMPLES[name], 2000, seed=2)
