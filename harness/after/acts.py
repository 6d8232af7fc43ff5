"""What an agent did after a result, by its next calls.

Looked at are the next `within` calls made with the result in sight, and the rest of the last one's request. The first
of them that turns to the result says what was done:

    opened the file       a call names the file that the cut named
    passed the handle     a call names the handle
    asked narrower        the same is asked for with a further filter, range or pattern, or a part of it
    asked the same again  the same tool with the same arguments
    asked otherwise       the same is asked for in another way that is not known to be narrower
    guessed               none of these, and a call holds what only the hidden part shows, or edits the same file by a
                          text that was never shown
    went on               none of these
    not identified        the recording has no later request

After a call that turned back the next calls are looked at again, so that what it took in all can be counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from harness.after.asked import comes_back, is_new
from harness.after.offers import Offer, offer_of
from harness.after.timeline import Made, Timeline
from harness.evidence.atoms import actions, candidates
from harness.evidence.plain import plain
from harness.tool_table import offered, tool

Act = Literal[
    "opened the file", "passed the handle", "asked narrower", "asked the same again", "asked otherwise", "guessed",
    "went on", "not identified",
]  # fmt: skip
ACTS: Final[tuple[Act, ...]] = (
    "opened the file", "passed the handle", "asked narrower", "asked the same again", "asked otherwise", "guessed",
    "went on", "not identified",
)  # fmt: skip
BACK: Final[frozenset[Act]] = frozenset(ACTS[:5])
"""Those that turn to the result once more."""
WITHIN = 2
"""Calls, as for the outcome that decides at a limit (METHOD, section 8)."""
Fate = Literal["right", "wrong", "not there", "ignored"]
SHORTEST_NAME = 8
"""Characters of a file's name that may stand for its path."""


@dataclass
class After:
    """What was done after one result. back: the calls that turned to it. distance: calls up to the first of them, 1 for
    the next. later: calls up to the first that opens the file or passes the handle, however far. fate: what became of
    the file or handle that was named, `None` where none was."""

    message: int
    made: Made | None
    offer: Offer | None
    act: Act
    back: list[Made] = field(default_factory=list)
    distance: int | None = None
    later: int | None = None
    fate: Fate | None = None
    root: int | None = None
    """The cut result that a chain of cut answers began with."""


