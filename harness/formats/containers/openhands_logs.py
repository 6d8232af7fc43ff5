"""OpenHands completion logs: one JSON file a request, with its whole prompt and the response.

Source: OpenHands/software-agent-sdk@611629e `openhands/sdk/llm/utils/telemetry.py`, OpenHands/OpenHands@156d068
`openhands/llm/llm.py`. A directory of them is one source: its requests are put together into conversations, and
every request has its own usage. For models without function calling, calls and results are text: they are taken
out of it here as `<function=...>` and `EXECUTION RESULT of [...]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.conversations import Conversations, Logged, own_problems
from harness.formats.dialects.openai_chat import add_message, is_chat, tool_definitions
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, ToolCall, ToolResult, Transcript

_LOG_FILE = re.compile(r".+-\d{10}\.\d+(?:-[0-9a-f]+)?\.json")
_RESULT = re.compile(r"\AEXECUTION RESULT of \[([^\]\n]{1,200})\]:\n")
_CALL = re.compile(r"<function=([^>\n]{1,200})>")
CALL_END = "</function>"


class OpenHandsLlmLogs:
    name = "openhands-llm-logs"

    def sniff(self, head: Head) -> bool:
        if head.kind == "directory":
            files = [name for name in head.members if not name.startswith(".")]
            return bool(files) and all(_LOG_FILE.fullmatch(name) for name in files)
        return head.kind == "object" and is_log(head.records[0])

    def read(self, source: Source) -> Iterator[Transcript]:
        conversations = Conversations(source.name)
        if source.head().kind == "directory":
            logs = sorted(_directory(source), key=lambda log: (log.raw("timestamp") is None, _time(log) or 0.0))
        else:
            document = source.document()
            if not isinstance(document, dict):
                raise Unreadable(f"{kind_of(document)} where a logged request belongs")
            logs = [Record(document, source.name, lambda _: None)]
        for log in logs:
            conversations.add(_logged(source, log))
        yield from conversations.transcripts(source.name, self.name)


def is_log(record: dict[str, Any]) -> bool:
    """Whether an object is one of these logs, and not a conversation of some other kind."""
    messages = record.get("messages")
    return isinstance(messages, list) and {"response", "timestamp", "cost"} <= record.keys() and is_chat(messages)


def _directory(source: Source) -> Iterator[Record]:
    for path in sorted(source.path.iterdir()):
        if not _LOG_FILE.fullmatch(path.name) or not path.is_file() or path.is_symlink():
            continue
        try:
            value = parse(path.read_bytes())
        except Unreadable as error:
            source.problem(path.name, str(error))
            continue
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            yield Record(value, f"{source.name}: {path.name}", lambda _: None)
        else:
            source.problem(path.name, "not a logged request")


def _logged(source: Source, log: Record) -> Logged:
    prompt = Assembly(source.name)
    log = Record(log.value, log.place, prompt.problems.append)
    for message in log.records("messages"):
        add_message(prompt, message)
    answer = Assembly(source.name)
    response = Record(log.record("response").value, log.at("response"), prompt.problems.append)
    for choice in list(response.records("choices"))[:1]:
        add_message(answer, choice.record("message"), role="assistant")
    answer.messages = [
        replace(
            message,
            time=_time(log),
            model=response.text("model"),
            message_id=response.text("id"),
            usage=usage_of(response.record("usage")),
        )
        for message in answer.messages
    ]
    textual = not any(message.calls or message.result for message in prompt.messages + answer.messages)
    change = _out_of_text if textual else _as_it_is
    return Logged(
        [change(message) for message in prompt.messages],
        [change(message) for message in answer.messages],
        tool_definitions(log) or tool_definitions(log.record("kwargs")),
        own_problems(prompt),
    )


def _as_it_is(message: Message) -> Message:
    return message


def _out_of_text(message: Message) -> Message:
    """A message whose text is a result, or holds a call, with it as what it is."""
    found = _RESULT.match(message.text) if message.role == "user" else None
    if found:
        return replace(message, role="tool", text="", result=ToolResult(message.text, found[1]))
    if message.role != "assistant":
        return message
    text = message.text
    opening = _CALL.search(text, text.rfind("<function=")) if "<function=" in text else None
    if opening is None:
        return message
    end = text.find(CALL_END, opening.end())
    end = len(text) if end < 0 else end
    call = ToolCall(opening[1], text[opening.end() : end].strip())
    left = text[: opening.start(1)] + text[opening.end(1) : opening.end()] + text[end:]
    return replace(message, text=left, calls=(call,))


def _time(log: Record) -> float | None:
    return log.time("timestamp")
