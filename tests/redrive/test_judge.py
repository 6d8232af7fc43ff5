"""An answer held against the recorded action."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from harness.bench.outcome import Outcome
from harness.engines.turn import Answer
from harness.preview import JsonValue, SessionValues
from harness.redrive.judge import judge
from harness.redrive.prompt import RecordedPrompt
from harness.transcript import ToolCall

ROWS = [{"id": 7, "note": "the seventh row"}]
PROMPT = RecordedPrompt("", ({"role": "tool", "content": "r1 = array(len=1, [:1]=[...])"},), "Save the rows.", (), 0)
SAVE = ToolCall("save", json.dumps({"rows": ROWS, "as": "Rows.json"}))


@dataclass
class Kept:
    values: SessionValues = field(default_factory=SessionValues)
    handles: dict[str, JsonValue] = field(default_factory=dict)


def judged(*calls: tuple[str, dict[str, Any]], recorded: tuple[ToolCall, ...] = (SAVE,), **more: Any) -> dict[str, Any]:
    kept = Kept()
    kept.handles[kept.values.put(ROWS)] = ROWS
    made = [{"name": name, "arguments": arguments} for name, arguments in calls]
    envelope = json.dumps({"type": "call", "success": True, "function_calls": made}).encode()
    return judge(Outcome(envelope, Answer(envelope, 0.5, **more)), PROMPT, recorded, kept, 100)


def marks(found: dict[str, Any]) -> list[bool]:
    return [found[name] for name in ("same_tools", "same_arguments", "exact")]


def test_a_reference_is_the_value_that_it_stands_for() -> None:
    found = judged(("save", {"rows": "$r1", "as": "Rows.json"}))
    assert marks(found) == [True, True, True]
    assert (found["handles_used"], found["handles_invented"], found["outcome"]) == (1, 0, "call")
    assert (found["checked"], found["ungrounded"]) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "same", "handles"),
    [
        ({"rows": ROWS, "as": "rows.json"}, [True, True, False], (0, 0, 0)),
        ({"rows": ROWS}, [True, False, False], (0, 0, 0)),
        ({"rows": "$r1.7", "as": "Rows.json"}, [True, False, False], (0, 1, 0)),
        ({"rows": "$r9", "as": "Rows.json"}, [True, False, False], (0, 0, 1)),
    ],
)
def test_what_differs(arguments: dict[str, Any], same: list[bool], handles: tuple[int, int, int]) -> None:
    found = judged(("save", arguments))
    assert marks(found) == same
    assert tuple(found[f"handles_{name}"] for name in ("used", "wrong", "invented")) == handles


def test_the_number_of_calls_and_their_tools() -> None:
    assert marks(judged()) == [False, False, False]
    assert judged()["outcome"] == "no call"
    assert marks(judged(recorded=())) == [True, True, True]
    assert marks(judged(("open", {}))) == [False, False, False]
    both = ("save", {"rows": ROWS, "as": "Rows.json"}), ("open", {})
    assert marks(judged(*both)) == [False, False, False]
    assert marks(judged(*reversed(both), recorded=(SAVE, ToolCall("open", "")))) == [True, True, True]


def test_the_engines_own_count_says_when_the_window_was_full() -> None:
    assert judged(prompt_tokens=60, output_tokens=39)["outcome"] == "no call"
    assert judged(prompt_tokens=60, output_tokens=40)["outcome"] == "overflow"
