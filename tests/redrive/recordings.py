"""Recordings whose right comparison is known: where the code that is paid stands, and so which policy hides it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.engines.programs import program

TASKS = 9
LONG = 9
"""The last task has a result that fits into no small window."""

WINDOW = 4000
WORDS = "slate meadow copper lantern harbor velvet orchid granite willow ember "


def code(n: int) -> str:
    return f"kx-{n}0{n}a7"


def listing(n: int) -> str:
    """A long text: the code of an even task stands at its beginning, that of an odd one in the middle."""
    filler = WORDS * (600 if n == LONG else 40)
    half = len(filler) // 2
    line = f"\nthe code is {code(n)} today\n"
    return line + filler if n % 2 == 0 else filler[:half] + line + filler[half:]


def call(name: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def conversation(n: int) -> dict[str, Any]:
    """Three requests: read the list, pay what it says, answer."""
    messages = [
        {"role": "system", "content": "You work with tools."},
        {"role": "user", "content": f"Pay what list-{n}.txt asks for."},
        call("read", path=f"list-{n}.txt"),
        {"role": "tool", "tool_call_id": "read", "content": listing(n)},
        call("pay", code=code(n)),
        {"role": "tool", "tool_call_id": "pay", "content": "paid"},
        {"role": "assistant", "content": "It is paid."},
    ]
    return {"id": f"t{n}", "metadata": {"task": f"task-{n}"}, "messages": messages}


def write(path: Path, conversations: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in conversations), encoding="utf-8")
    return path


def recordings(path: Path) -> Path:
    return write(path, [conversation(n) for n in range(1, TASKS + 1)])


REPEATS = r"""
import re
def act(name, **arguments):
    calls = [{"name": name, "arguments": arguments}]
    say(json.dumps({"type": "call", "success": True, "function_calls": calls}) + "\n")
code, path = re.search(r"kx-\w+", asked), re.search(r"list-\d\.txt", asked)
if "paid" in asked: say(json.dumps({"type": "respond", "success": True, "function_calls": [], "response": "ok"}) + "\n")
elif code: act("pay", code=code.group())
elif path: act("read", path=path.group())
else: act("pay", code="$r1")
"""


def repeats() -> str:
    """An engine that does what was recorded if the input shows what it takes, and names a handle otherwise."""
    return "command:run=" + json.dumps(program(REPEATS))
