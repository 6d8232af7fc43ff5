"""What an agent would have to fetch again under a policy, and how: one rule for every policy (METHOD, section 4).

    ways = Ways(EvidenceRun(find_borne(transcript)))
    ways.needs(3, views)                   # one for each dependency of request 3 that is not visible

Of all ways the cheapest counts: a reference by a path that was seen (no call); a read of a file or handle by a tool
that this agent has; a re-run, if the tool table says that the tool is read-only and that this call can be narrowed, and
nothing that may write lies between. The last is open whatever the policy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from harness.evidence.borne import BorneAtom
from harness.evidence.fields import Parse
from harness.evidence.reach import Shown, shows_handle
from harness.evidence.states import EvidenceRun
from harness.policies.rendering import Rendering
from harness.tool_table import tool
from harness.transcript import ToolCall, Transcript

Way = Literal["reference", "read", "rerun", "unknown", "none"]
WAYS: tuple[Way, ...] = ("reference", "read", "rerun", "unknown", "none")
"""From the cheapest. unknown: a read, if a tool that the table does not know reads files."""


@dataclass(frozen=True, slots=True)
class Need:
    """A dependency of a request (from 0) that is not visible there.

    source: message of the result from which it is cheapest had. pair: that of the first result that holds it, which
    with the request names the pair, under all policies alike. spans: its places in the value of `source`, in bytes of
    UTF-8.
    """

    request: int
    source: int
    pair: int
    way: Way
    spans: tuple[tuple[int, int], ...]


class Ways:
    """The ways of one transcript's agent back to what a policy leaves out."""

    def __init__(self, run: EvidenceRun) -> None:
        self.run = run
        self.transcript = run.borne.transcript
        self._writes = _writes(self.transcript)

    def needs(self, request: int, views: Mapping[int, Rendering], parse: Parse = "recorded") -> list[Need]:
        """One for each dependency of a request that is not visible in the renderings of its results."""
        found = []
        atoms = self.run.borne.requests[request].borne
        for atom, (state, _) in zip(atoms, self.run.states(request, views, parse), strict=True):
            if state == "visible":
                continue
            open_ways = [(self._way(request, atom, source, views[source], parse), source) for source in atom.sources]
            way, source = min(open_ways, key=lambda one: WAYS.index(one[0]))
            spans = tuple(self.run.borne.byte_spans(source, atom.text))
            found.append(Need(request, source, atom.sources[0], way, spans))
        return found

    def _way(self, request: int, atom: BorneAtom, source: int, view: Rendering, parse: Parse) -> Way:
        if self.run.refers(request, atom, source, view, parse):
            return "reference"
        return self._first(self.run.shown_again(atom.text, source, view), request, source)

    def to_some_part(self, request: int, source: int, view: Rendering) -> Way:
        """The way to some part of a result, whichever: of a file, to the start of its lines."""
        tools = self.run.tools
        filed: Shown = "yes" if tools.readers else "unknown" if tools.unknown else "no"
        return self._first(filed if view.reach == "file" else shows_handle(tools, view.reach), request, source)

    def _first(self, shown: Shown, request: int, source: int) -> Way:
        if shown == "yes":
            return "read"
        if self.can_run_again(request, source):
            return "rerun"
        return "unknown" if shown == "unknown" else "none"

    def can_run_again(self, request: int, source: int) -> bool:
        """Whether the call of a result, narrowed, would surely give a part of it again at a request."""
        result = self.transcript.messages[source].result
        if result is None or result.call is None:
            return False
        message, number = result.call
        call = self.transcript.messages[message].calls[number]
        if not tool(call.name, self.transcript.format).can_be_narrowed(call):
            return False
        until = self.run.borne.requests[request].shown.message
        at = bisect_left(self._writes, message)
        return at == len(self._writes) or self._writes[at] >= until


def _writes(transcript: Transcript) -> list[int]:
    """Messages with a call that may change something: any that the tool table does not say changes nothing."""
    return [i for i, message in enumerate(transcript.messages) if any(_may_write(c, transcript) for c in message.calls)]


def _may_write(call: ToolCall, transcript: Transcript) -> bool:
    return not tool(call.name, transcript.format).changes_nothing(call)
