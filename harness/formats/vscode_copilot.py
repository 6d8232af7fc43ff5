"""VS Code's Copilot Chat: `chatSessions/*.json`, their journals (`*.jsonl`), and the export of a chat as JSON.

Source: microsoft/vscode `src/vs/workbench/contrib/chat/common/chatModel.ts` (version 3) and published parsers of the
journal (August 2026); the rounds are microsoft/vscode-copilot-chat's `toolCallRounds`.

| what | where |
| --- | --- |
| session | `{version, sessionId, requests[]}`; export: `{responderUsername, requests[]}` |
| journal | `{kind: 0, v: session}`; `{kind: 1, k: path, v}` sets, `{kind: 2, k: path, v, i?}` appends |
| user | `requests[].message.text`, `.timestamp`, `.modelId` |
| answer, call | `result.metadata.toolCallRounds[].{response, thinking.text, toolCalls[].{id, name, arguments}}` |
| result | `result.metadata.toolCallResults.<id>.content[].value`: text, or a tree of text nodes |
| usage | `result.metadata.{promptTokens, outputTokens}` of the last round |
| text | `requests[].response[].value` (older: `.content.value`), where no round is recorded |

Each round is one request of the model. What the extension puts around the user's words is not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable
from harness.formats.lines import line_records
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Transcript, Usage

UNKNOWN = ("what the extension put into the prompt besides", "usage of all rounds but a turn's last")
SET, APPEND, DELETE = 1, 2, 3
DEEPEST = 200


class VsCodeCopilot:
    name = "vscode-copilot"
    read_on = "made-up chats, after a public export and published parsers"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object":
            record = head.records[0]
            return _is_session(record) or _is_journal(record)
        return head.kind == "jsonl" and any(map(_is_journal, head.records[:1]))

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        report = assembly.problems.append
        head = source.head()
        if any(map(_is_journal, head.records[:1])):
            value: Any = _replayed(line_records(source, report))
        else:
            value = source.document()
        if not isinstance(value, dict):
            raise Unreadable(f"{kind_of(value)} where a session belongs")
        for request in Record(value, source.name, report).records("requests"):
            _turn(assembly, request)
        if not any(m.role == "assistant" for m in assembly.messages):
            raise HoldsNothing("a chat without an answer")
        yield assembly.transcript(source.name, self.name, unknown=UNKNOWN)


def _is_session(record: dict[str, Any]) -> bool:
    if not isinstance(record.get("requests"), list):
        return False
    return {"version", "sessionId"} <= record.keys() or "responderUsername" in record


def _is_journal(record: dict[str, Any]) -> bool:
    value = record.get("v")
    return record.get("kind") == 0 and isinstance(value, dict) and isinstance(value.get("requests"), list)


def _replayed(lines: Iterator[Record]) -> Any:
    """The session after all changes of its journal."""
    state: Any = None
    for line in lines:
        kind, value, path = line.raw("kind"), line.raw("v"), line.array("k")
        if kind == 0:
            state = value
            continue
        try:
            holder = state
            for key in path[:-1]:
                holder = holder[key]
            if kind == SET:
                _put(holder, path[-1], value)
            elif kind == APPEND:
                listed = holder.setdefault(path[-1], []) if isinstance(holder, dict) else holder[path[-1]]
                at = line.integer("i")
                listed[len(listed) if at is None else at :] = value or []
            elif kind == DELETE:
                del holder[path[-1]]
            else:
                line.problem(f"unknown kind of change {kind!r:.60}")
        except (KeyError, IndexError, TypeError, AttributeError):
            line.problem("a change of what is not there")
    return state


def _put(holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, list) and key == len(holder):
        holder.append(value)
    else:
        holder[key] = value


def _turn(assembly: Assembly, request: Record) -> None:
    """A turn: what the user said, then a round of answer and results for each request of the model."""
    time = request.time("timestamp")
    assembly.add(Message("user", request.record("message").string("text"), time=time))
    metadata = request.record("result").record("metadata")
    model = metadata.text("resolvedModel") or request.text("modelId")
    usage = contained(
        _count(metadata, request, "promptTokens"),
        None,
        None,
        _count(metadata, request, "outputTokens", "completionTokens"),
    )
    rounds = list(metadata.records("toolCallRounds"))
    results = metadata.record("toolCallResults")
    for number, one in enumerate(rounds):
        last = usage if number == len(rounds) - 1 else None
        calls = [
            (c, ToolCall(c.string("name"), arguments_text(c.raw("arguments")), c.text("id")))
            for c in one.records("toolCalls")
        ]
        said = one.raw("response")
        at = assembly.add(
            Message(
                "assistant",
                said
                if isinstance(said, str)
                else "".join(part for part in one.array("response") if isinstance(part, str)),
                tuple(call for _, call in calls),
                reasoning=_thought(one),
                message_id=one.text("id"),
                model=one.text("modelId") or model,
                time=one.time("timestamp") or time,
                usage=last,
            )
        )
        for position, (_, call) in enumerate(calls):
            if call.call_id is not None and call.call_id in results:
                _result(assembly, results.record(call.call_id), (at, position), call.call_id)
    if not rounds:
        _said(assembly, request, model, usage)


def _said(assembly: Assembly, request: Record, model: str | None, usage: Usage | None) -> None:
    parts = [p.record("content") if p.raw("kind") == "markdownContent" else p for p in request.records("response")]
    texts = [part.string("value") for part in parts if isinstance(part.raw("value"), str)]
    if texts:
        assembly.add(Message("assistant", "".join(texts), model=model, time=request.time("timestamp"), usage=usage))


def _thought(one: Record) -> str:
    thinking = one.raw("thinking")
    found = thinking.get("text") if isinstance(thinking, dict) else thinking
    return (
        found
        if isinstance(found, str)
        else "\n".join(t for t in found if isinstance(t, str))
        if isinstance(found, list)
        else ""
    )


def _count(metadata: Record, request: Record, *names: str) -> int | None:
    found = (holder.integer(name) for holder in (metadata, request) for name in names if name in holder)
    return next((count for count in found if count is not None), None)


def _result(assembly: Assembly, result: Record, call: tuple[int, int], call_id: str) -> None:
    texts: list[str] = []
    images = 0
    for part in result.records("content"):
        value = part.raw("value")
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            texts.append("".join(_tree(value)))
        else:
            images += 1
    assembly.answer("".join(texts), call=call, call_id=call_id, images=images)


def _tree(node: Any, depth: int = 0) -> Iterator[str]:
    """The text of a rendered prompt: of its leaves, in order."""
    if depth > DEEPEST:
        return
    if isinstance(node, dict):
        if isinstance(node.get("text"), str):
            yield ("\n" if node.get("lineBreakBefore") is True else "") + node["text"]
        for key in ("node", "children"):
            yield from _tree(node.get(key), depth + 1)
    elif isinstance(node, list):
        for child in node:
            yield from _tree(child, depth + 1)