class Acts:
    """All results of a transcript. `after` holds one entry a result that is the run's own."""

    def __init__(self, timeline: Timeline, within: int = WITHIN) -> None:
        self.timeline = timeline
        self.within = within
        self.messages = timeline.transcript.messages
        self.after = [self._after(i) for i, m in enumerate(self.messages) if m.result is not None and not m.copied]
        self._link()

    def cuts(self) -> list[After]:
        return [after for after in self.after if after.offer is not None]

    def _after(self, message: int) -> After:
        result = self.messages[message].result
        assert result is not None
        made = self.timeline.of.get(result.call) if result.call else None
        offer = offer_of(result)
        found = After(message, made, offer, "went on")
        start = first = self.timeline.first_after(message)
        while (turn := self._turn(made, offer, start)) is not None:
            call, act = turn
            if not found.back:
                found.act, found.distance = act, call.at - first + 1
            found.back.append(call)
            start = call.at + 1
        if not found.back:
            if not self.timeline.goes_on_after(message):
                found.act = "not identified"
            elif offer is not None and any(self._guessed(message, made, c) for c in self._next(first)):
                found.act = "guessed"
        if offer is not None and offer.kind:
            self._told(found, offer, first)
        return found

    def _next(self, start: int) -> list[Made]:
        return self.timeline.next_calls(start, self.within)

    def _turn(self, made: Made | None, offer: Offer | None, start: int) -> tuple[Made, Act] | None:
        """The first of the next calls that turns to the result."""
        looked_at = self._next(start)
        for n, call in enumerate(looked_at):
            if offer is not None and offer.handle and _names_handle(call, offer.handle):
                return call, "passed the handle"
            if offer is not None and offer.file and _names_file(call, offer.file):
                return call, "opened the file"
            if made is None or (how := comes_back(made.asked, call.asked)) is None:
                continue
            if not is_new(call.asked, (before.asked for before in looked_at[:n])):
                return call, _asked[how]
        return None

    def _guessed(self, message: int, made: Made | None, call: Made) -> bool:
        old = call.asked.old_text
        if (
            old.strip()
            and made is not None
            and made.asked.targets & call.asked.targets
            and old not in self._shown(call)
        ):
            return True
        result = self.messages[message].result
        if result is None or result.whole is None:
            return False
        whole = self._wholes[message]
        pieces = [
            piece.text
            for argument in actions(self.messages[call.message])
            if argument.call == call.number
            for piece in candidates(argument.text)
            if piece.text in whole
        ]
        if not pieces:
            return False
        shown = plain(self._shown(call))
        return any(text not in shown for text in pieces)

    @cached_property
    def _wholes(self) -> dict[int, str]:
        return {
            i: plain(m.result.whole) for i, m in enumerate(self.messages) if m.result and m.result.whole is not None
        }

    def _shown(self, call: Made) -> str:
        """All text before a call, as it stood in the prompts."""
        parts: list[str] = []
        for message in self.messages[: call.message]:
            parts.append(message.result.content if message.result is not None else message.text)
            parts += [c.arguments.replace("\\n", "\n").replace('\\"', '"') for c in message.calls]
        return "\n".join(parts)

    def _told(self, found: After, offer: Offer, first: int) -> None:
        """What became of the file or handle."""
        named = _names_handle if offer.handle else _names_file
        used = [call for call in self.timeline.calls[first:] if named(call, offer.handle or offer.file)]
        if not used:
            if not self._has_a_tool_for(offer):
                found.fate = "not there"
            elif self.timeline.goes_on_after(found.message):
                found.fate = "ignored"
            return
        found.later = used[0].at - first + 1
        if not self.timeline.failed(used[0]):
            found.fate = "right"
        else:
            found.fate = "not there" if self.timeline.says_absent(used[0]) else "wrong"

    def _has_a_tool_for(self, offer: Offer) -> bool:
        """Whether the agent has the tool that a cut names, or one that reads files where it names a file; yes where
        its tools are not recorded, since that is not known."""
        if self.timeline.transcript.tools is None or not (offer.tool or offer.file):
            return True
        had = self._tools
        return offer.tool in had if offer.tool else any(tool(name).reads_files or not tool(name).known for name in had)

    @cached_property
    def _tools(self) -> set[str]:
        """Names of the tools that were defined or called."""
        return {*offered(self.timeline.transcript), *(made.call.name for made in self.timeline.calls)}

    def _link(self) -> None:
        """Chains: a call that turns back to several results counts at the latest, and where its own result is cut
        again, that cut goes on from the one before."""
        owner: dict[int, After] = {}
        for after in self.cuts():
            for call in after.back:
                owner[call.at] = after
        for after in self.cuts():
            after.back = [call for call in after.back if owner[call.at] is after]
        for after in self.cuts():
            before = owner.get(after.made.at) if after.made is not None else None
            after.root = after.message if before is None else before.root


_asked: dict[str, Act] = {
    "the same again": "asked the same again",
    "narrower": "asked narrower",
    "otherwise": "asked otherwise",
}


def _names_handle(call: Made, handle: str) -> bool:
    text = call.call.arguments
    at = text.find(handle)
    return at >= 0 and not text[at + len(handle) : at + len(handle) + 1].isalnum()


def _names_file(call: Made, file: str) -> bool:
    text = call.call.arguments.replace("\\\\", "\\")
    name = file.replace("\\", "/").rpartition("/")[2]
    return file in text or (len(name) >= SHORTEST_NAME and name in text)
