"""What a call asks for, and whether a later one comes back to it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from harness.after.commands import Command, cuts_itself, read_command
from harness.evidence.handles import parsed
from harness.tool_table import tool
from harness.transcript import ToolCall

Back = Literal["the same again", "narrower", "otherwise"]
SHELL_KEYS = ("command", "cmd", "script")
PATH_KEYS = (
    "path",
    "file_path",
    "filePath",
    "absolute_path",
    "filename",
    "file",
    "notebook_path",
    "target_file",
    "uri",
)
NARROWING = frozenset({
    "offset", "limit", "head_limit", "start", "end", "start_line", "end_line", "line_start", "line_end",
    "view_range", "pattern", "query", "regex", "glob", "filter", "fields", "page", "per_page", "page_size",
    "max_results", "max_lines", "max_tokens", "lines", "n", "range", "type", "output_mode"
})  # fmt: skip
"""Arguments that make a result smaller where the tool table does not know the tool."""
LIMITING = frozenset({
    "limit", "head_limit", "max_results", "max_lines", "max_tokens", "page_size", "per_page", "view_range",
    "end_line"
})  # fmt: skip
"""Arguments by which a call limits itself."""
ASIDE = frozenset({"description", "timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "workdir", "cwd"})
"""Arguments that say nothing of what is asked for."""
LISTERS = (["ls"], ["tree"], ["find"], ["fd"])
OLD_TEXT = ("old_str", "old_string", "oldText", "old_text", "search")
"""Arguments of editors that must stand in the file."""
WRITES = ("create", "str_replace", "insert", "undo_edit", "write")


@dataclass(frozen=True, slots=True)
class Asked:
    """name: of the tool. key: equal only for the same tool with the same arguments. targets: names of files, or the
    arguments that say of what something is asked. limits: what makes the result smaller. looks: it is not known to
    change anything. old_text: what an editor must find. limited: it limits itself. named: of a tool whose targets are
    arguments by name, the tool."""

    name: str
    key: str
    targets: frozenset[str]
    limits: frozenset[str]
    looks: bool
    command: Command | None = None
    pattern: str = ""
    old_text: str = ""
    limited: bool = False
    named: str = ""


@lru_cache(maxsize=4096)
def asked(call: ToolCall) -> Asked:
    """What a call asks for."""
    arguments = parsed(call.arguments)
    known = tool(call.name)
    if isinstance(arguments, str) and known.reads_files and not known.read_only:
        arguments = {"command": arguments}
    if not isinstance(arguments, dict):
        return Asked(call.name, f"{call.name}\0{call.arguments}", frozenset(), frozenset(), False)
    key = f"{call.name}\0{json.dumps(arguments, sort_keys=True, default=str)}"
    path = next((str(arguments[k]) for k in PATH_KEYS if isinstance(arguments.get(k), str)), "")
    if not path and (text := _shell(arguments)):
        command = read_command(text)
        limited = bool(command.limits) or cuts_itself(text)
        return Asked(call.name, key, command.targets, frozenset(command.limits), command.looks, command,
                     command.searches, limited=limited)  # fmt: skip
    narrows = NARROWING | known.narrows
    old = next((str(arguments[k]) for k in OLD_TEXT if isinstance(arguments.get(k), str)), "")
    writes = (
        bool(old)
        or arguments.get("command") in WRITES
        or any(k in arguments for k in ("content", "new_str", "new_string"))
    )
    limits = frozenset(
        f"{k}={v}" for k, v in arguments.items() if k in narrows and k not in PATH_KEYS and v is not None
    )
    pattern = str(arguments.get("pattern") or arguments.get("regex") or "")
    if path:
        targets = frozenset({path.removeprefix("./").rstrip("/")})
    else:
        targets = frozenset(
            f"{k}={v}" for k, v in arguments.items() if k not in narrows and k not in ASIDE and v not in (None, "")
        )
    return Asked(call.name, key, targets, limits, not writes, None, pattern, old, bool(LIMITING & arguments.keys()),
                 named="" if path else call.name)  # fmt: skip


def _shell(arguments: dict[str, Any]) -> str:
    """The command, of a call to a shell."""
    for key in SHELL_KEYS:
        value = arguments.get(key)
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            return value[-1] if value[0].rpartition("/")[2] in ("bash", "sh", "zsh") else " ".join(value)
        if isinstance(value, str) and value:
            return value
    return ""


def comes_back(first: Asked, later: Asked) -> Back | None:
    """How a later call asks again for what the first asked for; `None` if it asks for something else.

    Narrower: the same with a further filter, range or pattern, or for a part of what was named. Otherwise: for the
    same thing in another way that is not known to be narrower.
    """
    if first.key == later.key:
        return "the same again"
    if first.command and later.command and first.command.plain and first.command.plain == later.command.plain:
        return "narrower" if later.limits - first.limits else "otherwise"
    if first.command and not first.command.looks:
        rerun = _same_program(first, later) and bool(_common(first, later))
        return ("narrower" if _parts(first, later) or later.limits - first.limits else "otherwise") if rerun else None
    if not later.looks:
        return None
    if _lists_all(first):
        return "narrower" if _lists(later) else None
    if first.pattern and later.pattern != first.pattern:
        return "narrower" if first.pattern in later.pattern and _common(first, later) else None
    common = _common(first, later)
    if first.pattern:
        return "narrower" if not first.targets or common else None
    if not common:
        return None
    fewer = later.targets < first.targets or later.targets > first.targets or bool(_parts(first, later))
    return "narrower" if fewer or later.limits - first.limits else "otherwise"


def is_new(later: Asked, between: Iterable[Asked]) -> bool:
    """Whether a call asks for something new although it asks for the same: a call between may have changed what a
    command that does more than show would give, or the very file that is looked at."""
    return any(not call.looks and (not later.looks or bool(_common(call, later))) for call in between)


def _lists_all(first: Asked) -> bool:
    """Whether a command lists everything below the working folder."""
    return _lists(first) and not first.targets


def _lists(asked: Asked) -> bool:
    return asked.command is not None and asked.command.looks and asked.command.plain.split()[:1] in LISTERS


def _same_program(first: Asked, later: Asked) -> bool:
    """Whether two commands run the same program: tests that are run again."""
    if first.command is None or later.command is None:
        return False
    return first.command.stem.split()[:1] == later.command.stem.split()[:1] != []


def _common(first: Asked, later: Asked) -> set[str]:
    """What both name; a relative path is the end of an absolute one."""
    if first.named or later.named:
        return set(first.targets) if first.named == later.named and first.targets <= later.targets else set()
    return {b for a in first.targets for b in later.targets if _same_place(a, b)} | _parts(first, later)


def _same_place(a: str, b: str) -> bool:
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)


def _parts(first: Asked, later: Asked) -> set[str]:
    """What the later one names that is a part of what the first names: `tests/a.py::test_b`."""
    return {b for a in first.targets for b in later.targets if b.startswith(f"{a}::")}
