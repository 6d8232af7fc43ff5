"""Different policies for different tools, and for commands that failed: Claude Code, PI."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import orjson

from harness.policies.family import NONE, Admission, Arrival, PolicySpec, stateless
from harness.policies.rendering import Rendering
from harness.policies.tools import covers
from harness.transcript import ToolCall

_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_SEPARATORS = re.compile(r"\|\||&&|[|;\n]|(?<![>&])&(?![>&])")
_ASSIGNMENT = re.compile(r"\w+=\S*\s+")


@dataclass(frozen=True, kw_only=True)
class ByTool(Admission):
    """A policy for each kind of tool.

    shell: for commands. failed: for commands that failed; as `shell` if empty. read: for tools that read
    files. mcp: for tools of MCP servers. other: for all others, and where one of those is empty. An empty
    `other` leaves results as recorded.
    fine_codes: commands (the last of a pipeline) for which exit code 1 says something and is no failure.
    Each is a policy of its own, such as `shell="tail:lines=100"`.
    """

    shell: PolicySpec = NONE
    failed: PolicySpec = NONE
    read: PolicySpec = NONE
    mcp: PolicySpec = NONE
    other: PolicySpec = NONE
    fine_codes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.policies  # noqa: B018  a bad policy is an error here, not in mid-replay

    @cached_property
    def policies(self) -> dict[str, Admission | None]:
        """The policy of each kind."""
        made = {kind: stateless(getattr(self, kind)) for kind in ("shell", "failed", "read", "mcp", "other")}
        made["failed"] = made["failed"] or made["shell"]
        return {kind: policy or made["other"] for kind, policy in made.items()}

    @property
    def page_bytes(self) -> int | None:
        """The largest page that any of the policies gives."""
        return max((p.page_bytes for p in self.policies.values() if p and p.page_bytes), default=None)

    @property
    def notice(self) -> str:
        return next((policy.notice for policy in self.policies.values() if policy), "")

    def render(self, arrival: Arrival) -> Rendering:
        policy = self.policies[self.kind(arrival)]
        return Rendering(arrival.result.content) if policy is None else policy.admit_arrival(arrival)

    def kind(self, arrival: Arrival) -> str:
        """Which of the policies a result falls under."""
        if covers(("@shell",), arrival.tool):
            return "failed" if self.has_failed(arrival) else "shell"
        for kind in ("read", "mcp"):
            if covers((f"@{kind}",), arrival.tool):
                return kind
        return "other"

    def has_failed(self, arrival: Arrival) -> bool:
        """Whether a command failed: by its exit code, and where none was recorded, by the mark of an error."""
        code = arrival.result.exit_code
        if code is None:
            return bool(arrival.result.is_error)
        if code == 1 and arrival.call is not None:
            return not any(last_command(arrival.call).startswith(f"{name} ") for name in self.fine_codes)
        return code != 0


def last_command(call: ToolCall) -> str:
    """The last command of a shell call's command line, whose exit code is the line's, with a blank after it.

    Without the assignments before it and the folder of its program, quoted words shortened; empty if there is none.
    """
    try:
        arguments = orjson.loads(call.arguments)
    except orjson.JSONDecodeError:
        arguments = call.arguments
    command = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, dict) else arguments
    if isinstance(command, list):
        command = " ".join(word for word in command if isinstance(word, str))
    if not isinstance(command, str):
        return ""
    parts = [part.strip() for part in _SEPARATORS.split(_QUOTED.sub("''", command))]
    last = next((part for part in reversed(parts) if part), "")
    while found := _ASSIGNMENT.match(last):
        last = last[found.end() :]
    program, blank, rest = last.partition(" ")
    return f"{program.rpartition('/')[2]}{blank}{rest} " if last else ""
