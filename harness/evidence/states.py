"""What a policy leaves of the evidence: each dependency is visible, reachable, held or lost (METHOD, section 3).

    run = EvidenceRun(find_borne(transcript))
    run.count_all(views)[3].at_risk          # an admission policy: views by message index
    run.count(3, views)                      # a history policy, with the views of that request

When several results bear an atom, the best of them counts. Reachable is only what this agent has a tool for, or what a
reference can stand for by a path that it has seen; where a tool is not in the tool table it may read files, and what
only such a tool can show is counted apart, as *reachable, tool unknown*. So is, within held, what a reference could
stand for if the model guessed its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from harness.evidence.borne import Borne, BorneAtom, RequestEvidence
from harness.evidence.fields import Parse, StoredFields, argument_json, stored_fields
from harness.evidence.reach import SHOWN, Shown, shows_handle, shows_place
from harness.evidence.visibility import Visibility
from harness.policies.rendering import Rendering
from harness.tool_table import toolset

State = Literal["visible", "reachable", "unknown", "held", "lost"]
STATES: tuple[State, ...] = ("visible", "reachable", "unknown", "held", "lost")
"""From the best to the worst."""


class StateCounts(NamedTuple):
    """Atoms by state. unknown: reachable if a tool that the table does not know reads files."""

    visible: int = 0
    reachable: int = 0
    unknown: int = 0
    held: int = 0
    lost: int = 0

    @property
    def borne(self) -> int:
        return sum(self)


class RequestStates(NamedTuple):
    """The borne atoms of one request by state: short ones, and copied runs apart. guessed: of those that are held, a
    reference could stand for them if the model guessed its path."""

    short: StateCounts
    runs: StateCounts
    guessed: int = 0

    @property
    def every(self) -> StateCounts:
        """Short atoms and runs together."""
        return StateCounts(*(a + b for a, b in zip(self.short, self.runs, strict=True)))

    @property
    def bears(self) -> bool:
        """Whether the request bears any atom."""
        return any(self.short) or any(self.runs)

    @property
    def at_risk(self) -> bool:
        """Whether an atom that it bears is not visible."""
        return any(self.short[1:]) or any(self.runs[1:])

    @property
    def all_visible(self) -> bool:
        """Whether it bears atoms and all of them are visible."""
        return self.bears and not self.at_risk


def _in_full(request: RequestEvidence) -> RequestStates:
    """The states where all is visible."""
    runs = sum(1 for atom in request.borne if atom.kind == "run")
    return RequestStates(StateCounts(len(request.borne) - runs), StateCounts(runs))


class EvidenceRun:
    """The evidence of one transcript, to be counted under any number of policies: what they render alike is searched
    once.

    `parse` is how a policy with handles takes results for JSON (its setting of that name); others do not need it.
    """

    def __init__(self, borne: Borne) -> None:
        self.borne = borne
        self.tools = toolset(borne.transcript)
        self._visibility = {i: Visibility(borne.texts[i], atoms) for i, atoms in borne.atoms().items()}
        self._fields: dict[tuple[int, Parse], StoredFields] = {}
        self._filed: dict[tuple[int, str], Shown] = {}
        self._sources = [frozenset(s for atom in request.borne for s in atom.sources) for request in borne.requests]
        self._in_full = [_in_full(request) for request in borne.requests]

    def count_all(self, views: Mapping[int, Rendering], parse: Parse = "recorded") -> list[RequestStates]:
        """Per request, the states under an admission policy, whose renderings never change."""
        cut = {i for i, held in self._visibility.items() if not held.is_whole(views[i].text)}
        return [
            in_full if cut.isdisjoint(sources) else self._count(k, views, parse)
            for k, (sources, in_full) in enumerate(zip(self._sources, self._in_full, strict=True))
        ]

    def count(self, request: int, views: Mapping[int, Rendering], parse: Parse = "recorded") -> RequestStates:
        """The states at a request (from 0), given the current rendering of each result by message index."""
        if all(self._visibility[i].is_whole(views[i].text) for i in self._sources[request]):
            return self._in_full[request]
        return self._count(request, views, parse)

    def _count(self, request: int, views: Mapping[int, Rendering], parse: Parse) -> RequestStates:
        seen = {i: self._visibility[i].seen(views[i].text) for i in self._sources[request]}
        short, runs = dict.fromkeys(STATES, 0), dict.fromkeys(STATES, 0)
        guessed = 0
        for atom in self.borne.requests[request].borne:
            if any(atom.text in seen[source] for source in atom.sources):
                state: State = "visible"
            else:
                state, source = self._not_visible(request, atom, views, parse)
                guessed += state == "held" and self.could_refer(request, atom, source, parse)
            (runs if atom.kind == "run" else short)[state] += 1
        return RequestStates(StateCounts(*short.values()), StateCounts(*runs.values()), guessed)

    def states(
        self, request: int, views: Mapping[int, Rendering], parse: Parse = "recorded"
    ) -> list[tuple[State, int]]:
        """Per borne atom of a request, its state and a result that gives it that state."""
        return [self._state(request, atom, views, parse) for atom in self.borne.requests[request].borne]

    def _state(self, request: int, atom: BorneAtom, views: Mapping[int, Rendering], parse: Parse) -> tuple[State, int]:
        for source in atom.sources:
            if atom.text in self._visibility[source].seen(views[source].text):
                return "visible", source
        return self._not_visible(request, atom, views, parse)

    def _not_visible(
        self, request: int, atom: BorneAtom, views: Mapping[int, Rendering], parse: Parse
    ) -> tuple[State, int]:
        return min(
            ((self._state_in(request, atom, source, views[source], parse), source) for source in atom.sources),
            key=lambda found: STATES.index(found[0]),
        )

    def _state_in(self, request: int, atom: BorneAtom, source: int, view: Rendering, parse: Parse) -> State:
        """The state that one result gives an atom which does not stand in its rendering."""
        shown = self.shown_again(atom.text, source, view)
        if shown == "yes" or self.refers(request, atom, source, view, parse):
            return "reachable"
        if shown == "unknown":
            return "unknown"
        return "held" if view.handle is not None and view.reach == "handle-arg" else "lost"

    def shown_again(self, atom: str, source: int, view: Rendering) -> Shown:
        """Whether a tool of the agent can show some place of an atom in a result."""
        if view.reach != "file":
            return shows_handle(self.tools, view.reach)
        known = self._filed.get((source, atom))
        if known is None:
            value = self.borne.texts[source].raw
            answers = {shows_place(self.tools, value, *span) for span in self.borne.spans(source, atom)}
            known = self._filed[source, atom] = min(answers, key=SHOWN.index, default="no")
        return known

    def refers(self, request: int, atom: BorneAtom, source: int, view: Rendering, parse: Parse) -> bool:
        """Whether references by paths that a rendering shows can stand for every argument that holds an atom."""
        return view.handle is not None and all(
            self._stored(source, parse).seen(argument, view) for argument in self._arguments(request, atom)
        )

    def could_refer(self, request: int, atom: BorneAtom, source: int, parse: Parse) -> bool:
        """The same, by any path."""
        return all(self._stored(source, parse).paths(argument) for argument in self._arguments(request, atom))

    def _arguments(self, request: int, atom: BorneAtom) -> list[bytes]:
        """The arguments that hold an atom, as compact JSON; an answer can hold no reference."""
        found = [self.borne.requests[request].arguments[number] for number in atom.arguments]
        return [argument_json(argument) if argument.call >= 0 else b"" for argument in found]

    def _stored(self, source: int, parse: Parse) -> StoredFields:
        if (source, parse) not in self._fields:
            result = self.borne.transcript.messages[source].result
            assert result is not None
            self._fields[source, parse] = stored_fields(result, parse)
        return self._fields[source, parse]
