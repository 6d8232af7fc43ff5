"""Messages of Cursor's chats: those of its command line agent, and the bubbles of the editor."""

from __future__ import annotations

from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.record import Record, records
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall

USER, ASSISTANT = 1, 2


class VercelMessage:
    """A message in the shape of the AI SDK's model messages: `{role, content: text or parts}`."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def add(self, assembly: Assembly) -> None:
        """Read it into an assembly. A role that is not known is a problem and costs the message."""
        record = self.record
        role = record.string("role")
        parts = self._parts()
        texts = [part.string("text") for part in parts if part.raw("type") == "text"]
        images = sum(part.raw("type") in ("image", "file") for part in parts)
        if role == "assistant":
            calls = tuple(_call(part) for part in parts if part.raw("type") == "tool-call")
            thoughts = [part.string("text") for part in parts if part.raw("type") == "reasoning"]
            encrypted = sum(part.raw("type") == "redacted-reasoning" for part in parts)
            assembly.add(
                Message(
                    "assistant",
                    "".join(texts),
                    calls,
                    reasoning="\n".join(thoughts),
                    images=images,
                    encrypted=encrypted,
                )
            )
        elif role in ("user", "system"):
            assembly.add(Message("user" if role == "user" else "system", "".join(texts), images=images))
        elif role != "tool":
            record.problem(f"unknown role {role!r:.60}")
            return
        for part in parts:
            if part.raw("type") == "tool-result":
                _result(assembly, part)

    def _parts(self) -> list[Record]:
        content = self.record.raw("content")
        if isinstance(content, str):
            return [Record({"type": "text", "text": content}, self.record.at("content"), self.record.report)]
        return list(self.record.records("content"))


def _call(part: Record) -> ToolCall:
    given = part.raw("args") if "args" in part else part.raw("input")
    return ToolCall(part.string("toolName"), arguments_text(given), part.text("toolCallId"))


def _result(assembly: Assembly, part: Record) -> None:
    """A result: text, a list of texts and images, or JSON. `output` (later versions) names which in its `type`."""
    value = part.raw("result") if "result" in part else part.raw("output")
    if isinstance(value, dict) and set(value) <= {"type", "value"} and "value" in value:
        value = value["value"]
    images = 0
    if value is None or (isinstance(value, str) and not value):
        value = part.raw("experimental_content") or part.raw("content") or value
    if isinstance(value, list) and all(isinstance(v, dict) and "type" in v for v in value):
        inside = list(records(value, part.place, part.report))
        images = sum(one.raw("type") != "text" for one in inside)
        value = "".join(one.string("text") for one in inside if one.raw("type") == "text")
    text = value if isinstance(value, str) else "" if value is None else compact(value)
    assembly.answer(
        text,
        call_id=part.text("toolCallId"),
        name=part.string("toolName"),
        is_json=not isinstance(value, str) and value is not None,
        is_error=part.boolean("isError"),
        images=images,
    )


class EditorChat:
    """A chat of the editor: its bubbles in their order. Each bubble of the assistant is an answer."""

    def __init__(self, place: str, head: dict[str, Any], bubbles: dict[str, dict[str, Any] | None]) -> None:
        self.assembly = Assembly(place.partition(": ")[0])
        root = Record(head, place, self.assembly.problems.append)
        config = root.record("modelConfig").string("modelName")
        self.model = config if config not in ("", "default") else None
        listed = [one.string("bubbleId") for one in root.records("fullConversationHeadersOnly")]
        inline = {one.string("bubbleId"): one.value for one in root.records("conversation")}
        for own in listed or inline:
            value = bubbles.get(own) or inline.get(own)
            if value is None:
                root.problem(f"bubble {own!r:.60} is not there")
            else:
                self._bubble(Record(value, f"{place}: bubble {own[:40]}", self.assembly.problems.append))

    def _bubble(self, bubble: Record) -> None:
        kind = bubble.raw("type")
        time = bubble.time("createdAt")
        if kind == USER:
            self.assembly.add(Message("user", bubble.string("text"), images=len(bubble.array("images")), time=time))
            return
        if kind != ASSISTANT:
            bubble.problem(f"unknown type of bubble {kind!r:.60}")
            return
        tool = bubble.record("toolFormerData")
        tokens = bubble.record("tokenCount")
        usage = contained(tokens.integer("inputTokens"), None, None, tokens.integer("outputTokens"))
        name, thought = tool.string("name"), bubble.record("thinking").string("text")
        if not (name or thought or bubble.string("text")):
            return
        given = tool.raw("rawArgs") if tool.raw("rawArgs") is not None else tool.raw("params")
        calls = (ToolCall(name, arguments_text(given), tool.text("toolCallId")),) if name else ()
        at = self.assembly.add(
            Message(
                "assistant", bubble.string("text"), calls, reasoning=thought, model=self.model, time=time, usage=usage
            )
        )
        result = tool.raw("result")
        if name and result is not None:
            text = result if isinstance(result, str) else compact(result)
            failed = tool.string("status") == "error"
            self.assembly.answer(text, call=(at, 0), call_id=tool.text("toolCallId"), is_error=failed, time=time)
