"""How a task ends, and how its end is checked: an answer, a file, an edited setting, a row, a record of the service."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import Literal

from harness.loop.environment.workspace import Workspace
from harness.loop.task import FOUND, Step
from harness.loop.tools import DATABASE, EDIT_FILE, HTTP_POST, SQL_EXECUTE, WRITE_FILE, LoopTool
from harness.loop.world import World
from harness.preview import JsonValue

End = Literal["answer", "write", "edit", "update", "post"]

REPORT = "report.txt"
SETTINGS = "settings.ini"
_UNSET = "value = unset"


def end_words(end: End) -> str:
    """What the question asks to do with what was found."""
    return {
        "answer": "Answer with it.",
        "write": f"Write it, and nothing else, to {REPORT}.",
        "edit": f"Put it into {SETTINGS} in place of unset.",
        "update": "Set the column value of the table outcome to it.",
        "post": "POST it as the field value to /outcomes.",
    }[end]


def end_step(end: End) -> Step | None:
    match end:
        case "answer":
            return None
        case "write":
            return Step("write_file", {"path": REPORT, "content": FOUND})
        case "edit":
            return Step("edit_file", {"path": SETTINGS, "old": _UNSET, "new": f"value = {FOUND}"})
        case "update":
            return Step("sql_execute", {"sql": f"UPDATE outcome SET value = '{FOUND}'"})
        case "post":
            return Step("http_post", {"path": "/outcomes", "body": {"value": FOUND}})


def end_tool(end: End) -> tuple[LoopTool, ...]:
    tool = {"answer": None, "write": WRITE_FILE, "edit": EDIT_FILE, "update": SQL_EXECUTE, "post": HTTP_POST}[end]
    return (tool,) if tool else ()


def prepare_end(end: End, workspace: Workspace) -> None:
    """What has to stand there before the end can be reached."""
    if end == "edit":
        workspace.file(SETTINGS, f"[outcome]\nname = nightly\n{_UNSET}\n")
    if end == "update":
        workspace.table(DATABASE, "outcome", "name TEXT, value TEXT", [["nightly", "unset"]])


def reached(end: End, world: World, answer: str) -> JsonValue:
    """The value that the run left at its end, `None` if there is none."""
    match end:
        case "answer":
            return answer
        case "write":
            return _text(world, REPORT)
        case "edit":
            found = re.search(r"(?m)^value = (.*)$", _text(world, SETTINGS) or "")
            return found.group(1) if found else None
        case "update":
            with closing(sqlite3.connect(world.root / DATABASE)) as connection:
                value: JsonValue = connection.execute("SELECT value FROM outcome").fetchone()[0]
            return value
        case "post":
            posted = world.store.collections["outcomes"] if world.store else []
            return posted[-1].get("value") if posted else None


def _text(world: World, path: str) -> str | None:
    target = world.root / path
    return target.read_text(encoding="utf-8") if target.exists() else None


def is_value(found: JsonValue, expected: str) -> bool:
    """Whether what was left is the expected value; an answer may say more around it."""
    return found is not None and re.search(rf"(?<![\w-]){re.escape(expected)}(?![\w-])", str(found)) is not None


def same_whole(found: JsonValue, expected: JsonValue) -> bool:
    """Whether what was passed on is the whole value, line numbers and the way JSON is written aside."""
    return found is not None and _core(found) == _core(expected)


def _core(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except ValueError:
            return value
    if isinstance(value, dict) and "items" in value:
        return value["items"]
    if isinstance(value, str):
        lines = (re.sub(r"^ *\d+\t", "", line) for line in value.splitlines())
        return [line for line in lines if line.strip()]
    return value
