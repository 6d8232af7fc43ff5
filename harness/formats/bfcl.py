"""BFCL multi-turn results: JSONL files named `.json`, one line a task.

Source: ShishirPatil/gorilla@6ea5797 `bfcl_eval/model_handler/base_handler.py`. What the tools gave back stands in
`inference_log` only, and many result files are without it: those hold nothing to replay. There are no ids: the
results of a step answer its calls in their order. A prompted model writes its calls as text; what of them the log
decoded is taken out of the answer's text, so that nothing counts twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import arguments_text, content_of
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Message, ToolCall, Transcript, Usage

_STEP = re.compile(r"step_(\d{1,9})")
_DECODED = re.compile(r"([\w.]{1,200})\((.*)\)\Z", re.DOTALL)
UNKNOWN = ("what the handler adds to the prompt",)


class Bfcl:
    name = "bfcl"

    def sniff(self, head: Head) -> bool:
        if head.kind not in ("jsonl", "object", "array") or not head.records:
            return False
        return all("id" in record and "result" in record for record in head.records) and any(
            "inference_log" in record or "input_token_count" in record for record in head.records
        )

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        without: list[int] = []
        found = False
        for number, value in _entries(source):
            if not isinstance(value, dict):
                source.problem(f"entry {number}", f"{kind_of(value)} where a result belongs")
            elif not _turns(value):
                without.append(number)
            else:
                found = True
                own = value.get("id")
                name = own if isinstance(own, str) else str(number)
                run = _Run(Record(value, f"{source.name}: entry {number}", _ignore), Assembly(source.name))
                yield run.read(names(name, number), self.name, name)
        if without and not found:
            raise HoldsNothing(
                f"{len(without)} results without an inference log: what the tools gave back is not recorded"
            )
        for number in without:
            source.problem(f"entry {number}", "no inference log: what the tools gave back is not recorded")


class _Run:
    def __init__(self, entry: Record, assembly: Assembly) -> None:
        self.assembly = assembly
        self.entry = Record(entry.value, entry.place, assembly.problems.append)

    def read(self, name: str, format_name: str, cluster: str) -> Transcript:
        for number, turn in enumerate(self.entry.array("inference_log")):
            if not isinstance(turn, (dict, list)):
                self.entry.wrong(f"inference_log[{number}]", turn, "a turn or a state")
        for number, turn in enumerate(_turns(self.entry.value)):
            record = Record(turn, self.entry.at(f"turns[{number}]"), self.assembly.problems.append)
            for message in record.records("begin_of_turn_query"):
                self._prompt(message)
            steps = sorted((int(m[1]), key) for key in turn if (m := _STEP.fullmatch(key)))
            for position, (_, key) in enumerate(steps):
                self._step(list(record.records(key)), self._usage(number, position))
        return self.assembly.transcript(name, format_name, cluster=cluster, unknown=UNKNOWN, run=cluster)

    def _prompt(self, message: Record) -> None:
        text, images = content_of(message)
        if message.raw("role") == "assistant":
            self.assembly.add(Message("assistant", text, images=images, copied=True))
        else:
            role = "system" if message.raw("role") in ("system", "developer") else "user"
            self.assembly.add(Message("system" if role == "system" else "user", text, images=images))

    def _step(self, log: list[Record], usage: Usage | None) -> None:
        decoded: list[Any] = []
        for item in log:
            if item.raw("role") == "handler_log" and not decoded:
                decoded = item.array("model_response_decoded") if "model_response_decoded" in item else []
        for item in log:
            role = item.raw("role")
            if role == "assistant":
                text, calls = _answer(item, decoded)
                reasoning = item.string("reasoning_content")
                self.assembly.add(Message("assistant", text, calls=calls, reasoning=reasoning, usage=usage))
            elif role == "tool":
                content = item.raw("content")
                is_text = isinstance(content, str)
                self.assembly.answer(arguments_text(content), is_json=not is_text)
            elif role not in ("handler_log", "inference_input"):
                self._prompt(item)

    def _usage(self, turn: int, step: int) -> Usage | None:
        counts = [_count(self.entry.raw(key), turn, step) for key in ("input_token_count", "output_token_count")]
        return Usage(counts[0], None, None, counts[1]) if any(counts) else None


def _answer(item: Record, decoded: list[Any]) -> tuple[str, tuple[ToolCall, ...]]:
    content = item.raw("content")
    if isinstance(content, list) and all(isinstance(call, dict) for call in content):
        return "", tuple(ToolCall(name, arguments_text(args)) for call in content for name, args in call.items())
    text = arguments_text(content)
    calls = []
    for call in decoded:
        parts = _DECODED.match(call) if isinstance(call, str) else None
        if parts is not None:
            written = call in text
            text = text.replace(call, "", 1)
            calls.append(ToolCall(parts[1], parts[2] if written else ""))
    return text, tuple(calls)


def _count(value: Any, turn: int, step: int) -> int | None:
    for index in (turn, step):
        value = value[index] if isinstance(value, list) and index < len(value) else None
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e12 else None


def _turns(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The turns of a log; the states of the environment between them are left out."""
    log = value.get("inference_log")
    turns = [turn for turn in log if isinstance(turn, dict)] if isinstance(log, list) else []
    return [turn for turn in turns if "begin_of_turn_query" in turn or any(map(_STEP.fullmatch, turn))]


def _entries(source: Source) -> Iterator[tuple[int, Any]]:
    if source.head().kind == "jsonl":
        yield from source.lines()
        return
    document = source.document()
    yield from enumerate(document if isinstance(document, list) else [document], 1)


def _ignore(_: object) -> None:
    """Whatever is wrong here is reported where the run is read."""
