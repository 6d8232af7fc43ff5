"""OpenHands of version 1 (the software agent SDK): a directory of `event-NNNNN-<id>.json` files, such a directory
in a zip archive, or a list of events.

Source: OpenHands/software-agent-sdk@611629e `openhands/sdk/event/`. The actions of one response are one answer.
Observations name their action, and that links them, for ids repeat. A condensation takes events out of the prompt
and puts in a summary. Usage is not in the events; `base_state.json` beside the directory names the model.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from harness.formats.archives import opened_zip, read_member
from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text, content_of
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.record import Record, kind_of
from harness.formats.shown import Shown
from harness.formats.source import Head, Source
from harness.transcript import Message, Role, ToolCall, Transcript

_EVENT_FILE = re.compile(r"(?:.*/)?event-(\d+)-[^/]*\.json")
KINDS = ("ActionEvent", "MessageEvent", "ObservationEvent", "SystemPromptEvent", "ConversationStateUpdateEvent")
UNKNOWN = ("the lines about directory and exit code that the agent adds to results",)
STATE = "base_state.json"


class OpenHandsV1:
    name = "openhands-v1"
    parts = _EVENT_FILE
    """Files that are one recording together, in a folder of a mixed archive too."""

    def sniff(self, head: Head) -> bool:
        if head.kind in ("directory", "zip"):
            events = [name for name in head.members if _EVENT_FILE.fullmatch(name)]
            # An archive with other things in it is taken apart by the corpus, so that they are read too.
            rest = [name for name in head.members if not name.endswith(("/", STATE)) and name not in events]
            return bool(events) and (head.kind == "directory" or not rest)
        return head.kind in ("array", "jsonl") and any(_is_event(record) for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        kind = source.head().kind
        if kind == "zip":
            for folder, events in sorted(_in_archive(source).items()):
                name = f"{source.name}#{folder}" if folder else source.name
                yield _Run(source).read(events, name, self.name)
            return
        if kind == "directory":
            events = _in_directory(source)
        elif kind == "jsonl":
            events = [(f"line {number}", value) for number, value in source.lines()]
        else:
            document = source.document()
            if not isinstance(document, list):
                raise Unreadable(f"{kind_of(document)} where a list of events belongs")
            events = [(f"[{number}]", value) for number, value in enumerate(document)]
        yield _Run(source).read(events, source.name, self.name)


def _in_directory(source: Source) -> list[tuple[str, Any]]:
    found = []
    for path in sorted(source.path.iterdir()):
        if _EVENT_FILE.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            try:
                found.append((path.name, parse(path.read_bytes())))
            except Unreadable as error:
                source.problem(path.name, str(error))
    return found


def _in_archive(source: Source) -> dict[str, list[tuple[str, Any]]]:
    found: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    with opened_zip(source) as archive:
        for name in sorted(archive.namelist()):
            if _EVENT_FILE.fullmatch(name):
                try:
                    found[name.rpartition("/")[0]].append((name, parse(read_member(archive, name))))
                except Unreadable as error:
                    source.problem(name, str(error))
    return found


class _Run:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.assembly = Assembly(source.name)
        self.shown = Shown()
        self.calls: dict[str, tuple[int, int]] = {}
        self.answers: dict[str, list[Record]] = defaultdict(list)
        self.tools: tuple[str, ...] | None = None
        self.resends = False

    def read(self, values: list[tuple[str, Any]], name: str, format_name: str) -> Transcript:
        events: list[Record] = []
        for place, value in values:
            if isinstance(value, dict):
                events.append(Record(value, f"{self.source.name}: {place}", self.assembly.problems.append))
            else:
                self.assembly.problem(place, f"{kind_of(value)} where an event belongs")
        for event in events:
            if event.raw("kind") == "ActionEvent":
                self.answers[_response(event)].append(event)
        for event in events:
            self._take(event)
        return self.assembly.transcript(
            name,
            format_name,
            model=self._model(),
            tools=self.tools,
            cuts=tuple(self.shown.cuts),
            resends_reasoning=self.resends,
            unknown=UNKNOWN,
        )

    def _take(self, event: Record) -> None:
        kind = event.raw("kind")
        if kind == "SystemPromptEvent":
            self._put(Message("system", event.record("system_prompt").string("text"), time=_time(event)), event)
            context = event.record("dynamic_context").string("text")
            if context:
                self._put(Message("system", context, time=_time(event)), event)
            self.tools = tuple(map(compact, event.array("tools")))
        elif kind == "MessageEvent":
            self._message(event)
        elif kind == "ActionEvent":
            self._answer(event)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            self._observation(event, str(kind))
        elif kind == "Condensation":
            self._condense(event)
        elif kind == "CondensationSummaryEvent":
            self._put(Message("user", event.string("summary"), time=_time(event)), event)

    def _message(self, event: Record) -> None:
        message = event.record("llm_message")
        text, images = content_of(message)
        added, more = content_of(Record({"content": event.raw("extended_content")}, event.place, event.report))
        if message.raw("role") == "assistant":
            answer = Message(
                "assistant",
                text,
                reasoning=self._reasoning(message),
                images=images,
                message_id=event.text("llm_response_id"),
                time=_time(event),
            )
            self._put(answer, event)
        else:
            role: Role = "system" if message.raw("role") == "system" else "user"
            self._put(Message(role, text + added, images=images + more, time=_time(event)), event)

    def _answer(self, event: Record) -> None:
        """The answer of which this action is one call; its other actions come in with the first."""
        actions = self.answers.pop(_response(event), [])
        if not actions:
            return
        first = actions[0]
        text, images = content_of(Record({"content": first.raw("thought")}, first.place, first.report))
        answer = Message(
            "assistant",
            text,
            calls=tuple(_call(action) for action in actions),
            reasoning=self._reasoning(first),
            images=images,
            message_id=first.text("llm_response_id"),
            time=_time(first),
        )
        at = self.assembly.add(answer)
        self.shown.add(at, map(_id, actions))
        for position, action in enumerate(actions):
            self.calls[_id(action)] = (at, position)

    def _observation(self, event: Record, kind: str) -> None:
        observation = event.record("observation")
        text, images = _observed(event, observation, kind)
        code = observation.raw("exit_code")
        action = event.raw("action_id")
        index = self.assembly.answer(
            text,
            call=self.calls.get(action) if isinstance(action, str) else None,
            call_id=event.text("tool_call_id"),
            name=event.string("tool_name"),
            is_error=observation.boolean("is_error") if kind == "ObservationEvent" else True,
            exit_code=code if isinstance(code, int) and code >= 0 else None,
            images=images,
            time=_time(event),
        )
        self.shown.add(index, [_id(event)])

    def _condense(self, event: Record) -> None:
        forgotten = {i for i in event.array("forgotten_event_ids") if isinstance(i, str)}
        text = event.text("summary")
        summary = None if text is None else self.assembly.add(Message("user", text, time=_time(event)))
        self.shown.forget(forgotten, len(self.assembly.messages), summary, event.integer("summary_offset"))

    def _reasoning(self, record: Record) -> str:
        """Signed blocks of it are sent again; a plain `reasoning_content` is not."""
        thoughts = "".join(block.string("thinking") for block in record.records("thinking_blocks"))
        self.resends = self.resends or bool(thoughts)
        return thoughts or record.string("reasoning_content")

    def _put(self, message: Message, event: Record) -> None:
        self.shown.add(self.assembly.add(message), [_id(event)])

    def _model(self) -> str | None:
        state = self.source.sibling(STATE) if self.source.opener is None and self.source.path.is_dir() else None
        if state is None:
            return None
        try:
            found = parse(state.read_bytes())
        except Unreadable as error:
            self.source.problem(f"{STATE} beside it", str(error))
            return None
        document = Record(found if isinstance(found, dict) else {}, f"{self.source.name}: {STATE}", lambda _: None)
        return document.record("agent").record("llm").text("model")


def _observed(event: Record, observation: Record, kind: str) -> tuple[str, int]:
    if kind == "AgentErrorEvent":
        return event.string("error"), 0
    if kind == "UserRejectObservation":
        return f"Action rejected: {event.string('rejection_reason')}", 0
    if "content" in observation:
        text, images = content_of(observation)
    else:
        texts = (observation.string(key) for key in ("output", "message", "error"))
        text, images = next((t for t in texts if t), ""), 0
    added, more = content_of(Record({"content": event.raw("extended_content")}, event.place, event.report))
    return text + added, images + more


def _call(action: Record) -> ToolCall:
    call = action.record("tool_call")
    function = call.record("function") if "function" in call else call
    name = action.string("tool_name") or function.string("name")
    return ToolCall(name, arguments_text(function.raw("arguments")), action.text("tool_call_id"))


def _response(event: Record) -> str:
    return event.string("llm_response_id") or _id(event)


def _id(event: Record) -> str:
    return event.string("id") or event.place


def _time(event: Record) -> float | None:
    return event.time("timestamp")


def _is_event(record: dict[str, Any]) -> bool:
    return record.get("kind") in KINDS and "id" in record
