"""OpenHands of version 0: the `history` of events in an evaluation's `output.jsonl`, or a list of events.

Source: All-Hands-AI/OpenHands@156d068 `openhands/events/serialization/event.py`. An action with
`tool_call_metadata` holds the model's whole response; the actions of one response are one answer. Observations
name their action (`cause`), and that links them, for ids repeat. Older files hold pairs of action and
observation, or flat events without ids. A condensation takes events out of the prompt and puts in a summary.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import calls_of, content_of, reasoning_of
from harness.formats.instances import repository_of
from harness.formats.json_text import Unreadable, compact
from harness.formats.outcomes import limits_of, spent, used
from harness.formats.record import Record, kind_of
from harness.formats.shown import Shown
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, Outcome, ToolCall, Totals, Transcript

SILENT_OBSERVATIONS = ("null", "agent_state_changed", "recall", "condense")
SILENT_ACTIONS = ("null", "change_agent_state", "recall", "condensation_request", "start", "pause", "resume")
FRAME = (
    "id",
    "timestamp",
    "source",
    "message",
    "action",
    "args",
    "cause",
    "timeout",
    "tool_call_metadata",
    "llm_metrics",
)
LONGEST_REASON = 120
UNKNOWN = ("the lines about directory and exit code that the agent adds to results", "recalled context")


class OpenHandsV0:
    name = "openhands-v0"

    def sniff(self, head: Head) -> bool:
        if head.kind in ("jsonl", "object"):
            return any(_has_history(record) for record in head.records)
        return head.kind == "array" and any(_is_event(record) for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        if source.head().kind == "jsonl":
            yield from self._lines(source)
            return
        document = source.document()
        if isinstance(document, list):
            document = {"history": document}
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a run belongs")
        if not document.get("history"):
            raise HoldsNothing("a run without its events: only the patch was kept")
        yield _Run(Record(document, source.name, _ignore), Assembly(source.name)).read(source.name, self.name)

    def _lines(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        empty = found = 0
        for number, value in source.lines():
            if not isinstance(value, dict):
                source.problem(f"line {number}", f"{kind_of(value)} where a run belongs")
            elif not isinstance(value.get("history"), list) or not value["history"]:
                empty += 1
            else:
                found += 1
                own = value.get("instance_id")
                name = names(own if isinstance(own, str) else None, number)
                record = Record(value, f"{source.name}: line {number}", _ignore)
                yield _Run(record, Assembly(source.name)).read(name, self.name)
        if empty and not found:
            raise HoldsNothing(f"{empty} runs without their events: only the patches were kept")


class _Run:
    def __init__(self, document: Record, assembly: Assembly) -> None:
        self.assembly = assembly
        self.document = Record(document.value, document.place, assembly.problems.append)
        self.shown = Shown()
        self.answers: dict[str, int] = {}
        self.calls: dict[str, tuple[int, int]] = {}
        self.tools: tuple[str, ...] | None = None
        self.refused = 0

    def read(self, name: str, format_name: str) -> Transcript:
        for event in _flat(self.document):
            if "observation" in event:
                self._observation(event)
            elif "action" in event:
                self._action(event)
            else:
                event.problem("neither an action nor an observation")
        instance = self.document.record("instance")
        return self.assembly.transcript(
            name,
            format_name,
            cluster=instance.string("repo") or repository_of(self.document.string("instance_id")),
            model=self.document.record("metadata").record("llm_config").text("model"),
            tools=self.tools,
            cuts=tuple(self.shown.cuts),
            unknown=UNKNOWN,
            notes=(f"{self.refused} refused answers are not in the recording",) if self.refused else (),
            task=self.document.string("instance_id"),
            agent=self.document.record("metadata").string("agent_class"),
            outcome=self._outcome(),
            totals=self._totals(),
        )

    def _outcome(self) -> Outcome:
        """The evaluation's report, where it was written into the run, and the first line of the error that ended it."""
        reports = (self.document.record("report"), self.document.record("test_result").record("report"))
        passed = next((found for report in reports if (found := report.boolean("resolved")) is not None), None)
        error = self.document.raw("error")
        reason = error.partition("\n")[0].strip()[:LONGEST_REASON] if isinstance(error, str) else ""
        limits = {"steps": self.document.record("metadata").raw("max_iterations")}
        return Outcome(passed, None, reason, limits_of(limits))

    def _totals(self) -> Totals:
        metrics = self.document.record("metrics")
        tokens = metrics.record("accumulated_token_usage")
        return Totals(
            None,
            used(tokens.raw("prompt_tokens")),
            used(tokens.raw("completion_tokens")),
            spent(metrics.raw("accumulated_cost")),
        )

    def _action(self, event: Record) -> None:
        action = event.raw("action")
        args = event.record("args")
        if action == "system":
            self._put(Message("system", args.string("content"), time=event.time("timestamp")), event)
            tools = args.array("tools")
            self.tools = tuple(map(compact, tools)) or self.tools
        elif action == "message" and event.raw("source") == "user":
            images = len(args.array("image_urls") or args.array("images_urls"))
            self._put(Message("user", args.string("content"), images=images, time=event.time("timestamp")), event)
        elif action == "condensation":
            self._condense(args)
        elif action not in SILENT_ACTIONS and event.raw("source") in ("agent", None):
            self._answer(event, args)

    def _answer(self, event: Record, args: Record) -> None:
        metadata = event.record("tool_call_metadata")
        response = metadata.record("model_response")
        choice = next(iter(response.records("choices")), None)
        said = response.string("id")
        if choice is None:
            at = self._put(_answer_from_action(event, args if args.value else event), event)
        elif said and said in self.answers:
            at = self.answers[said]
            self.shown.also(at, _id(event))
        else:
            message = choice.record("message")
            text, images = content_of(message)
            at = self._put(
                Message(
                    "assistant",
                    text,
                    calls=calls_of(message),
                    reasoning=reasoning_of(message),
                    images=images,
                    message_id=said or None,
                    model=response.text("model"),
                    time=event.time("timestamp"),
                    usage=usage_of(response.record("usage")),
                ),
                event,
            )
            self.answers[said] = at
        call_id = metadata.text("tool_call_id")
        calls = self.assembly.messages[at].calls
        position = next((i for i, c in enumerate(calls) if c.call_id == call_id), 0)
        if calls:
            self.calls[_id(event)] = (at, position)

    def _observation(self, event: Record) -> None:
        kind = event.raw("observation")
        if kind is None or kind in SILENT_OBSERVATIONS:
            return
        if kind == "error" and "cause" not in event and "tool_call_metadata" not in event:
            self.refused += 1
            self._put(Message("user", event.string("content"), time=event.time("timestamp")), event)
            return
        extras = event.record("extras")
        code = extras.record("metadata").raw("exit_code")
        code = extras.raw("exit_code") if code is None else code
        cause = event.raw("cause")
        place = self.calls.get(str(cause)) if isinstance(cause, (int, str)) else None
        index = self.assembly.answer(
            event.string("content"),
            call=place,
            call_id=event.record("tool_call_metadata").text("tool_call_id"),
            is_error=True if kind == "error" else None,
            exit_code=code if isinstance(code, int) and code >= 0 else None,
            images=len(extras.array("image_urls")),
            time=event.time("timestamp"),
        )
        self.shown.add(index, [_id(event)])

    def _condense(self, args: Record) -> None:
        forgotten = {str(i) for i in args.array("forgotten_event_ids")}
        start, end = args.integer("forgotten_events_start_id"), args.integer("forgotten_events_end_id")
        if start is not None and end is not None:
            known = (int(e) for e in self.calls if e.isdigit())
            forgotten |= {str(i) for i in range(start, min(end, max(known, default=0) + 1000) + 1)}
        text = args.text("summary")
        summary = None if text is None else self.assembly.add(Message("user", text))
        at = len(self.assembly.messages)
        self.shown.forget(forgotten, at, summary, args.integer("summary_offset"))

    def _put(self, message: Message, event: Record) -> int:
        at = self.assembly.add(message)
        self.shown.add(at, [_id(event)])
        return at


