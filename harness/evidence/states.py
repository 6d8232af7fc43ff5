"""What a policy leaves of the evidence: each borne atom is visible, reachable, held or lost.

    run = EvidenceRun(find_borne(transcript))
    run.count_all(views)[3].at_risk          # an admission policy: views by message index
    run.count(3, views)                      # a history policy, with the views of that request

When several results bear an atom, the best of them counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from harness.evidence.borne import Borne, BorneAtom, RequestEvidence
from harness.evidence.fields import Parse, argument_json, stored_fields
from harness.evidence.tool_table import shows_parts
from harness.evidence.visibility import Visibility
from harness.policies.rendering import Rendering

State = Literal["visible", "reachable", "held", "lost"]
STATES: tuple[State, ...] = ("visible", "reachable", "held", "lost")
"""From the best to the worst."""


class StateCounts(NamedTuple):
    """Atoms by state."""

    visible: int = 0
    reachable: int = 0
    held: int = 0
    lost: int = 0

    @property
    def borne(self) -> int:
        return sum(self)


class RequestStates(NamedTuple):
    """The borne atoms of one request by state: short ones, and copied runs apart."""

    short: StateCounts
    runs: StateCounts

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
        self.shows_parts = shows_parts(borne.transcript)
        self._visibility = {i: Visibility(borne.texts[i], atoms) for i, atoms in borne.atoms().items()}
        self._fields: dict[tuple[int, Parse], frozenset[bytes]] = {}
        self._equal: dict[tuple[int, int, int, Parse], bool] = {}
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
        for atom in self.borne.requests[request].borne:
            if any(atom.text in seen[source] for source in atom.sources):
                state: State = "visible"
            else:
                state, _ = self._out_of_sight(request, atom, views, parse)
            (runs if atom.kind == "run" else short)[state] += 1
        return RequestStates(StateCounts(*short.values()), StateCounts(*runs.values()))

    def states(
        self, request: int, views: Mapping[int, Rendering], parse: Parse = "recorded"
    ) -> list[tuple[State, int]]:
        """Per borne atom of a request, its state and a result that gives it that state."""
        return [self._state(request, atom, views, parse) for atom in self.borne.requests[request].borne]

    def _state(self, request: int, atom: BorneAtom, views: Mapping[int, Rendering], parse: Parse) -> tuple[State, int]:
        for source in atom.sources:
            if atom.text in self._visibility[source].seen(views[source].text):
                return "visible", source
        return self._out_of_sight(request, atom, views, parse)

    def _out_of_sight(
        self, request: int, atom: BorneAtom, views: Mapping[int, Rendering], parse: Parse
    ) -> tuple[State, int]:
        found: tuple[State, int] = "lost", atom.sources[0]
        for source in atom.sources:
            reach = views[source].reach
            if reach in ("file", "handle-read"):
                return "reachable", source
            if reach == "handle-arg":
                if self.shows_parts or self._referencable(request, atom, source, parse):
                    return "reachable", source
                if found[0] == "lost":
                    found = "held", source
        return found

    def _referencable(self, request: int, atom: BorneAtom, source: int, parse: Parse) -> bool:
        """Whether a reference into the result can stand for every argument that holds the atom."""
        return all(self._named(request, number, source, parse) for number in atom.arguments)

    def _named(self, request: int, number: int, source: int, parse: Parse) -> bool:
        """Whether an argument equals the value of a result or a field of it."""
        key = request, number, source, parse
        if key not in self._equal:
            argument = self.borne.requests[request].arguments[number]
            if (source, parse) not in self._fields:
                result = self.borne.transcript.messages[source].result
                assert result is not None
                self._fields[source, parse] = stored_fields(result, parse)
            self._equal[key] = argument.call >= 0 and argument_json(argument) in self._fields[source, parse]
        return self._equal[key]
