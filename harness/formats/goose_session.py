"""One Goose session: its messages in, a transcript out."""

from __future__ import annotations

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.transcript import Message, ToolCall, Transcript

NOT_SENT = frozenset(
    {
        "systemNotification",
        "toolConfirmationRequest",
        "actionRequired",
        "contextLengthExceeded",
        "summarizationRequested",
    }
    | {"conversationCompacted"}
)


class GooseSession:
    def __init__(self, name: str) -> None:
        self.assembly = Assembly(name)
        self.folder = ""
        self._cuts = Cuts(self.assembly)
        self._hidden = False  # whether the latest message is not visible to the agent any more

    def transcript(self, format_name: str, transcript_id: str) -> Transcript:
        return self.assembly.transcript(
            transcript_id,
            format_name,
            cluster=self.folder,
            cuts=self._cuts.of(len(self.assembly.messages)),
            unknown=("which calls were made in one request", "model"),
        )

    def message(self, record: Record) -> None:
        """Take in one message."""
        role = record.string("role")
        if role not in ("user", "assistant"):
            record.problem(f"unknown role {role!r:.60}")
            return
        metadata = record.record("metadata")
        if metadata.raw("userVisible") is False and self._hidden:
            self._cuts.add(len(self.assembly.messages), (), "compacted")
        self._hidden = metadata.raw("agentVisible") is False
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolCall] = []
        images = encrypted = 0
        time = record.time("created")
        for block in record.records("content"):
            kind = block.string("type")
            if kind == "text":
                texts.append(block.string("text"))
            elif kind == "thinking":
                thoughts.append(block.string("thinking"))
            elif kind == "redactedThinking":
                encrypted += 1
            elif kind in ("toolRequest", "frontendToolRequest"):
                calls.append(_call(block))
            elif kind == "toolResponse":
                self._result(block, time)
            elif kind == "image":
                images += 1
            elif kind not in NOT_SENT:
                block.problem(f"unknown kind of block {kind!r:.60}")
        if role == "assistant":
            self.assembly.add(
                Message(
                    "assistant",
                    "\n".join(texts),
                    calls=tuple(calls),
                    reasoning="\n".join(filter(None, thoughts)),
                    images=images,
                    encrypted=encrypted + sum(not thought for thought in thoughts),
                    message_id=record.string("id") or None,
                    time=time,
                )
            )
        elif texts or images:
            self.assembly.add(Message("user", "\n".join(texts), images=images, time=time))

    def _result(self, block: Record, time: float | None) -> None:
        call_id = block.string("id") or None
        result = block.record("toolResult")
        if result.string("status") == "error":
            self.assembly.answer(result.string("error"), call_id=call_id, is_error=True, time=time)
            return
        value = result.raw("value")
        holder = Record({"content": value}, result.at("value"), result.report) if isinstance(value, list) else None
        holder = holder or result.record("value")
        texts: list[str] = []
        images = 0
        for part in holder.records("content"):
            if not _is_for_the_model(part):
                continue
            if part.raw("type") == "image":
                images += 1
            else:
                texts.append(_text(part))
        if not texts and not images and holder.raw("structuredContent") is not None:
            content, is_json = compact(holder.raw("structuredContent")), True
        else:
            content, is_json = "\n".join(texts), False
        failed = holder.boolean("isError")
        self.assembly.answer(content, call_id=call_id, is_json=is_json, is_error=failed, images=images, time=time)


def _call(block: Record) -> ToolCall:
    """A request of the model. One that could not be parsed has no name."""
    value = block.record("toolCall").record("value")
    return ToolCall(value.string("name"), compact(value.raw("arguments")), block.string("id") or None)


def _is_for_the_model(part: Record) -> bool:
    audience = part.record("annotations").array("audience")
    return not audience or "assistant" in audience


def _text(part: Record) -> str:
    """The text of a part: plain, of an embedded resource, or (for what is neither) its JSON."""
    if isinstance(part.raw("text"), str):
        return part.string("text")
    resource = part.raw("resource")
    if isinstance(resource, dict) and isinstance(resource.get("text"), str):
        return str(resource["text"])
    return compact({key: value for key, value in part.value.items() if key != "annotations"})
