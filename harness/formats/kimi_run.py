"""One run of Kimi CLI: its wire events in, a transcript out. A step is one request."""

from __future__ import annotations

from dataclasses import replace

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import additive
from harness.transcript import Message, ToolCall, Transcript

EMPTY = "Tool output is empty."


class KimiRun:
    """`_step` is the answer of the step that is open; it is added when something follows that it did not make."""

    def __init__(self, name: str) -> None:
        self.assembly = Assembly(name)
        self._cuts = Cuts(self.assembly)
        self._step: Message | None = None
        self._compacted = False

    @property
    def holds_messages(self) -> bool:
        return self._step is not None or bool(self.assembly.messages)

    def event(self, message: Record, time: float | None) -> None:
        """Take in one event."""
        kind, payload = message.string("type"), message.record("payload")
        if kind in ("TurnBegin", "SteerInput"):
            self._close()
            text, images = _text(payload, "user_input")
            self.assembly.add(Message("user", text, images=images, time=time))
        elif kind == "StepBegin":
            self._close()
        elif kind == "ContentPart":
            self._part(payload, time)
        elif kind == "ToolCall":
            step = self._open(time)
            call = _call(payload)
            self._step = replace(step, calls=(*step.calls, call), time=time)
        elif kind == "ToolCallPart" and self._step is not None and self._step.calls:
            *before, last = self._step.calls
            grown = replace(last, arguments=last.arguments + payload.string("arguments_part"))
            self._step = replace(self._step, calls=(*before, grown))
        elif kind == "ToolResult":
            self._close()
            self._result(payload, time)
        elif kind == "StatusUpdate":
            self._status(payload)
        elif kind == "CompactionEnd":
            self._close()
            self._compacted = True
            self._cuts.add(len(self.assembly.messages), (), "compacted")

    def transcript(self, format_name: str, transcript_id: str, parent: str | None) -> Transcript:
        self._close()
        return self.assembly.transcript(
            transcript_id,
            format_name,
            cuts=self._cuts.of(len(self.assembly.messages)),
            parent=parent,
            unknown=("model", *(("what a compaction kept",) if self._compacted else ())),
        )

    def _open(self, time: float | None) -> Message:
        return self._step or Message("assistant", time=time)

    def _close(self) -> None:
        if self._step is not None:
            self.assembly.add(self._step)
            self._step = None

    def _part(self, part: Record, time: float | None) -> None:
        step = self._open(time)
        kind = part.string("type")
        if kind == "text":
            step = replace(step, text=step.text + part.string("text"))
        elif kind == "think":
            thought = part.string("think")
            step = replace(step, reasoning=step.reasoning + thought, encrypted=step.encrypted + (not thought))
        else:
            step = replace(step, images=step.images + 1)
        self._step = replace(step, time=time)

    def _status(self, payload: Record) -> None:
        """Usage of the step: `input_other` is what the cache neither gave nor took."""
        tokens = payload.record("token_usage")
        fresh, read = tokens.integer("input_other"), tokens.integer("input_cache_read")
        written, made = tokens.integer("input_cache_creation"), tokens.integer("output")
        usage = additive(fresh, read, written, made)
        if usage is None:
            return
        message_id = payload.string("message_id") or None
        if self._step is not None:
            self._step = replace(self._step, usage=usage, message_id=message_id)
        else:
            self.assembly.amend_last_request(usage=usage)

    def _result(self, payload: Record, time: float | None) -> None:
        value = payload.record("return_value" if "return_value" in payload else "result")
        failed = value.boolean("is_error")
        said = value.string("message")
        notes = [f"ERROR: {said}" if failed else said] if said or failed else []
        output, images = _text(value, "output")
        parts = [f"<system>{note}</system>" for note in notes or ([] if output or images else [EMPTY])]
        self.assembly.answer(
            "\n".join([*parts, *([output] if output else [])]),
            call_id=payload.string("tool_call_id") or None,
            is_error=failed,
            images=images,
            time=time,
        )


def _call(payload: Record) -> ToolCall:
    function = payload.record("function")
    return ToolCall(function.string("name"), function.string("arguments"), payload.string("id") or None)


def _text(record: Record, key: str) -> tuple[str, int]:
    """The text of a string, a part or a list of parts, and how many parts are no text."""
    value = record.raw(key)
    if isinstance(value, str):
        return value, 0
    if isinstance(value, dict):
        record = Record({key: [value]}, record.place, record.report)
    texts: list[str] = []
    others = 0
    for part in record.records(key):
        if isinstance(part.raw("text"), str):
            texts.append(part.string("text"))
        elif part.raw("type") == "think":
            continue
        elif part.raw("type") is None:
            texts.append(compact(part.value))
        else:
            others += 1
    return "\n".join(texts), others
