"""Made-up recordings of which it is known where what is needed stands."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from harness.decide.kind import DECIDE
from harness.decide.settings import DecideSettings
from harness.decide.verdict import decide
from harness.runs import life
from harness.runs.run import Run

CLUSTERS = 24
PLANTED = (
    ("head:bytes=1000", "tail:bytes=1000", "head", ("A",)),
    ("head:bytes=1000", "tail:bytes=1000", "tail", ("B",)),
    ("car", "head:bytes=1000", "typed", ("A",)),
    ("head:bytes=1000", "tail:bytes=1000", "small", ("equal",)),
    ("head:bytes=1000", "tail:bytes=1000", "anywhere", ("not shown", "equal")),
)
"""Two families, where it stands, and what may be said."""


def filler(dice: random.Random, size: int) -> str:
    return "\n".join("".join(dice.choice("abcdefgh ") for _ in range(60)) for _ in range(size // 61))


def recording(place: str, number: int, draw: int = 0) -> dict[str, Any]:
    """Three reads and after each a call that passes on a name out of what was read; `place` says where it stands."""
    dice = random.Random(f"{place} {number} {draw}")
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go on"}]
    for step in range(3):
        name = f"key_{number}_{step}_{dice.randrange(10**6):06}"
        size = 200 if place == "small" else dice.randint(6_000, 30_000)
        whole = filler(dice, size)
        at = {
            "head": dice.randint(0, 40),
            "tail": len(whole) - dice.randint(0, 40),
            "anywhere": dice.randrange(len(whole)),
            "small": dice.randrange(len(whole)),
            "typed": 0,
        }[place]
        content = f"{whole[:at]}\n{name}\n{whole[at:]}"
        if place == "typed":
            content = json.dumps({"log": whole, "id": name, "state": "done"})
        for call, (tool, arguments, result) in enumerate(
            (("fetch", {"n": step}, content), ("use", {"name": name}, "ok"))
        ):
            label = f"c{step}_{call}"
            function = {"name": tool, "arguments": json.dumps(arguments)}
            messages.append(
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": label, "type": "function", "function": function}],
                }
            )
            answer = {"role": "tool", "tool_call_id": label, "content": result}
            messages.append(answer | ({"recorded_as": "json"} if place == "typed" and not call else {}))
    messages.append({"role": "assistant", "content": "done"})
    return {"messages": messages}


def corpus(folder: Path, place: str, draw: int = 0) -> str:
    for number in range(CLUSTERS):
        path = folder / f"project-{number}" / "run.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(recording(place, number, draw)), encoding="utf-8")
    return str(folder)


def word(folder: Path, a: str, b: str, place: str, draw: int = 0) -> str:
    """The verdict of `harness decide`."""
    settings = DecideSettings(a, b, (corpus(folder / "recordings", place, draw),))
    return decide(Run(life.run(DECIDE, settings, folder / "results")), settings).word
