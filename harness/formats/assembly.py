"""Putting a transcript together while reading: order, pairing, marks, and the problems met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from harness.formats.clipping import clip_marker
from harness.formats.clumps import with_clumps
from harness.formats.pairing import Pairing
from harness.transcript import Cut, Message, Outcome, Problem, ToolResult, Totals, Transcript, Usage

LONGEST_NAME = 200
ORPHAN = "result without a call"


class Assembly:
    """The messages of one run, in order. A result finds its call and takes over its name."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.messages: list[Message] = []
        self.problems: list[Problem] = []
        self._pairing = Pairing()

    def add(self, message: Message) -> int:
        """Append a message that is no result; its index."""
        self.messages.append(message)
        at = len(self.messages) - 1
        self._pairing.called(at, message.calls)
        return at

    def answer(
        self,
        content: str,
        *,
        call_id: str | None = None,
        call: tuple[int, int] | None = None,
        name: str = "",
        is_json: bool = False,
        is_error: bool | None = None,
        exit_code: int | None = None,
        clipped: str | None = None,
        whole: str | None = None,
        images: int = 0,
        encrypted: int = 0,
        copied: bool = False,
        time: float | None = None,
    ) -> int:
        """Append a tool result; its index. `call` is the place of its call where the recording says it, else the call
        is found by id and position. A result without a call is kept, and is a problem that costs nothing."""
        found = self._pairing.take(call) if call is not None else self._pairing.answer(call_id, name)
        if found is None:
            which = f"id {call_id!r}" if call_id else "no id"
            self.problem(f"messages[{len(self.messages)}]", f"{ORPHAN} ({which})", lost=0)
        result = ToolResult(
            content=content,
            name=name or (found[1].name if found else ""),
            call_id=call_id,
            call=found[0] if found else None,
            is_json=is_json,
            is_error=is_error,
            clipped=clipped or clip_marker(content),
            whole=whole,
            exit_code=exit_code,
        )
        message = Message("tool", result=result, images=images, encrypted=encrypted, copied=copied, time=time)
        self.messages.append(message)
        return len(self.messages) - 1

    def put(self, message: Message) -> int:
        """Append a message that was read elsewhere; a result among them is paired anew. Its index."""
        result = message.result
        if result is None:
            return self.add(message)
        return self.answer(
            result.content,
            call_id=result.call_id,
            name=result.name,
            is_json=result.is_json,
            is_error=result.is_error,
            exit_code=result.exit_code,
            whole=result.whole,
            images=message.images,
            encrypted=message.encrypted,
            copied=message.copied,
            time=message.time,
        )

    def problem(self, place: str, reason: str, lost: int = 1) -> None:
        self.problems.append(Problem(f"{self.place}: {place}" if place else self.place, reason, lost))

    def amend_last_request(self, *, usage: Usage) -> None:
        """Give the last assistant message its usage, where the recording holds it apart."""
        for at in range(len(self.messages) - 1, -1, -1):
            if self.messages[at].role == "assistant":
                self.messages[at] = replace(self.messages[at], usage=usage)
                return

    def transcript(
        self,
        transcript_id: str,
        format_name: str,
        *,
        cluster: str = "",
        model: str | None = None,
        tools: tuple[str, ...] | None = None,
        cuts: tuple[Cut, ...] = (),
        resends_reasoning: bool = False,
        parent: str | None = None,
        unknown: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        run: str = "",
        session: str = "",
        forked_from: str = "",
        task: str = "",
        repetition: str = "",
        agent: str = "",
        version: str = "",
        outcome: Outcome = Outcome(),  # noqa: B008 - frozen
        totals: Totals = Totals(),  # noqa: B008 - frozen
    ) -> Transcript:
        """The finished run. What it cannot tell is `unknown` and whatever of usage, times and definitions is
        nowhere in it."""
        answers = [m for m in self.messages if m.role == "assistant" and not m.copied]
        absent = [
            ("usage", not any(m.usage for m in answers)),
            ("time", not any(m.time is not None for m in self.messages)),
            ("tool definitions", tools is None),
            ("system prompt", not any(m.role == "system" for m in self.messages)),
        ]
        return Transcript(
            id=transcript_id,
            format=format_name,
            messages=tuple(with_clumps(self.messages)),
            cluster=cluster,
            model=model or next((m.model for m in answers if m.model), None),
            tools=tools,
            cuts=cuts,
            resends_reasoning=resends_reasoning,
            parent=parent,
            problems=tuple(dict.fromkeys(self.problems)),
            unknown=tuple(name for name, holds in absent if holds) + unknown,
            notes=notes,
            run=run,
            session=session,
            forked_from=forked_from,
            task=task,
            repetition=repetition,
            agent=agent,
            version=version,
            outcome=outcome,
            totals=totals,
        )


def own_names(source_name: str) -> Callable[[str | None, int], str]:
    """Ids for the runs of one file: the run's own name, or its number where it has none or one that was there
    before."""
    taken: set[str] = set()

    def name(own: str | None, number: int) -> str:
        chosen = (own or str(number))[:LONGEST_NAME]
        while chosen in taken:
            chosen = f"{chosen[:LONGEST_NAME]}.{number}"
        taken.add(chosen)
        return f"{source_name}#{chosen}"

    return name
