"""Made-up recordings: an agent that gets a cut result, and what it does next."""

from __future__ import annotations

import json
from typing import Any

from harness.formats.clipping import clip_marker
from harness.transcript import Message, ToolCall, ToolResult, Transcript

PATH = "/home/me/.claude/projects/shop/s1/tool-results/toolu_1.txt"
SPILLED = (
    f"<persisted-output>\nOutput too large (52.1KB). Full output saved to: {PATH}\n\nPreview (first 2KB):\n"
    "line 1\n</persisted-output>"
)
CLIPPED = "line 1\n... [2000 characters truncated] ...\nline 99"
PREVIEW = (
    'r1 = text(len=53.7KB, lines=812, head="line 1", tail="line 812")\n'
    '[full value retained this run — pass "$r1" as a tool argument to reuse it]'
)
RESCUED = "[Toolaria: tool result rescued. 40,000 bytes tla:0123456789ab; call toolaria_retrieve to read more]\nline 1"
REFUSED = "File content (32078 tokens) exceeds maximum allowed tokens (25000). Use offset and limit parameters."
HIDDEN = "invoice kx-4417a7 is paid"


class Recording:
    """Messages in their order, ten seconds apart. `call` makes one request with one call and its result."""

    def __init__(self, name: str = "t1", cluster: str = "", agent: str = "claude-code") -> None:
        self.name, self.cluster, self.agent = name, cluster, agent
        self.messages: list[Message] = [Message("user", "Look into it.", time=0.0)]

    def call(
        self, tool: str, arguments: dict[str, Any], result: str = "done", whole: str | None = None, error: bool = False
    ) -> int:
        """The index of the message that holds the result."""
        self.calls((tool, arguments, result), whole=whole, error=error)
        return len(self.messages) - 1

    def calls(self, *made: tuple[str, dict[str, Any], str], whole: str | None = None, error: bool = False) -> None:
        """One request with several calls, and their results."""
        at = len(self.messages)
        calls = tuple(ToolCall(tool, json.dumps(arguments)) for tool, arguments, _ in made)
        self.messages.append(Message("assistant", calls=calls, time=10.0 * at))
        for n, (tool, _, text) in enumerate(made):
            found = ToolResult(text, tool, call=(at, n), is_error=error or None, clipped=clip_marker(text), whole=whole)
            self.messages.append(Message("tool", result=found, time=10.0 * len(self.messages)))

    def bash(self, command: str, result: str = "done", **more: Any) -> int:
        return self.call("Bash", {"command": command}, result, **more)

    def says(self, text: str = "Done.") -> Recording:
        self.messages.append(Message("assistant", text, time=10.0 * len(self.messages)))
        return self

    def transcript(self) -> Transcript:
        return Transcript(self.name, self.agent, tuple(self.messages), cluster=self.cluster)
