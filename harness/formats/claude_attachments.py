"""What of a Claude Code `attachment` line stands in the prompt.

The client turns an attachment into text for the model when it sends it; the recording holds only what the text
is made from. This table names, per kind, the fields that hold the body of that text; the sentence around it is
not recorded. Read in recordings of versions 2.1.100 to 2.1.220 and checked against recorded usage.
"""

from __future__ import annotations

from typing import Any

from harness.formats.json_text import compact
from harness.formats.record import Record

BODIES: dict[str, tuple[str, ...]] = {
    "agent_listing_delta": ("addedLines",),
    "compact_file_reference": ("filename",),
    "critical_system_reminder": ("content",),
    "date_change": ("newDate",),
    "deferred_tools_delta": ("addedLines", "addedNames"),
    "diagnostics": ("files",),
    "directory": ("content",),
    "edited_text_file": ("filename", "snippet"),
    "file": ("content",),
    "hook_additional_context": ("content",),
    "hook_blocking_error": ("blockingError",),
    "hook_stopped_continuation": ("message",),
    "invoked_skills": ("skills",),
    "mcp_instructions_delta": ("addedBlocks",),
    "mcp_resource": ("content",),
    "nested_memory": ("content",),
    "new_file": ("content",),
    "plan_file_reference": ("planContent",),
    "queued_command": ("prompt",),
    "relevant_memories": ("memories",),
    "selected_lines_in_ide": ("content",),
    "skill_listing": ("content",),
    "task_reminder": ("content",),
    "task_status": ("description",),
    "todo": ("content",),
    "todo_reminder": ("content",),
}
SILENT = frozenset(
    {"command_permissions", "hook_cancelled", "hook_non_blocking_error", "hook_permission_decision"}
    | {"hook_system_message", "hook_error_during_execution", "structured_output", "already_read_file"}
)
HOOKS_SHOWN = frozenset({"SessionStart", "UserPromptSubmit"})
TEXTS = ("text", "content", "snippet", "blockingError", "file")


def attachment_text(attachment: Record) -> str | None:
    """The text of an attachment as far as it is recorded; empty if the model sees nothing of it, `None` if it
    may see something that is not recorded."""
    kind = attachment.string("type")
    if kind in SILENT:
        return ""
    if kind == "hook_success":
        shown = attachment.string("hookEvent") in HOOKS_SHOWN
        return attachment.string("content") if shown else ""
    keys = BODIES.get(kind)
    if keys is None:
        return None
    first = attachment.raw(keys[0])
    values = [first] if kind == "deferred_tools_delta" and first else [attachment.raw(key) for key in keys]
    return "\n".join(text for text in map(_plain, values) if text)


def _plain(value: Any) -> str:
    """The text in a value: a string, the strings of a list, the text field of an object; else its JSON."""
    for _ in range(8):
        if not isinstance(value, dict):
            break
        key = next((k for k in TEXTS if k in value), None)
        if key is None:
            break
        value = value[key]
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):
        return "\n".join(text if isinstance(text, str) else compact(text) for text in value)
    return compact(value)
