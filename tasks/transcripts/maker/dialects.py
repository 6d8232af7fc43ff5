"""What the tools are called in each format, and their definitions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["sh", "read", "write", "edit", "sql", "get", "post"]
ARGUMENTS: Mapping[Kind, tuple[str, ...]] = {
    "sh": ("command",),
    "read": ("path", "offset", "limit"),
    "write": ("path", "content"),
    "edit": ("path", "old", "new"),
    "sql": ("database", "sql"),
    "get": ("path",),
    "post": ("path", "body"),
}
_ABOUT: Mapping[Kind, str] = {
    "sh": "Run a command in the working folder and return its output.",
    "read": "Read a text file with line numbers, from a line on.",
    "write": "Write a whole text file.",
    "edit": "Replace the one place in a file where a piece of text stands.",
    "sql": "Run one SQL statement on an SQLite file and return the rows as JSON.",
    "get": "Read from the service: a page of a collection, or one record.",
    "post": "Create a record in the service.",
}
_TYPES = {"offset": "integer", "limit": "integer", "body": "object"}
_OPTIONAL = {"offset", "limit"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """names: of the tools. renamed: arguments that have another name here."""

    names: Mapping[Kind, str]
    renamed: Mapping[tuple[Kind, str], str]

    def arguments(self, kind: Kind, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call as this format names them."""
        return {self.renamed.get((kind, key), key): value for key, value in given.items()}

    def definition(self, kind: Kind) -> str:
        """The definition of a tool, as compact JSON."""
        keys = {key: self.renamed.get((kind, key), key) for key in ARGUMENTS[kind]}
        schema = {
            "type": "object",
            "properties": {shown: {"type": _TYPES.get(key, "string")} for key, shown in keys.items()},
            "required": [shown for key, shown in keys.items() if key not in _OPTIONAL],
        }
        function = {"name": self.names[kind], "description": _ABOUT[kind], "parameters": schema}
        return json.dumps({"type": "function", "function": function}, separators=(",", ":"))


CODING = Dialect(
    names={
        "sh": "Bash",
        "read": "Read",
        "write": "Write",
        "edit": "Edit",
        "sql": "mcp__sqlite__query",
        "get": "mcp__service__get",
        "post": "mcp__service__create",
    },
    renamed={
        ("read", "path"): "file_path",
        ("write", "path"): "file_path",
        ("edit", "path"): "file_path",
        ("edit", "old"): "old_string",
        ("edit", "new"): "new_string",
    },
)
PLAIN = Dialect(
    names={
        "sh": "run_shell",
        "read": "read_file",
        "write": "write_file",
        "edit": "edit_file",
        "sql": "query_database",
        "get": "service_get",
        "post": "service_create",
    },
    renamed={},
)
DIALECTS: Mapping[str, Dialect] = {"claude-code": CODING, "openai-chat": PLAIN, "atif": PLAIN}
