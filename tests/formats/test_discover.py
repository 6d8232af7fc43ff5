"""Sessions are found in the usual places of a made-up home, without a look at what is in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.formats import FORMATS
from harness.formats.discover import Found, discover
from harness.formats.session_places import PLACES
from harness.show.discover import found_text

USUAL = {
    ".claude/projects/-w/s1.jsonl": "Claude Code",
    ".claude/projects/-w/s1/subagents/agent-a.jsonl": "Claude Code",
    ".config/claude/projects/-w/s2.jsonl": "Claude Code",
    ".codex/sessions/2026/01/02/rollout-x.jsonl": "Codex",
    ".codex/archived_sessions/rollout-y.jsonl": "Codex",
    ".gemini/tmp/abc/chats/session-a.json": "Gemini CLI",
    ".gemini/tmp/abc/chats/session-b.jsonl": "Gemini CLI",
    ".local/share/opencode/opencode.db": "OpenCode",
    ".local/share/opencode/storage/session/p/ses_1.json": "OpenCode",
    ".pi/agent/sessions/--w--/1_a.jsonl": "pi",
    ".cline/data/sessions/1_a/1_a.messages.json": "Cline",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json": "Cline",
    ".local/share/goose/sessions/sessions.db": "Goose",
    ".local/share/goose/sessions/a.jsonl": "Goose",
    ".copilot/session-state/s1/events.jsonl": "Copilot CLI",
    ".kimi/sessions/h/s1/wire.jsonl": "Kimi CLI",
    ".kimi-code/sessions/wd_a/session_b/agents/main/wire.jsonl": "Kimi Code",
    ".car/runs/agent/run.jsonl": "CAR",
    ".qwen/projects/-w/chats/s1.jsonl": "Qwen Code",
    ".qwen/tmp/abc/chats/s2.jsonl": "Qwen Code",
    ".openclaw/agents/main/sessions/s1.jsonl": "OpenClaw",
    ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json": "Roo Code",
    ".config/Code/User/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json": "Kilo Code",
    ".config/Code/User/workspaceStorage/abc/chatSessions/s1.jsonl": "VS Code Copilot",
    ".config/Code/User/globalStorage/emptyWindowChatSessions/s1.json": "VS Code Copilot",
    ".cursor/chats/abc/s1/store.db": "Cursor",
    ".cursor/projects/w/agent-transcripts/s1.jsonl": "Cursor",
    ".config/Cursor/User/globalStorage/state.vscdb": "Cursor",
    ".factory/sessions/-w/s1.jsonl": "Droid",
    ".openhands/conversations/abc/events/event-00001-x.json": "OpenHands CLI",
    ".config/mini-swe-agent/last_mini_run.traj.json": "mini-swe-agent",
    ".grok/sessions/w/s1/chat_history.jsonl": "Grok",
    ".codeium/windsurf/cascade/a.pb": "Windsurf",
    ".gemini/antigravity/conversations/a.pb": "Antigravity",
    ".local/share/amp/threads/T-1.json": "Amp",
    ".hermes/state.db": "Hermes",
}
OTHERS = [
    ".claude/history.jsonl",
    ".claude/projects/-w/s1/subagents/agent-a.meta.json",
    ".codex/history.jsonl",
    ".gemini/tmp/abc/logs.json",
    ".copilot/session-state/s1/workspace.yaml",
    ".kimi/sessions/h/s1/context.jsonl",
]


def put(home: Path, *names: str, time: int = 1_750_000_000) -> None:
    for name in names:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * 10)
        os.utime(path, (time, time))


def places(found: list[Found], home: Path) -> dict[str, tuple[str, int]]:
    return {f.path.relative_to(home).as_posix(): (f.tool, f.files) for f in found}


def test_an_empty_home_has_none(tmp_path: Path) -> None:
    assert discover(tmp_path, {}) == []


def test_the_usual_places(tmp_path: Path) -> None:
    put(tmp_path, *USUAL, *OTHERS)
    found = discover(tmp_path, {})
    assert sum(f.files for f in found) == len(USUAL)
    assert {f.tool for f in found} == set(USUAL.values())
    assert places(found, tmp_path)[".claude/projects"] == ("Claude Code", 2)
    assert places(found, tmp_path)[".gemini/tmp"] == ("Gemini CLI", 2)
    assert places(found, tmp_path)[".local/share/opencode/opencode.db"] == ("OpenCode", 1)
    assert {f.size for f in found if f.files == 2} == {20}


def test_what_belongs_to_a_session_weighs_though_it_is_none(tmp_path: Path) -> None:
    storage = ".local/share/opencode/storage"
    put(tmp_path, f"{storage}/session/p/ses_1.json", f"{storage}/message/ses_1/m.json", f"{storage}/part/m/p.json")
    (found,) = discover(tmp_path, {})
    assert (found.files, found.size) == (1, 30)


def test_what_has_no_reader_is_named_with_the_reason(tmp_path: Path) -> None:
    put(tmp_path, ".codeium/windsurf/cascade/a.pb", ".hermes/state.db")
    found = discover(tmp_path, {})
    assert [(f.tool, f.format) for f in found] == [("Windsurf", None), ("Hermes", None)]
    said = found_text(found)
    assert "not read: its" in said
    assert found[0].why == "its conversations are encrypted"
    assert "next:" not in said


@pytest.mark.parametrize("name", USUAL)
def test_each_place_is_found_by_itself(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    (found,) = discover(tmp_path, {})
    assert (found.tool, found.files, found.size, found.newest) == (USUAL[name], 1, 10, 1_750_000_000)
    assert (tmp_path / name).is_relative_to(found.path)


def test_the_newest_file_tells_the_date(tmp_path: Path) -> None:
    put(tmp_path, ".pi/agent/sessions/a.jsonl", time=1_700_000_000)
    put(tmp_path, ".pi/agent/sessions/b.jsonl", time=1_760_000_000)
    (found,) = discover(tmp_path, {})
    assert found.newest == 1_760_000_000


@pytest.mark.parametrize(
    ("variable", "name", "tool"),
    [
        ("CLAUDE_CONFIG_DIR", "projects/-w/s1.jsonl", "Claude Code"),
        ("CODEX_HOME", "sessions/2026/rollout-x.jsonl", "Codex"),
        ("GEMINI_CLI_HOME", ".gemini/tmp/abc/chats/session-a.json", "Gemini CLI"),
        ("XDG_DATA_HOME", "opencode/opencode.db", "OpenCode"),
        ("XDG_DATA_HOME", "goose/sessions/a.jsonl", "Goose"),
        ("PI_CODING_AGENT_DIR", "sessions/a.jsonl", "pi"),
        ("COPILOT_HOME", "session-state/s1/events.jsonl", "Copilot CLI"),
        ("KIMI_SHARE_DIR", "sessions/h/s/wire.jsonl", "Kimi CLI"),
        ("APPDATA", "Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json", "Cline"),
    ],
)
def test_the_environment_names_other_places(tmp_path: Path, variable: str, name: str, tool: str) -> None:
    put(tmp_path / "elsewhere", name)
    (found,) = discover(tmp_path / "home", {variable: str(tmp_path / "elsewhere")})
    assert found.tool == tool
    assert discover(tmp_path / "home", {variable: ""}) == []


def test_a_variable_can_name_several_places(tmp_path: Path) -> None:
    put(tmp_path, "a/projects/x.jsonl", "b/projects/y.jsonl", ".claude/projects/z.jsonl")
    found = discover(tmp_path, {"CLAUDE_CONFIG_DIR": f"{tmp_path / 'a'}, {tmp_path / 'b'}"})
    assert list(places(found, tmp_path)) == ["a/projects", "b/projects"]


def test_content_is_not_read_and_links_are_followed_once(tmp_path: Path) -> None:
    put(tmp_path, ".codex/sessions/rollout-a.jsonl", "elsewhere/rollout-b.jsonl", "moved/projects/-w/s.jsonl")
    (tmp_path / ".codex/sessions/rollout-a.jsonl").chmod(0)
    (tmp_path / ".codex/sessions/rollout-c.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / ".codex/sessions/more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / ".codex/sessions/round").symlink_to(tmp_path / ".codex/sessions")
    (tmp_path / ".claude").symlink_to(tmp_path / "moved")
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config/claude").symlink_to(tmp_path / "moved")
    found = discover(tmp_path, {})
    assert [(f.tool, f.files, f.size) for f in found] == [("Claude Code", 1, 10), ("Codex", 2, 20)]


def test_every_place_names_a_known_format() -> None:
    assert {place.format for place in PLACES if not place.why} <= set(FORMATS)
    assert all(bool(place.format) != bool(place.why) for place in PLACES)