def _answer_from_action(event: Record, args: Record) -> Message:
    """An action whose response was not kept: its thought, and its other arguments as a call."""
    time = event.time("timestamp")
    action = event.raw("action")
    if action in ("message", "finish") or not isinstance(action, str):
        text = (
            args.string("content") or args.string("final_thought") or args.string("thought") or event.string("message")
        )
        return Message("assistant", text, time=time)
    fields = {key: value for key, value in args.value.items() if args is not event or key not in FRAME}
    thought = fields.get("thought")
    arguments = {key: value for key, value in fields.items() if key != "thought"}
    call = ToolCall(action, compact(arguments))
    return Message("assistant", thought if isinstance(thought, str) else "", calls=(call,), time=time)


def _flat(document: Record) -> Iterator[Record]:
    """The events, out of pairs where the file has pairs."""
    history = document.array("history")
    if any(isinstance(event, list) for event in history):
        history = [event for pair in history for event in (pair if isinstance(pair, list) else [pair])]
    yield from Record({"history": history}, document.place, document.report).records("history")


def _id(event: Record) -> str:
    found = event.raw("id")
    return str(found) if isinstance(found, (int, str)) else event.place


def _is_event(record: dict[str, Any]) -> bool:
    return "kind" not in record and (
        ("action" in record and ("args" in record or "source" in record))
        or ("observation" in record and "content" in record)
    )


def _has_history(record: dict[str, Any]) -> bool:
    history = record.get("history")
    if not isinstance(history, list) or "trajectory" in record:
        return False
    first = history[0] if history else None
    first = first[0] if isinstance(first, list) and first else first
    if isinstance(first, dict):
        return _is_event(first) or "observation" in first or ("action" in first and "role" not in first)
    return not history and "instance_id" in record and "test_result" in record


def _ignore(_: object) -> None:
    """Whatever is wrong here is reported where the run is read."""
