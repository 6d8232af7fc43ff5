"""Agent sessions on this computer: where each tool keeps them, how many there are, how large and how new.

Only names, sizes and times of files are looked at, never what is in them.

    harness discover
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Found:
    """Sessions of one tool in one place.

    path: what to hand to `harness inspect`. files: how many files of sessions lie there; a database counts as one.
    size: their bytes. newest: when the latest of them was written, in seconds since the epoch.
    """

    tool: str
    format: str
    path: Path
    files: int
    size: int
    newest: float


class Place(NamedTuple):
    """Where a tool keeps its sessions.

    variable: the environment variable that names the tool's folder instead of `defaults`. defaults: folders below the
    home folder; `$data`, `$config`, `$apps` and `$windows` stand for the system's folders. below: the folder (or file)
    of sessions in it. pattern: of a file's path below that.
    """

    tool: str
    format: str
    variable: str
    defaults: tuple[str, ...]
    below: str
    pattern: str


EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
EDITOR_FOLDERS = (
    *(f"{root}/{editor}/User/globalStorage" for editor in EDITORS for root in ("$config", "$apps", "$windows")),
    ".vscode-server/data/User/globalStorage",
)
GOOSE_FOLDERS = ("$data/goose", "$apps/Block/goose", "$windows/Block/goose/data")
PLACES = (
    Place("Claude Code", "claude-code", "CLAUDE_CONFIG_DIR", (".claude", ".config/claude"), "projects", "*.jsonl"),
    Place("Codex", "codex", "CODEX_HOME", (".codex",), "sessions", "*rollout-*.jsonl"),
    Place("Codex", "codex", "CODEX_HOME", (".codex",), "archived_sessions", "*rollout-*.jsonl"),
    Place("Gemini CLI", "gemini-cli", "GEMINI_CLI_HOME", ("",), ".gemini/tmp", "*/chats/*.json*"),
    Place("OpenCode", "opencode", "", ("$data/opencode",), "opencode.db", ""),
    Place("OpenCode", "opencode", "", ("$data/opencode",), "storage", "session/*.json"),
    Place("pi", "pi", "PI_CODING_AGENT_DIR", (".pi/agent",), "sessions", "*.jsonl"),
    Place("Cline", "cline", "CLINE_DIR", (".cline",), "data", "*.messages.json"),
    Place("Cline", "cline", "", EDITOR_FOLDERS, "saoudrizwan.claude-dev/tasks", "*/api_conversation_history.json"),
    Place("Goose", "goose", "", GOOSE_FOLDERS, "sessions", "*.jsonl"),
    Place("Goose", "goose", "", GOOSE_FOLDERS, "sessions/sessions.db", ""),
    Place("Copilot CLI", "copilot-cli", "COPILOT_HOME", (".copilot",), "session-state", "*/events.jsonl"),
    Place("Kimi CLI", "kimi", "KIMI_SHARE_DIR", (".kimi",), "sessions", "*/wire.jsonl"),
    Place("Kimi Code", "kimi-code", "KIMI_CODE_HOME", (".kimi-code",), "sessions", "*/wire.jsonl"),
    Place("CAR", "car-runs", "", (".car",), "runs", "*.jsonl"),
)


def discover(home: Path, environment: Mapping[str, str]) -> list[Found]:
    """The sessions in the usual places below `home`, by tool in a fixed order; places without sessions are left out."""
    found = [_look(place, root) for place in PLACES for root in _roots(place, home, environment)]
    return [one for one in found if one is not None]


def _roots(place: Place, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    named = environment.get(place.variable, "") if place.variable else ""
    if named:
        yield from (Path(part.strip()) / place.below for part in named.split(",") if part.strip())
        return
    system = {
        "$data": environment.get("XDG_DATA_HOME") or str(home / ".local" / "share"),
        "$config": environment.get("XDG_CONFIG_HOME") or str(home / ".config"),
        "$apps": str(home / "Library" / "Application Support"),
        "$windows": environment.get("APPDATA") or str(home / "AppData" / "Roaming"),
    }
    for default in place.defaults:
        first, _, rest = default.partition("/")
        yield (Path(system[first]) / rest if first in system else home / default) / place.below


def _look(place: Place, root: Path) -> Found | None:
    files = [root] if not place.pattern else _files(root, place.pattern)
    stats = [status for file in files if (status := _status(file)) is not None]
    if not stats:
        return None
    size, newest = sum(s.st_size for s in stats), max(s.st_mtime for s in stats)
    return Found(place.tool, place.format, root, len(stats), size, newest)


def _files(root: Path, pattern: str) -> list[Path]:
    """The files below a folder whose path in it matches; links are not followed, unreadable folders passed over."""
    found = []
    for folder, _, names in os.walk(root):
        below = Path(folder).relative_to(root)
        found += [root / below / name for name in names if fnmatchcase((below / name).as_posix(), pattern)]
    return found


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat() if file.is_file() and not file.is_symlink() else None
    except OSError:
        return None
