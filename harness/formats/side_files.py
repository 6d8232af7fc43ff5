"""Files that agents leave beside their sessions, and that hold nothing to replay. Each is told with a sentence why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

AIDER = b"# aider chat started at"


def _has(*keys: str) -> Callable[[Head], bool]:
    """JSON whose every record at the start has these keys."""
    return lambda head: bool(head.records) and all(record.keys() >= set(keys) for record in head.records)


def _is_aider(head: Head) -> bool:
    return head.kind == "text" and AIDER in head.start[:4096]


def _is_fake_response(head: Head) -> bool:
    """Model responses for tests of Gemini CLI: `{"method": "generateContentStream", "response": [...]}` a line."""
    return bool(head.records) and all(_names_method(record) and "response" in record for record in head.records)


def _names_method(record: dict[str, Any]) -> bool:
    method = record.get("method")
    return isinstance(method, str) and method.startswith(("generateContent", "countTokens", "embedContent"))


def _is_kimi_context(head: Head) -> bool:
    roles = {record.get("role") for record in head.records if isinstance(record.get("role"), str)}
    return head.kind == "jsonl" and bool(roles & {"_checkpoint", "_usage", "_system_prompt"})


def _is_title_of_sub_agent(head: Head) -> bool:
    return head.kind == "object" and "agentType" in head.keys and len(head.keys) <= 8 and "messages" not in head.keys


SIDE_FILES: tuple[tuple[Callable[[Head], bool], str], ...] = (
    (
        _is_aider,
        "Aider's chat history: Markdown without calls, ids or usage; tool results cannot be told from what was said",
    ),
    (_is_fake_response, "model responses made for a test, not a session"),
    (_is_title_of_sub_agent, "the title of a Claude Code sub-agent, whose session lies beside it"),
    (_is_kimi_context, "Kimi's working copy of a session; what happened in it is in wire.jsonl"),
    (
        _has("resolved_ids", "submitted_ids"),
        "SWE-bench's report of a run; what it says is joined with recordings beside it",
    ),
    (
        _has("task_name", "trial_name", "verifier_result"),
        "Harbor's result of a trial; joined with the recording beside it",
    ),
    (_has("display", "pastedContents", "timestamp"), "Claude Code's list of prompts, without answers"),
    (_has("session_id", "ts", "text"), "Codex's list of prompts, without answers"),
)


class SideFiles:
    name = "side-files"

    def sniff(self, head: Head) -> bool:
        return any(claims(head) for claims, _ in SIDE_FILES)

    def read(self, source: Source) -> Iterator[Transcript]:
        head = source.head()
        for claims, sentence in SIDE_FILES:
            if claims(head):
                raise HoldsNothing(sentence)
        raise HoldsNothing("none of the files that are known to hold nothing to replay")
        yield
