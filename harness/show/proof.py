"""The proof of a figure of evidence: what the answer to a request takes, where the source result has it, and what a
policy showed of it; under one policy, or under one against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import Policy
from harness.evidence.marks import Mark, marks
from harness.evidence.states import STATES, State
from harness.report.secrets import Mask
from harness.show.excerpts import Line, Piece, excerpt
from harness.show.show import Prompts, PromptView, body, cut_up, shortened
from harness.show.source_place import place_of
from harness.text import count, harmless, number

WHOLE = 24
"""A rendering of so many lines stands whole."""


@dataclass(frozen=True)
class Shown:
    """What a policy showed of a result. counts: of what the answer takes from it, by state, in words."""

    policy: str
    counts: str
    hides: bool
    lines: list[Line]


@dataclass(frozen=True)
class Source:
    """A result that the answer takes from. heading: tool and message. place: in the source file. pieces: each that is
    taken, with its state by policy, in words; the hidden ones first."""

    message: int
    heading: str
    place: str
    taken: list[tuple[str, list[State]]]
    recorded: list[Line]
    shown: list[Shown]


@dataclass(frozen=True)
class Proof:
    """Of one request. summary: a sentence a policy. answer: its text, with what it takes marked."""

    transcript: str
    request: int
    requests: int
    policies: list[str]
    summary: list[str]
    answer: list[Piece]
    sources: list[Source]


def prove(prompts: Prompts, policies: Sequence[Policy], request: int, path: Path | None, mask: Mask | None) -> Proof:
    """policies: one, or one and that against which it is held."""
    views = [prompts.view(policy, request) for policy in policies]
    transcript = prompts.transcript
    states = [_states(view) for view in views]
    by_source: dict[int, list[str]] = {}
    for taken in views[0].taken:
        by_source.setdefault(taken.source, []).append(taken.atom)
    answer = body(transcript.messages[transcript.requests()[request - 1]], False)
    ordered = sorted(by_source, key=lambda s: (-sum(states[0][a] != "visible" for a in by_source[s]), s))
    return Proof(
        hide(mask, transcript.id),
        request,
        views[0].requests,
        [view.policy for view in views],
        [_summary(view) for view in views],
        _pieces(answer, marks(answer, states[0]), mask),
        [_source(prompts, views, states, source, by_source[source], path, mask) for source in ordered],
    )


def _source(
    prompts: Prompts,
    views: list[PromptView],
    states: list[dict[str, State]],
    source: int,
    atoms: list[str],
    path: Path | None,
    mask: Mask | None,
) -> Source:
    result = prompts.transcript.messages[source].result
    value = result.value if result else ""
    atoms = sorted(atoms, key=lambda a: -STATES.index(states[0][a]))
    spans = marks(value, {atom: states[0][atom] for atom in atoms})
    name = result.name if result and result.name else "(unknown tool)"
    first = next((m for m in spans if m.state != "visible"), spans[0] if spans else Mark(0, 0, "visible", ""))
    return Source(
        source,
        f"message {source}, result of {hide(mask, name)}, {count(len(value))} characters",
        hide(mask, place_of(path, value, first.start, first.end)),
        [(hide(mask, shortened(atom)), [found[atom] for found in states]) for atom in atoms],
        excerpt(_pieces(value, spans, mask)),
        [_shown(view, found, source, atoms, mask) for view, found in zip(views, states, strict=True)],
    )


def _shown(view: PromptView, states: Mapping[str, State], source: int, atoms: list[str], mask: Mask | None) -> Shown:
    entry = next((e for e in view.entries if e.index == source), None)
    own = [states[atom] for atom in atoms]
    counts = ", ".join(f"{own.count(state)} {state}" for state in STATES if state in own)
    if entry is None:
        return Shown(view.policy, counts, True, [Line(None, (("not in this prompt", False),))])
    found = marks(entry.text, {atom: states[atom] for atom in atoms if states[atom] == "visible"})
    return Shown(
        view.policy, counts, any(s != "visible" for s in own), excerpt(_pieces(entry.text, found, mask), whole=WHOLE)
    )


def _states(view: PromptView) -> dict[str, State]:
    return {taken.atom: taken.state for taken in view.taken}


def _summary(view: PromptView) -> str:
    own = [taken.state for taken in view.taken]
    if not own:
        return f"under {view.policy}, the answer takes nothing that only a tool result had shown"
    states = ", ".join(f"{own.count(state)} {state}" for state in STATES if state in own)
    return f"under {view.policy}, of {number(len(own), 'piece')} that only tool results had shown: {states}"


def _pieces(text: str, found: list[Mark], mask: Mask | None) -> list[Piece]:
    parts = cut_up(text, found)
    return mask.pieces(parts) if mask else parts


def hide(mask: Mask | None, text: str) -> str:
    return harmless(mask(text) if mask else text)
