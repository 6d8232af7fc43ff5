"""Where agents keep their sessions, as data: what `harness discover` looks through.

Source: each reader's docstring; for tools without a reader, their documentation (2026).
"""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where a tool keeps its sessions.

    format: of its reader; empty where there is none, and `why` says so. variable: the environment variable that names
    the tool's folder instead of `defaults`. defaults: folders below the home folder; `$data`, `$config`, `$apps` and
    `$windows` stand for the system's folders. below: the folder (or file) of sessions in it. pattern: of a file's path
    below that; a session each. weighs: of the files whose bytes are counted, where a session is more than one file.
    """

    tool: str
    format: str
    variable: str
    defaults: tuple[str, ...]
    below: str
    pattern: str
    weighs: str = ""
    why: str = ""


EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
USERS = tuple(f"{root}/{editor}/User" for editor in EDITORS for root in ("$config", "$apps", "$windows"))
EDITOR_FOLDERS = (*(f"{user}/globalStorage" for user in USERS), ".vscode-server/data/User/globalStorage")
COPILOT_FOLDERS = (*USERS, ".vscode-server/data/User")
CURSOR_FOLDERS = tuple(f"{root}/Cursor/User/globalStorage" for root in ("$config", "$apps", "$windows"))
GOOSE_FOLDERS = ("$data/goose", "$apps/Block/goose", "$windows/Block/goose/data")
MINI_FOLDERS = ("$config/mini-swe-agent", "$apps/mini-swe-agent", "$windows/mini-swe-agent")
ENCRYPTED = "its conversations are encrypted"
PLACES = (
    Place("Claude Code", "claude-code", "CLAUDE_CONFIG_DIR", (".claude", ".config/claude"), "projects", "*.jsonl"),
    Place("Codex", "codex", "CODEX_HOME", (".codex",), "sessions", "*rollout-*.jsonl"),
    Place("Codex", "codex", "CODEX_HOME", (".codex",), "archived_sessions", "*rollout-*.jsonl"),
    Place("Gemini CLI", "gemini-cli", "GEMINI_CLI_HOME", ("",), ".gemini/tmp", "*/chats/*.json*"),
    Place("Qwen Code", "qwen-code", "QWEN_HOME", (".qwen",), "projects", "*/chats/*.jsonl"),
    Place("Qwen Code", "qwen-code", "QWEN_HOME", (".qwen",), "tmp", "*/chats/*.jsonl"),
    Place("OpenCode", "opencode", "", ("$data/opencode",), "opencode.db", ""),
    Place("OpenCode", "opencode", "", ("$data/opencode",), "storage", "session/*.json", "*.json"),
    Place("pi", "pi", "PI_CODING_AGENT_DIR", (".pi/agent",), "sessions", "*.jsonl"),
    Place("OpenClaw", "pi", "OPENCLAW_STATE_DIR", (".openclaw",), "agents", "*/sessions/*.jsonl"),
    Place("Cline", "cline", "CLINE_DIR", (".cline",), "data", "*.messages.json"),
    Place("Cline", "cline", "", EDITOR_FOLDERS, "saoudrizwan.claude-dev/tasks", "*/api_conversation_history.json"),
    Place(
        "Roo Code", "cline", "", EDITOR_FOLDERS, "rooveterinaryinc.roo-cline/tasks", "*/api_conversation_history.json"
    ),
    Place("Kilo Code", "cline", "", EDITOR_FOLDERS, "kilocode.kilo-code/tasks", "*/api_conversation_history.json"),
    Place("VS Code Copilot", "vscode-copilot", "", COPILOT_FOLDERS, "workspaceStorage", "*/chatSessions/*.json*"),
    Place("VS Code Copilot", "vscode-copilot", "", EDITOR_FOLDERS, "emptyWindowChatSessions", "*.json*"),
    Place("Cursor", "cursor", "CURSOR_CONFIG_DIR", (".cursor",), "chats", "*/store.db"),
    Place("Cursor", "cursor", "CURSOR_CONFIG_DIR", (".cursor",), "projects", "*/agent-transcripts/*.jsonl"),
    Place("Cursor", "cursor", "", CURSOR_FOLDERS, "state.vscdb", ""),
    Place("Droid", "droid", "", (".factory",), "sessions", "*.jsonl"),
    Place("Goose", "goose", "", GOOSE_FOLDERS, "sessions", "*.jsonl"),
    Place("Goose", "goose", "", GOOSE_FOLDERS, "sessions/sessions.db", ""),
    Place("Copilot CLI", "copilot-cli", "COPILOT_HOME", (".copilot",), "session-state", "*/events.jsonl"),
    Place("Kimi CLI", "kimi", "KIMI_SHARE_DIR", (".kimi",), "sessions", "*/wire.jsonl"),
    Place("Kimi Code", "kimi-code", "KIMI_CODE_HOME", (".kimi-code",), "sessions", "*/wire.jsonl"),
    Place("OpenHands CLI", "openhands-v1", "", (".openhands",), "conversations", "*/events/*.json", "*.json"),
    Place("mini-swe-agent", "mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR", MINI_FOLDERS, "last_mini_run.traj.json", ""),
    Place("Grok", "grok", "GROK_HOME", (".grok",), "sessions", "*/chat_history.jsonl"),
    Place("Antigravity", "antigravity", "", (".gemini",), "antigravity-cli", "*.jsonl"),
    Place("CAR", "car-runs", "", (".car",), "runs", "*.jsonl"),
    Place("Antigravity", "", "", (".gemini/antigravity",), "conversations", "*.pb", why=ENCRYPTED),
    Place("Windsurf", "", "", (".codeium/windsurf",), "cascade", "*.pb", why=ENCRYPTED),
    Place("Amp", "", "", ("$data/amp",), "threads", "*.json", why="no reader"),
    Place("Hermes", "", "HERMES_HOME", (".hermes",), "state.db", "", why="no reader"),
    Place("Zed", "", "", ("$data/zed", "$apps/Zed"), "threads/threads.db", "", why="no reader"),
)
