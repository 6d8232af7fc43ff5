"""OpenHands completion logs: one JSON file a request, with its whole prompt and the response; a folder is one source.

Source: OpenHands/software-agent-sdk@611629e `openhands/sdk/llm/utils/telemetry.py`, OpenHands/OpenHands@156d068
`openhands/llm/llm.py`. The requests of a
directory are put together into conversations, and every request has its own usage. For models without function calling,
calls and results are text in the prompts, and calls in the responses: `harness.formats.dialects.function_text`.

| field | what |
| --- | --- |
| `messages`, `tools`, `kwargs.tools` | the prompt |
| `response.{id,model,choices[0].message,usage}` | the answer |
| `timestamp`, `cost` | when, and what it cost |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.dialects.choice import dialect_named, dialect_of
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Transcript

_LOG_FILE = re.compile(r".+-\d{10}\.\d+(?:-[0-9a-f]+)?\.json")


class OpenHandsLlmLogs:
    name = "openhands-llm-logs"

    def sniff(self, head: Head) -> bool:
        if head.kind == "directory":
            files = [name for name in head.members if not name.startswith(".")]
            return bool(files) and all(_LOG_FILE.fullmatch(name) for name in files)
        return head.kind == "object" and is_log(head.records[0])

    def read(self, source: Source) -> Iterator[Transcript]:
        if source.head().kind == "directory":
            logs = sorted(_directory(source), key=lambda log: (log.raw("timestamp") is None, _time(log) or 0.0))
        else:
            document = source.document()
            if not isinstance(document, dict):
                raise Unreadable(f"{kind_of(document)} where a logged request belongs")
            logs = [Record(document, source.name, source.problems.append)]
        textual = dialect_named("function-text")
        preferred = textual if any(dialect_of(log.array("messages")) is textual for log in logs) else None
        exchanges = (Exchange(log.value, log.raw("response"), log.place.partition(": ")[2], _time(log)) for log in logs)
        yield from conversations_in(source, self.name, exchanges, "{} logs without messages", preferred=preferred)


def is_log(record: dict[str, Any]) -> bool:
    """Whether an object is one of these logs, and not a conversation of some other kind."""
    messages = record.get("messages")
    return isinstance(messages, list) and {"response", "timestamp", "cost"} <= record.keys()


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
            yield Record(value, f"{source.name}: {path.name}", source.problems.append)
        else:
            source.problem(path.name, "not a logged request")


def _time(log: Record) -> float | None:
    return log.time("timestamp")
