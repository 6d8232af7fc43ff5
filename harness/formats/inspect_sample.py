"""One sample of an Inspect AI log: its model events, or its messages, as conversations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.conversations import Conversations, Logged, own_problems
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import compact
from harness.formats.outcomes import amount, limits_of
from harness.formats.record import Record
from harness.formats.usage import either
from harness.transcript import Message, Outcome, ToolCall, Totals, Transcript, Usage

ATTACHMENT = "attachment://"
SCORERS = ("scorer", "scorers")
MOST_REPEATS = 4
GRADES: dict[object, tuple[bool | None, float]] = {
    "C": (True, 1.0), "I": (False, 0.0), "N": (False, 0.0), "P": (None, 0.5), True: (True, 1.0), False: (False, 0.0)
}  # fmt: skip
"""Correct, incorrect, no answer, partly, as `value_to_float` counts them; the numbers 1 and 0 equal true and false."""


@dataclass(frozen=True)
class Log:
    """What the head of a log says of all samples."""

    task: str = ""
    agent: str = ""
    limits: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, evaluation: Record) -> Log:
        config = evaluation.record("config")
        return cls(
            evaluation.string("task"),
            evaluation.string("solver"),
            limits_of({name: config.raw(f"{name}_limit") for name in ("message", "token", "time", "working", "cost")}),
        )


class Sample:
    def __init__(self, record: Record) -> None:
        self.record = record
        attachments = record.value.get("attachments")
        self.attachments: dict[str, Any] = attachments if isinstance(attachments, dict) else {}
        pool = record.value.get("message_pool")
        data = record.value.get("events_data")
        pool = data.get("messages") if isinstance(data, dict) and not pool else pool
        self.pool: list[Any] = pool if isinstance(pool, list) else []

    @property
    def name(self) -> str:
        """`id-epoch`, as the members of an archive are called."""
        return f"{_label(self.record.raw('id'))}-epoch-{_label(self.record.raw('epoch'))}"

    def transcripts(self, source_name: str, name: str, format_name: str, log: Log) -> Iterator[Transcript]:
        """The main conversation under the sample's name, and those of its sub-agents behind it."""
        conversations = Conversations(source_name)
        for event in self._model_events():
            conversations.add(self._logged(event))
        final = self._messages(self.record.raw("messages"), self.record.at("messages"))
        conversations.finish(final)
        cluster = f"{log.task} {_label(self.record.raw('id'))}".strip()
        main = f"{source_name}#{name}"
        for number, run in enumerate(conversations.transcripts(main, format_name, cluster=cluster)):
            named = replace(
                run, task=_label(self.record.raw("id")), repetition=_label(self.record.raw("epoch")), agent=log.agent
            )
            if number:
                yield replace(named, id=f"{main}/{number}", parent=main, run=f"{name}/{number}")
            else:
                seconds = amount(self.record.raw("total_time"))
                outcome = self._outcome(log.limits)
                yield replace(named, id=main, run=name, outcome=outcome, totals=Totals(seconds=seconds))

    def _outcome(self, limits: tuple[tuple[str, float], ...]) -> Outcome:
        """What the scorers say: one grade where there is one scorer or all agree, else none."""
        scores = self.record.record("scores")
        grades = {_grade(scores.record(name).raw("value")) for name in scores.value}
        passed, score = grades.pop() if len(grades) == 1 else (None, None)
        limit = self.record.record("limit").string("type")
        failed = "error" if self.record.raw("error") else ""
        return Outcome(passed, score, f"{limit} limit" if limit else failed, limits)

    def _model_events(self) -> Iterator[Record]:
        """The requests of the agents: not those that were made while scoring."""
        scoring: set[object] = set()
        depth = 0
        for event in self.record.records("events"):
            kind = event.raw("event")
            if kind == "span_begin" and (event.raw("type") in SCORERS or event.text("parent_id") in scoring):
                scoring.add(event.text("id"))
            elif kind == "step" and event.raw("type") == "scorer":
                depth += 1 if event.raw("action") == "begin" else -1
            elif kind == "model" and depth <= 0 and event.text("span_id") not in scoring and not _grades(event):
                yield event

    def _logged(self, event: Record) -> Logged:
        prompt = Assembly(self.record.place)
        event = Record(event.value, event.place, prompt.problems.append)
        refs = event.raw("input_refs")
        values = self._referenced(refs, event) if isinstance(refs, list) else event.array("input")
        for message in Record({"input": values}, event.place, prompt.problems.append).records("input"):
            self._add(prompt, message)
        answer = Assembly(self.record.place)
        output = event.record("output")
        for choice in list(output.records("choices"))[:1]:
            self._add(answer, choice.record("message"), role="assistant")
        started = event.time("timestamp")
        spent = output.raw("time")
        ended = event.time("completed")
        if ended is None and started is not None and isinstance(spent, (int, float)):
            ended = started + spent
        answer.messages = [
            replace(
                message,
                time=ended if ended is not None else started,
                started=started if ended is not None else None,
                model=output.text("model") or event.text("model"),
                usage=_usage(output.record("usage")),
            )
            for message in answer.messages
        ]
        tools = tuple(compact(tool) for tool in event.array("tools"))
        return Logged(prompt.messages, answer.messages, tools, own_problems(prompt))

    def _referenced(self, refs: list[Any], event: Record) -> list[Any]:
        """The messages that ranges of the pool name."""
        found: list[Any] = []
        for ref in refs:
            pair = ref if isinstance(ref, list) else [ref, ref + 1] if isinstance(ref, int) else []
            if len(pair) != 2 or not all(isinstance(i, int) and 0 <= i <= len(self.pool) for i in pair):
                event.problem(f"no such messages in the pool: {ref!r:.60}")
            elif len(found) > MOST_REPEATS * len(self.pool):
                event.problem("names the messages of the pool again and again")
                break
            else:
                found += self.pool[pair[0] : pair[1]]
        return found

    def _messages(self, values: Any, place: str) -> Logged:
        assembly = Assembly(self.record.place)
        record = Record({"messages": values}, place.removesuffix(".messages"), assembly.problems.append)
        for message in record.records("messages"):
            self._add(assembly, message)
        return Logged(assembly.messages, problems=own_problems(assembly))

    def _add(self, assembly: Assembly, message: Record, role: str | None = None) -> None:
        said = role or message.string("role")
        text, thoughts, others, hidden = self._content(message)
        if said == "assistant":
            calls = tuple(self._call(call) for call in message.records("tool_calls"))
            assembly.add(Message("assistant", text, calls=calls, reasoning=thoughts, images=others, encrypted=hidden))
        elif said == "tool":
            error = message.raw("error")
            if not text and isinstance(error, dict):
                text = self._text(message.record("error").string("message"))
            assembly.answer(
                text,
                call_id=message.text("tool_call_id"),
                name=message.string("function"),
                is_error=True if error is not None else None,
                images=others,
            )
        elif said in ("system", "user"):
            assembly.add(Message("system" if said == "system" else "user", text, images=others))
        else:
            message.problem(f"unknown role {said!r:.60}")

    def _content(self, message: Record) -> tuple[str, str, int, int]:
        """Text, reasoning, parts that are neither, and reasoning that is hidden."""
        content = message.raw("content")
        if content is None or isinstance(content, str):
            return self._text(content or ""), "", 0, 0
        texts: list[str] = []
        thoughts: list[str] = []
        others = hidden = 0
        for part in message.records("content"):
            kind = part.string("type")
            if kind == "text":
                texts.append(self._text(part.string("text")))
            elif kind == "reasoning" and part.raw("redacted") is True:
                hidden += 1
            elif kind == "reasoning":
                thoughts.append(self._text(part.string("reasoning")))
            else:
                others += 1
        return "".join(texts), "".join(thoughts), others, hidden

    def _call(self, call: Record) -> ToolCall:
        function = call.raw("function")
        name = function if isinstance(function, str) else call.record("function").string("name")
        return ToolCall(name, arguments_text(self._resolved(call.raw("arguments"))), call.text("id"))

    def _text(self, text: str) -> str:
        found = self.attachments.get(text.removeprefix(ATTACHMENT)) if text.startswith(ATTACHMENT) else None
        return found if isinstance(found, str) else text

    def _resolved(self, value: Any) -> Any:
        """Arguments with their references followed, as deep as real ones go."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {key: self._text(v) if isinstance(v, str) else v for key, v in value.items()}
        return value


def _grade(value: object) -> tuple[bool | None, float | None]:
    """Whether a sample passed, and its score; a number other than 0 and 1 is a score on a scale of its own."""
    if isinstance(value, (str, bool, int, float)) and value in GRADES:
        return GRADES[value]
    return None, amount(value)


def _grades(event: Record) -> bool:
    return bool(event.raw("role") == "grader")


def _usage(record: Record) -> Usage | None:
    """Whether `input_tokens` holds what was read from the cache differs by provider; `total_tokens` tells."""
    given, output = record.integer("input_tokens"), record.integer("output_tokens")
    read, written = record.integer("input_tokens_cache_read"), record.integer("input_tokens_cache_write")
    return either(given, read, written, output, record.integer("total_tokens"))


def _label(value: Any) -> str:
    return str(value) if isinstance(value, (int, str)) else "unknown"
