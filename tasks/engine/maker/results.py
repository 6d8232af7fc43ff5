"""Turns that follow a tool result, each result shown under several policies, so that grounding can be read by policy.

The result is rendered by the harness's own policies. Where the rendering shows what the call needs, the call is right.
Where it hides that, no tool that is declared can bring it back: then a call by reference is right if a handle holds
exactly the value that is asked for, else no call.
"""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

from harness.policies.spec import make_policy
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tasks.engine.maker.markup import Line, Record, turn, unmarked
from tasks.engine.maker.scenarios import SCENARIOS, Scenario

POLICIES = ("identity", "head:bytes=1000", "middle:bytes=1000", "car")


def lines(seed: int) -> dict[str, list[Line]]:
    """By family: every scenario under every policy."""
    made: dict[str, list[Line]] = {}
    for make in SCENARIOS:
        scenario = make(random.Random(f"{seed} {make.__name__}"))
        for policy in POLICIES:
            made.setdefault(scenario.family, []).append(_shown(scenario, policy))
    return made


def _shown(scenario: Scenario, spec: str) -> Line:
    said, name, arguments = scenario.asked
    is_json = not isinstance(scenario.value, str)
    content = json.dumps(scenario.value, ensure_ascii=False) if is_json else scenario.value
    asked = ToolCall(name, json.dumps(arguments), "call_1")
    result = ToolResult(content, name, "call_1", (1, 0), is_json)
    transcript = Transcript(
        scenario.name,
        "made",
        (Message("user", said), Message("assistant", calls=(asked,)), Message("tool", result=result)),
    )
    policy = make_policy(spec)
    rendering = policy.start(transcript).admit(2, result, asked)
    hidden = any(needed not in rendering.text for needed in scenario.needs.values())
    calls = [scenario.right]
    if any(content.count(needed) != 1 for needed in scenario.needs.values()):
        raise ValueError(f"{scenario.name}: what the call needs must stand in the value exactly once")
    marks = {
        path: (needed, _shortest(needed, scenario.right.arguments[path])) for path, needed in scenario.needs.items()
    }
    if hidden and rendering.handle and scenario.handle:
        calls = [dataclasses.replace(scenario.right, arguments={**scenario.right.arguments, **scenario.handle})]
        marks = dict.fromkeys(scenario.handle, (f'"${rendering.handle}"', f"${rendering.handle}"))
    elif hidden:
        calls, marks = [], {}
    function = {"name": name, "arguments": asked.arguments}
    context: list[Record] = [
        {"role": "user", "content": said},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": rendering.text, "marks": marks},
    ]
    request = scenario.request
    if not calls:  # the marks of a call that is not there
        request = unmarked(request)
    line = turn("result", request, *calls, context=context)
    return dataclasses.replace(line, more={"policy": policy.label, "value": scenario.name, "hidden": hidden})


def _shortest(needed: str, value: Any) -> str:
    """Of the text that must be visible the part that is the value, if it stands there as it is."""
    return str(value) if str(value) in needed else needed
