"""One run of Copilot CLI: its events in, a transcript out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from harness.formats.assembly import Assembly
from harness.formats.branch_path import Path
from harness.formats.cuts import Cuts, Kind
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import either
from harness.transcript import Message, ToolCall, Transcript, Usage


class CopilotRun:
    """main: the run that a sub-agent was started from; model and folder are taken over from it."""

    def __init__(self, name: str, main: CopilotRun | None = None) -> None:
        self.assembly = Assembly(name)
        self.model: str | None = main.model if main else None
        self.folder: str = main.folder if main else ""
        self._cuts = Cuts(self.assembly)
        self._counts: Counter[str] = Counter()
        self._messages: list[tuple[str, int]] = []  # ids of events, and the messages that they became
        self._shown: list[int] = []
        self._path = Path()

    def event(self, event: Record) -> None:
        """Take in one event. Kinds that are not known say nothing to the model."""
        kind, data = event.string("type"), event.record("data")
        name = event.string("id")
        if name:
            self._follow(name, event)
        before = len(self.assembly.messages)
        time = event.time("timestamp")
        if kind in ("session.start", "session.resume"):
            context = data.record("context")
            self.folder = self.folder or context.string("gitRoot") or context.string("cwd")
            self.model = data.string("selectedModel") or self.model
        elif kind == "session.model_change":
            self.model = data.string("newModel") or self.model
        elif kind == "user.message":
            said = data.string("transformedContent") or data.string("content")
            images = sum(a.string("type") in ("image", "blob") for a in data.records("attachments"))
            self.assembly.add(Message("user", said, images=images, time=time))
        elif kind == "system.message":
            self.assembly.add(Message("system", data.string("content"), time=time))
        elif kind == "skill.invoked" and data.string("content"):
            self.assembly.add(Message("user", data.string("content"), time=time))
        elif kind == "assistant.message":
            self._answer(data, time)
        elif kind == "assistant.usage":
            self._usage(data)
        elif kind == "tool.execution_complete" and data.raw("isUserRequested") is not True:
            self._result(data, time)
        elif self._cuts.full:
            pass
        elif kind == "session.compaction_complete" and data.raw("success") is True:
            self._cut("compacted", [i for i in self._shown if self.assembly.messages[i].role == "system"])
            if data.string("summaryContent"):
                self.assembly.add(Message("user", data.string("summaryContent"), time=time))
        elif kind == "session.truncation":
            self._truncate(data.integer("messagesRemovedDuringTruncation") or 0)
        for at in range(before, len(self.assembly.messages)):
            self._messages.append((name, at))
            self._shown.append(at)

    def transcript(self, format_name: str, transcript_id: str, parent: str | None) -> Transcript:
        unread = self._counts["results without content"]
        return self.assembly.transcript(
            transcript_id,
            format_name,
            cluster=self.folder,
            cuts=self._cuts.of(len(self.assembly.messages)),
            parent=parent,
            unknown=("contents of results",) if unread and not any(m.result for m in self.assembly.messages) else (),
            notes=tuple(f"{count} {what}" for what, count in sorted(self._counts.items())),
        )

    def _follow(self, name: str, event: Record) -> None:
        turn = self._path.step(name, event.string("parentId") or None, name)
        messages = self.assembly.messages
        notices_only = all(messages[i].role == "system" for e, i in self._messages if e in turn.gone)
        if (turn.gone or turn.back) and not notices_only and not self._cuts.full:
            shown = set(self._shown)
            keep = [i for e, i in self._messages if (i in shown and e not in turn.gone) or e in turn.back]
            if keep != self._shown:
                self._cut("rewound", keep)

    def _cut(self, kind: Kind, keep: list[int]) -> None:
        self._cuts.add(len(self.assembly.messages), keep, kind)
        self._shown = list(keep)

    def _truncate(self, count: int) -> None:
        """The client dropped that many messages; the oldest, as far as the event says."""
        messages = self.assembly.messages
        oldest = [i for i in self._shown if messages[i].role != "system"][:count]
        if oldest:
            self._cut("compacted", [i for i in self._shown if i not in set(oldest)])

    def _answer(self, data: Record, time: float | None) -> None:
        made = data.integer("outputTokens")
        self.assembly.add(
            Message(
                "assistant",
                data.string("content"),
                calls=tuple(map(_call, data.records("toolRequests"))),
                reasoning=data.string("reasoningText"),
                encrypted=bool(data.raw("reasoningOpaque") or data.raw("encryptedContent")),
                message_id=data.string("messageId") or None,
                model=data.string("model") or self.model,
                time=time,
                usage=Usage(output_tokens=made) if made else None,
            )
        )

    def _usage(self, data: Record) -> None:
        """Usage of the latest answer that has none yet."""
        given, made = data.integer("inputTokens"), data.integer("outputTokens")
        for at in range(len(self.assembly.messages) - 1, -1, -1):
            message = self.assembly.messages[at]
            if message.role == "assistant":
                if (given or made) and (message.usage is None or message.usage.input_tokens is None):
                    read, written = data.integer("cacheReadTokens"), data.integer("cacheWriteTokens")
                    usage, model = either(given, read, written, made), data.string("model") or message.model
                    self.assembly.messages[at] = replace(message, usage=usage, model=model)
                return

    def _result(self, data: Record, time: float | None) -> None:
        result, error = data.record("result"), data.record("error")
        success = data.boolean("success")
        if isinstance(result.raw("content"), str):
            content = result.string("content")
        elif isinstance(error.raw("message"), str):
            content = error.string("message")
        else:
            self._counts["results without content"] += 1
            return
        call_id = data.string("toolCallId") or None
        failed = None if success is None else not success
        self.assembly.answer(content, call_id=call_id, is_error=failed, time=time)


def _call(request: Record) -> ToolCall:
    arguments = request.raw("arguments")
    text = arguments if isinstance(arguments, str) else "" if arguments is None else compact(arguments)
    return ToolCall(request.string("name"), text, request.string("toolCallId") or None)
