"""What each action bears: the atoms of it that came from tool results and from nowhere else.

An atom at request k is borne if it stands in the whole value of a result that the prompt of k shows, and in nothing
else that this prompt holds: not in system or user messages, not in the tool definitions, not in the model's own
earlier words. This depends on the transcript alone; what a policy leaves of it is told in `harness.evidence.states`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from harness.evidence.atoms import Argument, Candidate, Kind, actions, candidates
from harness.evidence.background import Background, background
from harness.evidence.index import Index
from harness.evidence.occurrences import is_number, occurrences
from harness.evidence.plain import Plain, units
from harness.evidence.prompts import Shown, shown_prompts
from harness.evidence.runs import copied_runs
from harness.evidence.spanless import Spanless, spanless_uses
from harness.transcript import Transcript


@dataclass(frozen=True, slots=True)
class BorneAtom:
    """text: in plain form. sources: messages of the results that bear it, all in the prompt. arguments: numbers, in the
    request's arguments, of those it stands in."""

    text: str
    kind: Kind
    sources: tuple[int, ...]
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RequestEvidence:
    """The evidence of one request.

    shown: its prompt. unsourced: atoms that occur nowhere before. dropped: atoms that only results bore which the
    recorder had already taken out of the prompt. known: atoms that something else than a result told, too. spanless:
    how it may have used results without leaving a span.
    """

    shown: Shown
    arguments: tuple[Argument, ...]
    borne: tuple[BorneAtom, ...]
    unsourced: int
    dropped: int
    known: int
    spanless: tuple[Spanless, ...]


@dataclass
class Borne:
    """The evidence of a transcript, request by request; `find_borne` makes it. texts: of the results that bear any."""

    transcript: Transcript
    requests: list[RequestEvidence]
    texts: dict[int, Plain] = field(repr=False)

    def atoms(self) -> dict[int, list[str]]:
        """Per result, in order, the atoms that it bears for any request."""
        found: dict[int, dict[str, None]] = {i: {} for i in self.texts}
        for request in self.requests:
            for atom in request.borne:
                for source in atom.sources:
                    found[source][atom.text] = None
        return {source: list(atoms) for source, atoms in found.items()}

    def spans(self, source: int, atom: str) -> list[tuple[int, int]]:
        """The ranges of characters of a result's value in which an atom stands."""
        text = self.texts[source]
        return [text.raw_span(start, start + len(atom)) for start in occurrences(atom, text.text)]

    def byte_spans(self, source: int, atom: str) -> list[tuple[int, int]]:
        """The same in bytes of UTF-8."""
        raw, spans = self.texts[source].raw, self.spans(source, atom)
        if raw.isascii():
            return spans
        found: list[tuple[int, int]] = []
        done = length = 0
        for start, end in spans:
            length += utf8_length(raw[done:start])
            done = start
            found.append((length, length + utf8_length(raw[start:end])))
        return found

    def value_bytes(self, source: int) -> int:
        """Length of a result's value in bytes of UTF-8."""
        return utf8_length(self.texts[source].raw)


def utf8_length(text: str) -> int:
    """Bytes of UTF-8; a lone surrogate counts three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def find_borne(transcript: Transcript, common: Background | None = None) -> Borne:
    """The evidence of every request of a transcript. `common` replaces the background that comes with the package."""
    prompts = shown_prompts(transcript)
    acted = {shown.message: tuple(actions(transcript.messages[shown.message])) for shown in prompts}
    common = common or background()
    pieces = {a.text: _uncommon(candidates(a.text), common) for arguments in acted.values() for a in arguments}
    wanted = frozenset(units("\n".join(piece.text for found in pieces.values() for piece in found)))
    index = Index(transcript, acted, wanted)
    search = _Search(transcript, transcript.results(), index, pieces, common)
    requests = [search.request(shown, acted[shown.message]) for shown in prompts]
    bearing = sorted({source for request in requests for atom in request.borne for source in atom.sources})
    return Borne(transcript, requests, {i: index.results[i] for i in bearing})


def _uncommon(found: Iterable[Candidate], common: Background) -> list[Candidate]:
    """Those that do not stand in the background. A quoted string may, and still hold others that do not."""
    return [candidate for candidate in found if candidate.kind == "quoted" or not common.has(candidate.text)]


@dataclass
class _Search:
    transcript: Transcript
    result_messages: list[int]
    index: Index
    pieces: dict[str, list[Candidate]]
    common: Background

    def request(self, shown: Shown, arguments: tuple[Argument, ...]) -> RequestEvidence:
        found: dict[Candidate, list[int]] = {}
        unsourced: set[str] = set()
        for n, argument in enumerate(arguments):
            for candidate in self.pieces[argument.text]:
                for piece in self._resolved(candidate, shown, unsourced):
                    found.setdefault(piece, []).append(n)
            for run in copied_runs(argument.text, shown, self.index):
                if Candidate(run, "quoted") not in found and not self.common.has(run):
                    found.setdefault(Candidate(run, "run"), []).append(n)
        borne: list[BorneAtom] = []
        known = dropped = 0
        for piece, numbers in found.items():
            inside = shown.of(self.index.messages(piece.text))
            if not inside:
                dropped += 1
            elif all(i in self.index.results for i in inside):
                borne.append(BorneAtom(piece.text, piece.kind, tuple(inside), tuple(dict.fromkeys(numbers))))
            else:
                known += 1
        return RequestEvidence(
            shown, arguments, tuple(borne), len(unsourced), dropped, known, self._spanless(shown, unsourced)
        )

    def _spanless(self, shown: Shown, unsourced: set[str]) -> tuple[Spanless, ...]:
        message = self.transcript.messages[shown.message]
        uses = spanless_uses(message, any(is_number(text) for text in unsourced))
        return uses if uses and shown.of(self.result_messages) else ()

    def _resolved(self, candidate: Candidate, shown: Shown, unsourced: set[str]) -> Iterator[Candidate]:
        """The largest pieces that occur before; what occurs nowhere is added to `unsourced`."""
        holders = self.index.messages(candidate.text)
        if shown.of(holders):
            if candidate.kind != "quoted" or not self.common.has(candidate.text):
                yield candidate
            return
        inside = _uncommon(candidate.parts(), self.common)
        parts = [part for inner in inside for part in self._resolved(inner, shown, unsourced)]
        if parts:
            yield from parts
        elif any(i < shown.message and i in self.index.results for i in holders):
            yield candidate
        elif candidate.kind != "quoted":
            unsourced.add(candidate.text)
            unsourced.difference_update(inner.text for inner in inside)
