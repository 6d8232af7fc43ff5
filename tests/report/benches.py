"""A bench of two engines that answer from a table, by a clock set by hand: a turn of every state, hostile ones too."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from harness.bench.kind import BENCH
from harness.bench.settings import BenchSettings
from harness.engines.turn import EngineFailure, TurnInput
from harness.runs import life
from harness.runs.run import Run
from tests.bench.fake import Clock, FakeEngine, lines, world
from tests.report.hostile import ANSI, FORMULA, KEY, LONG, MAIL, SCRIPT

A, B = "command:run=a", "command:run=b"
TOOLS = ("set_light", "play_song", "call_contact", "add_event", "open_door")
REPETITIONS = 6


def envelope(*calls: tuple[str, dict[str, Any]], **more: Any) -> bytes:
    made = [{"name": name, "arguments": arguments} for name, arguments in calls]
    record: dict[str, Any] = {"type": "call" if calls else "respond", "success": True, "function_calls": made}
    return json.dumps(record | more).encode("utf-8")


def checked(*flagged: str) -> dict[str, Any]:
    return {"validation": {"ungrounded": list(flagged), "negation": False}}


LIGHT = ("set_light", {"room": "hall"})
SONG = ("play_song", {"title": "Hotel"})

ANSWERS: dict[str, bytes | EngineFailure] = {
    "right": envelope(LIGHT, **checked(), confidence=0.9, peak_ram_mb=900.0, decode_tps=100.0),
    "passed": envelope(SONG, **checked(), confidence=0.95),
    "flagged": envelope(("set_light", {"room": "attic"}), **checked("set_light.room"), confidence=0.3),
    "stopped": envelope(LIGHT, **checked("set_light.room"), confidence=0.4),
    "withheld": envelope(suppressed_calls=[{"name": "set_light", "arguments": {"room": "attic"}}], **checked()),
    "silent": envelope(),
    "unchecked": envelope(LIGHT),
    "garbage": b"\xff\xfe no text",
    "crash": EngineFailure("crash", f"ended: {SCRIPT} {ANSI} {KEY}", b'{"type":"call","function_calls":[{'),
}
HOSTILE: dict[str, bytes | EngineFailure] = {
    "script": envelope((SCRIPT, {SCRIPT: SCRIPT}), **checked(), confidence=0.8),
    "ansi": envelope((ANSI, {"room": ANSI}), reasoning=ANSI) + ANSI.encode("utf-8"),
    "formula": envelope((FORMULA, {"room": FORMULA}), **checked(FORMULA), confidence=0.7),
    "secret": envelope(("set_light", {"room": KEY, "mail": MAIL}), **checked(), confidence=0.98),
    "long": envelope((LONG, {"room": LONG}), **checked(), confidence=0.99),
    "fence": envelope(("set_light", {"room": "```\n# heading\n[link](http://198.51.100.7/) |a|b|"}), **checked()),
}


def make_bench(folder: Path, answers: dict[str, bytes | EngineFailure], **names: str) -> Run:
    """Six repetitions of a task an answer, asked of A as it stands and of B, which is right on every other task.

    names: what the family and the case of the tasks are called.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tasks.jsonl"
    path.write_text(lines([task(name, **names) for name in answers] + shown(names.get("family"))), encoding="utf-8")
    clock = Clock()

    def says(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        return answers.get(turn.id.partition("/")[0], ANSWERS["right"])

    def mostly_right(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        return ANSWERS["right"] if list(answers).index(turn.id.partition("/")[0]) % 2 else says(turn, asked)

    def or_shown(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        return mostly_right(turn, asked) if turn.id.partition("/")[0] in answers else ANSWERS["right"]

    engines = {
        A: FakeEngine(A, clock, 0.1, 0.05, says, random.Random(1)),
        B: FakeEngine(B, clock, 0.2, 0.05, or_shown, random.Random(2)),
    }
    settings = BenchSettings((A, B), (str(path),), repetitions=REPETITIONS, stretch=5)
    return Run(life.run(BENCH, settings, folder / "results", world=world(clock, engines)))


def task(name: str, family: str = "home", case: str = "single") -> dict[str, Any]:
    """A turn to which the light in the hall is right."""
    calls = [{"name": "set_light", "arguments": {"room": "hall"}}]
    turn = {"input": f"light in the hall, please ({name})", "calls": calls, "kind": case}
    return {"id": name, "family": family, "tools": [declared(tool) for tool in TOOLS], "turns": [turn]}


def shown(family: str | None) -> list[dict[str, Any]]:
    """Tasks that show a result under two policies, one of which hides what the call needs, in an input of its own
    length."""
    found = []
    for policy, hidden in (("identity", False), ("head:bytes=1000", True), ("head:bytes=1000", False)):
        made = task(f"result-{policy}-{hidden}", family or "home", "result")
        context = [{"role": "tool", "content": "rooms: hall, kitchen. " * 40}]
        made["turns"][0] |= {"policy": policy, "value": "rooms", "hidden": hidden, "context": context}
        if hidden:
            made["turns"][0]["calls"] = []
        found.append(made)
    return found


def declared(name: str) -> dict[str, Any]:
    return {"name": name, "description": "", "parameters": {"properties": {"room": {"type": "string"}}}}
