"""Which tools a policy touches: by name, by pattern, or by kind, since every agent calls its shell something
else.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache

from harness.errors import HarnessError

KINDS: dict[str, tuple[str, ...]] = {
    "shell": (
        "bash", "Bash", "shell", "exec", "exec_command", "shell_command", "local_shell",
        "container.exec", "unified_exec", "run_shell_command", "execute_bash", "execute_command",
        "run_command", "run_commands", "run", "terminal", "execute", "execute_shell",
        "developer__shell", "write_stdin", "BashOutput", "powershell", "bash_session", "python",
        "ipython", "execute_ipython_cell", "execute_python", "run_ipython", "Shell", "run_terminal_cmd",
    ),
    "read": (
        "Read", "read", "read_file", "read_many_files", "view", "open", "cat", "developer__text_editor",
        "file_editor", "str_replace_editor", "str_replace_based_edit_tool", "view_file", "read_files",
        "ReadFile", "readFile", "get_file",
    ),
    "search": (
        "Grep", "grep", "Glob", "glob", "search_file_content", "grep_search", "find", "ls", "LS",
        "list", "list_directory", "search_files", "list_files", "search_codebase", "find_file",
        "search_dir", "search_file",
    ),
    "write": (
        "Write", "write", "write_file", "Edit", "edit", "edit_file", "MultiEdit", "replace",
        "apply_patch", "editor",
    ),
    "fetch": (
        "WebFetch", "webfetch", "web_fetch", "fetch_web_content", "fetch", "browser", "WebSearch",
        "web_search", "google_web_search", "web_search_call", "web_extract", "browser_navigate",
        "browser_snapshot", "browser_console", "http", "http_request",
    ),
    "task": (
        "Task", "task", "Agent", "agent", "TaskOutput", "spawn_agent",
    ),
    "skill": (
        "Skill", "skill", "activate_skill", "load_skill",
    ),
    "todo": (
        "TodoWrite", "todowrite", "write_todos", "update_plan", "todo", "memory", "save_memory",
        "ask_user", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "think", "task_tracker",
    ),
    "mcp": (
        "mcp__*", "mcp_*", "mcp.*",
    ),
}  # fmt: skip


@lru_cache(maxsize=256)
def patterns(entries: tuple[str, ...]) -> tuple[str, ...]:
    """The name patterns that a list of tools stands for. An unknown kind is a `HarnessError`."""
    found: list[str] = []
    for entry in entries:
        if not entry.startswith("@"):
            found.append(entry)
        elif entry[1:] in KINDS:
            found.extend(KINDS[entry[1:]])
        else:
            raise HarnessError(f"no kind of tool called {entry!r}: there are @{', @'.join(KINDS)}")
    return tuple(found)


@lru_cache(maxsize=4096)
def covers(entries: tuple[str, ...], tool: str) -> bool:
    """Whether a list of names, patterns and kinds has the tool."""
    return any(fnmatchcase(tool, pattern) for pattern in patterns(entries))
