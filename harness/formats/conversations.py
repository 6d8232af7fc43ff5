"""From requests to conversations: logs that hold every request with its whole prompt.

Such a log repeats each message in every later prompt. Here every message is kept once, and each request shows what its
prompt held: a prompt that only grew needs nothing more; where messages were left out, shortened or replaced, the
transcript says so with a `Cut`. Whether reasoning is sent again, the prompts themselves tell. A request goes on with
the conversation whose logged answer stands in its prompt, or whose latest prompt it repeats; any other begins a
conversation of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.formats.assembly import ORPHAN, Assembly, own_names
from harness.transcript import Cut, Message, Problem, Transcript

NAMESAKES = 8  # conversations that one answer ("Done.") may stand in, the latest of them
CutKind = Literal["cleared", "rewound"]
Key = tuple[object, ...]


@dataclass(frozen=True)
class Logged:
    """One request: the messages of its prompt; the answer, with the results of tools that the server ran behind it
    (nothing if it failed); what was wrong with the record."""

    prompt: list[Message]
    answer: list[Message] = field(default_factory=list)
    tools: tuple[str, ...] | None = None
    problems: tuple[Problem, ...] = ()


class Conversations:
    """Feed it requests in their order in time."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.threads: list[_Thread] = []
        self._by_answer: dict[Key, deque[_Thread]] = {}
        self._by_prompt: dict[int, _Thread] = {}
        self._by_saying: dict[Key, Message] = {}  # answers that no prompt has repeated yet
        self._prompted: set[Key] = set()
        self._renamed: dict[str, str | None] = {}

    def add(self, request: Logged) -> None:
        request = replace(request, prompt=[self._as_logged(message) for message in request.prompt])
        keys = [key_of(message) for message in request.prompt]
        thread = self._thread_of(request, keys)
        if thread is None:
            thread = _Thread(self.place)
            self.threads.append(thread)
        thread.add(request, keys)
        self._by_prompt[hash(tuple(keys))] = thread
        for message in request.answer:
            if message.role == "assistant":
                self._by_answer.setdefault(key_of(message), deque(maxlen=NAMESAKES)).append(thread)
                self._by_saying[saying_of(message)] = message

    def _as_logged(self, message: Message) -> Message:
        """A prompt's message with the call ids of the log, where the client gave its calls ids of its own."""
        if message.role == "assistant" and message.calls and key_of(message) not in self._prompted:
            self._prompted.add(key_of(message))
            logged = self._by_saying.pop(saying_of(message), None)
            for call, known in zip(message.calls, logged.calls if logged else (), strict=False):
                if call.call_id and call.call_id not in self._renamed:
                    self._renamed[call.call_id] = known.call_id
        calls = tuple(replace(c, call_id=self._renamed.get(c.call_id or "", c.call_id)) for c in message.calls)
        result = message.result
        if result is not None and result.call_id in self._renamed:
            result = replace(result, call_id=self._renamed[result.call_id])
        return (
            message
            if (calls, result) == (message.calls, message.result)
            else replace(message, calls=calls, result=result)
        )

    def finish(self, state: Logged) -> None:
        """Messages as they stood in the end, where they are recorded apart: what came after the last request of the
        conversation that they go on with, or (where no request is recorded) the whole conversation."""
        state = replace(state, prompt=[self._as_logged(message) for message in state.prompt])
        keys = [key_of(message) for message in state.prompt]
        thread = self._thread_of(state, keys)
        if thread is None and not self.threads and keys:
            self.add(state)
        elif thread is not None:
            thread.finish(state, keys)

    def transcripts(
        self,
        name: str,
        format_name: str,
        *,
        own: Sequence[str | None] = (),
        cluster: str = "",
        unknown: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Iterator[Transcript]:
        """The conversations; the file's name names one, and several by their `own` names or their numbers."""
        named = own_names(name)
        for number, thread in enumerate(self.threads, 1):
            chosen = named(own[number - 1] if number <= len(own) else None, number)
            yield thread.assembly.transcript(
                name if len(self.threads) == 1 else chosen,
                format_name,
                cluster=cluster,
                tools=thread.tools,
                cuts=tuple(thread.cuts),
                resends_reasoning=thread.resends_reasoning,
                unknown=unknown,
                notes=notes,
            )

    def _thread_of(self, request: Logged, keys: list[Key]) -> _Thread | None:
        """The conversation that a prompt goes on with: of several, the one that it shares most messages with."""
        repeated = self._by_prompt.get(hash(tuple(keys)))
        found = [repeated] if repeated is not None and repeated.latest == keys else []
        for message, key in zip(request.prompt, keys, strict=True):
            if message.role == "assistant":
                found += self._by_answer.get(key, ())
        candidates = {id(thread): thread for thread in reversed(found)}.values()
        return max(candidates, key=lambda thread: sum(key in thread.places for key in keys), default=None)


class _Thread:
    def __init__(self, place: str) -> None:
        self.assembly = Assembly(place)
        self.places: dict[Key, list[int]] = defaultdict(list)
        self.latest: list[Key] = []
        self.shown: list[int] = []
        self.cuts: list[Cut] = []
        self.tools: tuple[str, ...] | None = None
        self.resends_reasoning = False
        self._begun = False
        self._unanswered: Counter[str] = Counter()
        self._answered: set[str] = set()
        self._said: set[str] = set()

    def add(self, request: Logged, keys: list[Key]) -> None:
        self._report(request.problems)
        self.tools = request.tools if self.tools is None else self.tools
        self.resends_reasoning |= any(message.role == "assistant" and message.reasoning for message in request.prompt)
        shown: list[int] = []
        copies: Counter[Key] = Counter()
        grown = list(self.shown)
        for message, key in zip(request.prompt, keys, strict=True):
            if copies[key] == len(self.places[key]):
                grown.append(self._put(message, key, is_request=not self._begun))
            shown.append(self.places[key][copies[key]])
            copies[key] += 1
        if shown != grown:
            before = set(self.shown)
            kept = [index for index in shown if index in before]
            kind: CutKind = "rewound" if shown[: len(kept)] == self.shown[: len(kept)] else "cleared"
            self.cuts.append(Cut(len(self.assembly.messages), tuple(shown), kind))
        self.shown, self.latest, self._begun = shown, keys, True
        for message in request.answer:
            self.shown.append(self._put(message, key_of(message), is_request=True))

    def finish(self, state: Logged, keys: list[Key]) -> None:
        """Append the messages behind the last that is known."""
        known = [at for at, key in enumerate(keys) if key in self.places]
        behind = known[-1] + 1 if known else len(keys)
        for message, key in zip(state.prompt[behind:], keys[behind:], strict=True):
            self.shown.append(self._put(message, key, is_request=False))

    def _put(self, message: Message, key: Key, is_request: bool) -> int:
        if message.result is not None:
            index = self._put_result(message)
        else:
            copied = message.role == "assistant" and not is_request
            index = self.assembly.add(replace(message, copied=copied))
            self._unanswered.update(call.call_id for call in message.calls if call.call_id)
        self.places[key].append(index)
        return index

    def _put_result(self, message: Message) -> int:
        result = message.result
        assert result is not None
        call_id = result.call_id
        if call_id is not None and call_id in self._answered and not self._unanswered[call_id]:
            # The agent shortened a result that it had shown whole: no tool gave this text.
            return self.assembly.add(Message("user", result.content, images=message.images, time=message.time))
        if call_id is not None:
            self._unanswered[call_id] -= 1
            self._answered.add(call_id)
        return self.assembly.put(message)

    def _report(self, problems: Iterable[Problem]) -> None:
        """Each prompt repeats what was wrong in the one before it: say it once."""
        for problem in problems:
            if problem.reason not in self._said:
                self._said.add(problem.reason)
                self.assembly.problems.append(problem)


def key_of(message: Message) -> Key:
    """What makes two copies of a message the same: an answer's echo may lack its reasoning, or have its arguments
    written anew."""
    if message.result is not None:
        return ("tool", message.result.call_id, message.result.content, message.images)
    if message.role == "assistant":
        return ("assistant", message.text.strip(), *((call.name, call.call_id) for call in message.calls))
    return (message.role, message.text, message.images)


def saying_of(message: Message) -> Key:
    """What an answer says, whatever ids its calls have."""
    return ("assistant", message.text.strip(), *((call.name, call.arguments.strip()) for call in message.calls))


def own_problems(assembly: Assembly) -> tuple[Problem, ...]:
    """The problems of one prompt, but for results without a call: those are found again in the conversation."""
    return tuple(problem for problem in assembly.problems if problem.lost or not problem.reason.startswith(ORPHAN))
