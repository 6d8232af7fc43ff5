"""From what a container recorded of requests to conversations: one way for all containers and dialects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.containers.envelope import answer_of, frame_of, opened, prompt_of, request_of, system_of, tools_of
from harness.formats.conversations import Conversations, Logged, own_problems
from harness.formats.dialects.choice import Dialect, Fit, dialect_of, read_messages, shape_of
from harness.formats.record import Record
from harness.formats.source import HoldsNothing, Source
from harness.transcript import Message, Problem, Transcript, Usage

REFUSED_ONE_BY_ONE = 5


class NoDialect(Exception):
    """Messages that no dialect reads; `str()` names their shape."""


@dataclass(frozen=True)
class Exchange:
    """One request and the response to it, as recorded.

    request, response: an object, a list of messages, one text, or JSON text of those; the response `None` where it was
    not recorded. place: where it stands in the source. The others are what the container itself says of the answer, and
    come before what the response says; times are seconds since the epoch.
    """

    request: Any
    response: Any = None
    place: str = ""
    time: float | None = None
    started: float | None = None
    answer_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    tools: tuple[str, ...] | None = None


class Reader:
    """Turns exchanges into `Logged` requests. It remembers answers, for a request may name the one that it goes on from
    (`previous_response_id`) instead of holding its whole prompt."""

    def __init__(self, source_name: str, preferred: Dialect | None = None) -> None:
        self.source_name = source_name
        self.preferred = preferred
        self._conversation_at: dict[str, list[Message]] = {}

    def logged(self, exchange: Exchange) -> Logged | None:
        """The request, `None` if it holds no messages. Raises `NoDialect` for messages that no dialect reads."""
        place = f"{self.source_name}: {exchange.place}" if exchange.place else self.source_name
        prompt, answer = Assembly(self.source_name), Assembly(self.source_name)
        report = prompt.problems.append
        request = Record(request_of(exchange.request, place), place, report)
        response = opened(exchange.response)
        envelope = Record(response if isinstance(response, dict) else {}, f"{place}.response", report)
        messages = prompt_of(request)
        at = f"{request.at('response')}"
        said = [Record(message, f"{at}[{i}]", report) for i, message in enumerate(answer_of(response))]
        if not messages and not said:
            return None
        system = system_of(request) or (envelope.raw("instructions") if not messages else "")
        if isinstance(system, str) and system:
            prompt.add(Message("system", system))
        for message in self._earlier(request, envelope):
            prompt.put(message)
        dialect = self._dialect_of(messages, self.preferred)
        if dialect is not None:
            read_messages(prompt, messages, dialect)
        if said:
            marked = dialect is not None and any(dialect.fit(m.value) is Fit.OWN for m in messages)
            self._answer(answer, said, dialect if marked or dialect is self.preferred else None)
        elif _holds_something(response):
            report(Problem(at, f"an answer of no known shape, {shape_of(response)}: not read", lost=0))
        answer.messages = _framed(answer.messages, exchange, envelope, request)
        if envelope.string("id"):
            self._conversation_at[envelope.string("id")] = prompt.messages + answer.messages
        tools = tools_of(request) if exchange.tools is None else exchange.tools
        return Logged(prompt.messages, answer.messages, tools, own_problems(prompt))

    def _answer(self, answer: Assembly, said: list[Record], asked_in: Dialect | None) -> None:
        dialect = asked_in
        if dialect is None or any(dialect.fit(message.value) is Fit.NO for message in said):
            dialect = self._dialect_of(said, None)
        assert dialect is not None
        read_messages(answer, said, dialect)

    def _dialect_of(self, messages: list[Record], preferred: Dialect | None) -> Dialect | None:
        values = [message.value for message in messages]
        if preferred is not None and (not values or any(preferred.fit(value) > Fit.NO for value in values)):
            return preferred
        found = dialect_of(values)
        if found is None and values:
            raise NoDialect(f"messages in no known dialect, of the shape {shape_of(values[0])}: not read")
        return found

    def _earlier(self, request: Record, response: Record) -> Iterator[Message]:
        before = request.raw("previous_response_id") or response.raw("previous_response_id")
        if not isinstance(before, str) or not before:
            return
        earlier = self._conversation_at.get(before, [])
        if not earlier:
            request.problem(f"goes on from response {before!r:.60}, which is not recorded: its prompt is not whole", 0)
        yield from (message for message in earlier if message.role != "system")


def _holds_something(response: Any) -> bool:
    """Whether a response is none of an error, and yet not empty."""
    if not isinstance(response, dict):
        return False
    is_error = response.get("error") is not None or response.get("type") == "error"
    return not is_error and any(value not in (None, "", [], {}) for value in response.values())


def _framed(messages: list[Message], exchange: Exchange, response: Record, request: Record) -> list[Message]:
    """An answer's messages with what stands around them."""
    frame = frame_of(response)
    asked_of = frame_of(request).model
    time = frame.time if exchange.time is None else exchange.time
    found = []
    for message in messages:
        timed = replace(message, time=message.time if time is None else time)
        if message.role == "assistant":
            timed = replace(
                timed,
                started=exchange.started,
                message_id=exchange.answer_id or frame.message_id or message.message_id,
                model=exchange.model or frame.model or message.model or asked_of,
                usage=exchange.usage or frame.usage or message.usage,
            )
            frame = Message("assistant", model=frame.model)
            exchange = replace(exchange, answer_id=None, usage=None)
        found.append(timed)
    return found


def conversations_in(
    source: Source,
    format_name: str,
    exchanges: Iterable[Exchange],
    nothing: str,
    others: str = "",
    preferred: Dialect | None = None,
) -> Iterator[Transcript]:
    """The conversations that the exchanges of a source make up.

    nothing: why the source is skipped if no exchange holds messages, with `{}` for how many there were. others: what
    exchanges without messages are called in the notes.
    """
    reader, conversations = Reader(source.name, preferred), Conversations(source.name)
    without, refused = 0, 0
    for exchange in exchanges:
        try:
            logged = reader.logged(exchange)
        except NoDialect as reason:
            refused += 1
            if refused <= REFUSED_ONE_BY_ONE:
                source.problem(exchange.place, str(reason))
            continue
        if logged is None:
            without += 1
        else:
            conversations.add(logged)
    if refused > REFUSED_ONE_BY_ONE:
        source.problem("", "further requests in no known dialect", refused - REFUSED_ONE_BY_ONE)
    if not conversations.threads and not refused:
        raise HoldsNothing(nothing.format(without))
    notes = (f"{without} {others}",) if without and others else ()
    yield from conversations.transcripts(source.name, format_name, notes=notes)
