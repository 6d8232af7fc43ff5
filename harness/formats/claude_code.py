"""Claude Code session files: one JSONL line an event, under `projects/<folder>/<session>.jsonl`.

No specification is published; what is read here was seen in recordings of versions 1.0.51 to 2.1.114 and in other
programs that read them. Sub-agents stand inline (`isSidechain`), in `agent-*.jsonl` beside the session, or in
`<session>/subagents/`; each is a transcript of its own. Counted is what the model saw: `tool_result`, not the
interface's copy in `toolUseResult`. A result that the client put into a file (`<persisted-output>`) is joined with the
file where it lies beside the session. What `claude -p --output-format stream-json` prints is read alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.claude_sub_agents import SubAgents
from harness.formats.claude_thread import SYNTHETIC, Thread
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.thinking import LEFT_OUT, resends_thinking
from harness.transcript import Transcript

WORKTREES = ("/.claude/worktrees/", "\\.claude\\worktrees\\")
UNKNOWN = ("the text that the client wraps around attachments",)


class ClaudeCode:
    name = "claude-code"
    noise = frozenset({"system", "summary", "last-prompt", "queue-operation", "file-history-snapshot", "progress"})
    """Lines of the client about itself."""

    def sniff(self, head: Head) -> bool:
        if head.kind != "jsonl" or any(_is_of_qwen(r) or _is_of_droid(r) for r in head.records):
            return False
        return any(map(_is_line, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        runs = _Runs(source)
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
                continue
            try:
                runs.line(f"{source.name}: line {number}", value)
            except Unreadable as error:
                source.problem(f"line {number}", str(error))
        yield from runs.transcripts(self.name)


class _Runs:
    """The runs in one file: the session itself under "", its inline sub-agents under their names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.threads: dict[str, Thread] = {}
        self._run_of_line: dict[str, str] = {}
        self._sessions: dict[str, str] = {}
        self._replacements: dict[str, str] = {}
        self._sub_agents = SubAgents()

    def line(self, place: str, value: dict[str, Any]) -> None:
        if "session_id" in value and "sessionId" not in value:
            value = _of_stream(value)
        name = self._run_of(value)
        if name not in self.threads:
            self.threads[name] = Thread(Assembly(self.source.name))
        thread = self.threads[name]
        self._sub_agents.line(value)
        record = Record(value, place, thread.assembly.problems.append)
        if value.get("type") == "content-replacement":
            for replacement in record.records("replacements"):
                self._replacements[replacement.string("toolUseId")] = replacement.string("replacement")
            return
        thread.line(record)

    def _run_of(self, value: dict[str, Any]) -> str:
        """Which run a line is part of; a sub-agent without a name is told by the line that it hangs on. A line of
        another session that hangs on none begins that session's own run."""
        uuid = value.get("uuid")
        name = self._session_of(value)
        if value.get("isSidechain") is True:
            agent, parent = value.get("agentId"), value.get("parentUuid")
            if isinstance(agent, str) and agent:
                name = agent
            else:
                above = self._run_of_line.get(parent, "") if isinstance(parent, str) else ""
                main = not above or above in self._sessions
                name = f"sidechain-{len(self.threads) + 1}" if main else above
        if isinstance(uuid, str):
            self._run_of_line.setdefault(uuid, name)
        return name

    def _session_of(self, value: dict[str, Any]) -> str:
        session, parent = value.get("sessionId"), value.get("parentUuid")
        if isinstance(parent, str) and parent in self._run_of_line:
            return self._run_of_line[parent]
        if not isinstance(session, str):
            return ""
        latest = next(reversed(self._sessions.values()), "")
        if session not in self._sessions and "parentUuid" in value:
            begins = value.get("type") == "user" and parent is None and value.get("isCompactSummary") is not True
            self._sessions[session] = session if begins and self._sessions else latest
        return self._sessions.get(session, latest)

    def transcripts(self, format_name: str) -> Iterator[Transcript]:
        threads = {name: thread for name, thread in self.threads.items() if thread.drafts}
        if not threads:
            raise HoldsNothing("a session without messages (only its title or settings)")
        alone = len(threads) == 1
        for name, thread in threads.items():
            transcript_id = self.source.name if alone or not name else f"{self.source.name}#{name}"
            parent = _parent(self.source.name, thread) if "" not in threads else self.source.name
            is_agent = bool(name) and name not in self._sessions
            yield self._transcript(format_name, transcript_id, parent if is_agent else None, thread)

    def _transcript(self, format_name: str, transcript_id: str, parent: str | None, thread: Thread) -> Transcript:
        thread.replace_results(self._replacements)
        thread.finish()
        models = [d.model for d in thread.drafts if d.model and d.model != SYNTHETIC and not d.copied]
        resends = resends_thinking(models[0] if models else None)
        thought = any(d.reasoning for d in thread.drafts)
        return thread.assembly.transcript(
            transcript_id,
            format_name,
            cluster=_repository(thread.cwd),
            model=models[0] if models else None,
            cuts=thread.cuts.of(len(thread.drafts)),
            resends_reasoning=resends,
            parent=parent,
            unknown=(*UNKNOWN, LEFT_OUT) if thought and not resends else UNKNOWN,
            notes=(
                *(f"{count} {what}" for what, count in sorted(thread.counts.items()) if count),
                *(self._sub_agents.missing(self.source, set(self.threads)) if parent is None else ()),
            ),
            session="" if parent else next(reversed(thread.sessions)),
        )


def _of_stream(value: dict[str, Any]) -> dict[str, Any]:
    """A line of the printed stream with the names that a session file has."""
    parent = value.get("parent_tool_use_id")
    agent = {"isSidechain": True, "agentId": parent} if isinstance(parent, str) else {}
    metadata = {"compactMetadata": value["compact_metadata"]} if "compact_metadata" in value else {}
    return {**value, **agent, **metadata, "sessionId": value["session_id"]}


def _is_of_qwen(record: dict[str, Any]) -> bool:
    """Qwen Code's lines look alike, but their messages are Gemini's."""
    message = record.get("message")
    return "systemPayload" in record or (isinstance(message, dict) and "parts" in message)


def _is_of_droid(record: dict[str, Any]) -> bool:
    """Droid's stream begins as Claude Code's does, but has lines of its own for calls and the end."""
    return (record.get("type") == "tool_call" and "toolName" in record) or "finalText" in record


def _is_line(record: dict[str, Any]) -> bool:
    if not isinstance(record.get("type"), str) or "payload" in record or "projectHash" in record:
        return False
    if isinstance(record.get("session_id"), str) and "sessionId" not in record:
        opens = record["type"] == "system" and record.get("subtype") == "init"
        return opens or (record["type"] in ("user", "assistant") and "parent_tool_use_id" in record)
    session = isinstance(record.get("sessionId"), str)
    return (
        session
        or {"parentUuid", "message"} <= record.keys()
        or {"summary", "leafUuid"} <= record.keys()
        or {"messageId", "snapshot"} <= record.keys()
    )


def _parent(name: str, thread: Thread) -> str | None:
    """The session that a sub-agent's own file belongs to, told from where it lies."""
    folder = PurePosixPath(name).parent
    if "subagents" in folder.parts:
        depth = folder.parts.index("subagents")
        if depth:
            return "/".join(folder.parts[:depth]) + ".jsonl"
    session = next((s for s in thread.sessions if s), None)
    return (folder / f"{session}.jsonl").as_posix() if session else None


def _repository(cwd: str) -> str:
    for mark in WORKTREES:
        cwd = cwd.split(mark)[0]
    return cwd
