"""Sub-agents that a Claude Code session names and whose sessions are not there: their requests are in no figure."""

from __future__ import annotations

from typing import Any

from harness.formats.source import Source

PREFIX = "agent-"


class SubAgents:
    """The sub-agents of a session, by what its results say of them."""

    def __init__(self) -> None:
        self._tokens: dict[str, int] = {}

    def line(self, value: dict[str, Any]) -> None:
        """Take in a line of the session."""
        said = value.get("toolUseResult", value.get("tool_use_result"))
        if not isinstance(said, dict):
            return
        tokens, agent = said.get("totalTokens"), said.get("agentId")
        if isinstance(tokens, int) and not isinstance(tokens, bool) and isinstance(agent, str):
            self._tokens[agent] = tokens

    def missing(self, source: Source, inline: set[str]) -> tuple[str, ...]:
        """A sentence on those that stand neither in the file (`inline`) nor beside it. Of files in an archive it is not
        known what lies beside them."""
        if source.opener is not None:
            return ()
        known = inline | _beside(source)
        absent = [tokens for agent, tokens in self._tokens.items() if agent not in known]
        if not absent:
            return ()
        many = f"{len(absent)} sub-agents" if len(absent) > 1 else "a sub-agent"
        return (f"{many} of {sum(absent):,} tokens {'are' if len(absent) > 1 else 'is'} not part of this: no file",)


def _beside(source: Source) -> set[str]:
    stem = source.base.removesuffix(".jsonl")
    folders = [source.path.parent, source.sibling(stem, "subagents"), source.sibling("subagents")]
    files = (f for folder in folders if folder is not None and folder.is_dir() for f in folder.glob(f"{PREFIX}*.jsonl"))
    return {f.stem.removeprefix(PREFIX) for f in files}
