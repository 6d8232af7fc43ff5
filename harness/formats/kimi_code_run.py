"""One agent of Kimi Code: its wire records in, a transcript out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import additive
from harness.transcript import Message, Role, ToolCall, Transcript, Usage

TRUNCATED = "Kimi Code: cut, says its record"
LARGEST = 64 << 20
ROLES: dict[str, Role] = {"user": "user", "system": "system", "assistant": "assistant"}


class KimiCodeRun:
    """`_step` is the answer of the step that is open. files: what the client kept of long results."""

    def __init__(self, name: str, files: list[Path]) -> None:
        self.name = name
        self.assembly = Assembly(name)
        self._files = files
        self._cuts = Cuts(self.assembly)
        self._counts: Counter[str] = Counter()
        self._shown: list[int] = []
        self._step: Message | None = None
        self._model: str | None = None
        self._prompt = ""
        self._folder = ""
        self._tools: tuple[str, ...] | None = None

    @property
    def holds_messages(self) -> bool:
        return self._step is not None or any(m.role != "system" for m in self.assembly.messages)

    def record(self, record: Record) -> None:
        """Take in one record."""
        kind, time = record.string("type"), record.time("time")
        if kind in ("config.update", "profile.bind"):
            self._model = record.string("modelAlias") or self._model
            self._folder = record.record("environmentDisclosure").string("cwd") or self._folder
            prompt = record.string("systemPrompt")
            if prompt and prompt != self._prompt:
                self._prompt = prompt
                self._add(Message("system", prompt, time=time))
        elif kind == "llm.request":
            self._model = record.string("model") or self._model
        elif kind == "llm.tools_snapshot" and isinstance(record.raw("tools"), list):
            self._tools = tuple(map(compact, record.array("tools")))
        elif kind == "context.append_message":
            self._close()
            self._message(record.record("message"), time)
        elif kind == "context.append_loop_event":
            self._event(record.record("event"), time)
        elif kind == "context.apply_compaction":
            self._close()
            self._compact(record, time)
        elif kind == "context.clear":
            self._close()
            self._cut([i for i in self._shown if self.assembly.messages[i].role == "system"], "cleared")
        elif kind in ("context.undo", "micro_compaction.apply"):
            self._counts[f"changes of the prompt that are not followed ({kind})"] += 1

    def transcript(self, format_name: str, parent: str | None) -> Transcript:
        self._close()
        return self.assembly.transcript(
            self.name,
            format_name,
            cluster=self._folder,
            tools=self._tools,
            cuts=self._cuts.of(len(self.assembly.messages)),
            parent=parent,
            notes=tuple(f"{count} {what}" for what, count in sorted(self._counts.items())),
        )

    def _add(self, message: Message) -> None:
        self._shown.append(self.assembly.add(message))

    def _close(self) -> None:
        if self._step is not None:
            step, self._step = self._step, None
            self._add(step)

    def _cut(self, keep: list[int], kind: str) -> None:
        self._cuts.add(len(self.assembly.messages), keep, "cleared" if kind == "cleared" else "compacted")
        self._shown = list(keep)

    def _message(self, message: Record, time: float | None) -> None:
        """A message that was put into the context; an answer among them was made elsewhere (a fork's history)."""
        role = message.string("role")
        text, images, reasoning = _content(message, "content")
        if role == "tool":
            call_id = message.string("toolCallId") or None
            self._shown.append(self.assembly.answer(text, call_id=call_id, images=images, copied=True, time=time))
        elif role not in ROLES:
            message.problem(f"unknown role {role!r:.60}")
        elif role == "assistant":
            calls = tuple(_call(call, "id", "arguments") for call in message.records("toolCalls"))
            self._add(Message("assistant", text, calls, reasoning=reasoning, images=images, copied=True, time=time))
        else:
            self._add(Message(ROLES[role], text, images=images, time=time))

    def _event(self, event: Record, time: float | None) -> None:
        kind = event.string("type")
        step = self._step or Message("assistant", time=time)
        if kind == "step.begin":
            self._close()
        elif kind == "content.part":
            text, images, reasoning = _content(event, "part")
            text, reasoning = step.text + text, step.reasoning + reasoning
            self._step = replace(step, text=text, reasoning=reasoning, images=step.images + images, time=time)
        elif kind == "tool.call":
            call = _call(event, "toolCallId", "args")
            self._step = replace(step, calls=(*step.calls, call), time=time)
        elif kind == "tool.result":
            self._close()
            self._result(event, time)
        elif kind == "step.end":
            self._end(event)

    def _end(self, event: Record) -> None:
        """The step is over: its usage and id. Its results have come in before."""
        usage, message_id = _usage(event.record("usage")), event.string("messageId") or None
        if self._step is not None:
            self._step = replace(self._step, usage=usage, message_id=message_id, model=self._model)
            self._close()
            return
        for at in reversed(self._shown):
            message = self.assembly.messages[at]
            if message.role == "assistant" and not message.copied:
                if message.usage is None:
                    amended = replace(message, usage=usage, message_id=message_id, model=self._model)
                    self.assembly.messages[at] = amended
                return

    def _result(self, event: Record, time: float | None) -> None:
        result = event.record("result")
        text, images, _ = _content(result, "output")
        note = result.string("note")
        call_id = event.string("toolCallId") or None
        cut = result.raw("truncated") is True
        at = self.assembly.answer(
            f"{text}\n{note}" if text and note else text or note,
            call_id=call_id,
            is_error=result.boolean("isError"),
            clipped=TRUNCATED if cut else None,
            whole=self._whole(call_id) if cut else None,
            images=images,
            time=time,
        )
        self._shown.append(at)

    def _whole(self, call_id: str | None) -> str | None:
        """What the client kept of a long result, in a file named after the tool and the call."""
        file = next((f for f in self._files if call_id and f"-{call_id}-" in f.name), None)
        if file is None or file.stat().st_size > LARGEST:
            return None
        return file.read_bytes().decode("utf-8", "replace")

    def _compact(self, record: Record, time: float | None) -> None:
        """A summary in place of the first messages; the latest of the user's own among them are kept."""
        if self._cuts.full:
            return
        messages = self.assembly.messages
        rest = [i for i in self._shown if messages[i].role != "system"]
        count = record.integer("compactedCount")
        gone = rest if count is None else rest[:count]
        said = [i for i in gone if messages[i].role == "user"]
        kept = record.integer("keptUserMessageCount") or 0
        keep = {*said[len(said) - min(kept, len(said)) :], *rest[len(gone) :]}
        self._cut([i for i in self._shown if i in keep or messages[i].role == "system"], "compacted")
        summary = record.string("contextSummary") or record.string("summary")
        if summary:
            self._add(Message("user", summary, time=time))


def _call(record: Record, name_of_id: str, name_of_arguments: str) -> ToolCall:
    function = record.record("function") if "function" in record else record
    value = function.raw(name_of_arguments)
    arguments = value if isinstance(value, str) else "" if value is None else compact(value)
    return ToolCall(function.string("name"), arguments, record.string(name_of_id) or None)


def _content(record: Record, key: str) -> tuple[str, int, str]:
    """The text of a string, a part or a list of parts, how many parts are no text, and the thinking among them."""
    value = record.raw(key)
    if isinstance(value, str):
        return value, 0, ""
    if isinstance(value, dict):
        record = Record({key: [value]}, record.place, record.report)
    texts: list[str] = []
    thoughts: list[str] = []
    others = 0
    for part in record.records(key):
        if part.raw("type") == "think":
            thoughts.append(part.string("think"))
        elif isinstance(part.raw("text"), str):
            texts.append(part.string("text"))
        else:
            others += 1
    return "\n".join(texts), others, "\n".join(thoughts)


def _usage(usage: Record) -> Usage | None:
    """`inputOther` is what the cache neither gave nor took."""
    fresh, made = usage.integer("inputOther"), usage.integer("output")
    read, written = usage.integer("inputCacheRead"), usage.integer("inputCacheCreation")
    return additive(fresh, read, written, made)
