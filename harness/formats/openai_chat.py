"""OpenAI chat messages: one conversation as a JSON object or a bare list of messages, or one conversation a
JSONL line.

Source: openai/openai-python@e43b422 `types/chat/chat_completion_message_param.py`. A conversation is
`{"messages": [...]}`; beside it are read `tools` or `functions`, `model`, `id`, `usage` and `response` (of
the last request), and `metadata.task`, the cluster. A message may carry `usage`, `model` and `timestamp`, as
many dumps add them. JSONL lines with a `response` are a log of requests: those that go on with one another are one
conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.api_requests import Api
from harness.formats.assembly import Assembly, own_names
from harness.formats.containers.openhands_logs import is_log
from harness.formats.conversations import Conversations
from harness.formats.dialects.anthropic_messages import is_anthropic
from harness.formats.dialects.openai_chat import add_message, is_chat, tool_definitions
from harness.formats.json_text import Unreadable
from harness.formats.mini_swe_agent import is_mini
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Transcript


class OpenAIChat:
    name = "openai-chat"

    def sniff(self, head: Head) -> bool:
        if not head.records:
            return False
        if head.kind == "array" and "role" in head.records[0]:
            return _is_conversation({"messages": list(head.records)})
        return head.kind in ("object", "array", "jsonl") and all(_is_conversation(r) for r in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        if source.head().kind == "jsonl":
            log = _Requests(source.name)
            for number, value in source.lines():
                if not log.takes(f"{source.name}: line {number}", value):
                    log.others = True
                    yield from self._conversation(source, f"line {number}", value, names(_own_name(value), number))
                elif log.begun:
                    log.names.append(names(_own_name(value), number))
            yield from log.transcripts(self.name)
            return
        document = source.document()
        if isinstance(document, list) and document and not _is_message(document[0]):
            for number, value in enumerate(document, 1):
                yield from self._conversation(source, f"[{number - 1}]", value, names(_own_name(value), number))
        elif isinstance(document, (dict, list)):
            yield from self._conversation(source, "", document, source.name)
        else:
            raise Unreadable(f"{kind_of(document)} where a conversation belongs")

    def _conversation(self, source: Source, place: str, value: Any, name: str) -> Iterator[Transcript]:
        if isinstance(value, list):
            value = {"messages": value}
        if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
            source.problem(place, "no conversation: an object with a list of messages belongs here")
            return
        assembly = Assembly(source.name)
        record = Record(value, f"{source.name}: {place}" if place else source.name, assembly.problems.append)
        for message in record.records("messages"):
            add_message(assembly, message)
        usage = usage_of(record.record("usage"))
        if "response" in record:
            response = record.record("response")
            for choice in list(response.records("choices"))[:1]:
                add_message(assembly, choice.record("message"), role="assistant")
            usage = usage_of(response.record("usage")) or usage
        if usage is not None:
            assembly.amend_last_request(usage=usage)
        yield assembly.transcript(
            name,
            self.name,
            cluster=record.record("metadata").string("task"),
            model=record.text("model"),
            tools=tool_definitions(record),
        )


class _Requests:
    """Lines that hold a request with the `response` to it: those that go on with one another are one conversation."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.names: list[str] = []
        self.others = False  # whether there are lines of another kind
        self._api, self._conversations = Api(), Conversations(place)
        self._tasks: list[str] = []

    @property
    def begun(self) -> bool:
        """Whether the latest line began a conversation that has no name yet."""
        return len(self.names) < len(self._conversations.threads)

    def takes(self, place: str, value: Any) -> bool:
        """Whether a line is such a request; then it is taken in."""
        if not isinstance(value, dict) or not isinstance(value.get("response"), dict):
            return False
        request = Record(value, place, _ignore)
        logged = self._api.logged(request, request.record("response"))
        if logged is None:
            return False
        self._conversations.add(logged)
        if self.begun:
            self._tasks.append(request.record("metadata").string("task"))
        return True

    def transcripts(self, format_name: str) -> Iterator[Transcript]:
        """The conversations; one that fills its file has the file's name."""
        alone = len(self.names) == 1 and not self.others
        runs = self._conversations.transcripts(self.place, format_name)
        for run, name, task in zip(runs, self.names, self._tasks, strict=True):
            yield replace(run, id=self.place if alone else name, cluster=task)


def _ignore(_: object) -> None:
    """Whatever is wrong here is reported where the messages are read."""


def _is_conversation(record: dict[str, Any]) -> bool:
    messages = record.get("messages")
    if not isinstance(messages, list) or not is_chat(messages):
        return False
    return not (is_anthropic(record) or is_log(record) or is_mini(record))


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and "role" in value


def _own_name(value: Any) -> str | None:
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None
