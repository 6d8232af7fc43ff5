"""Where evidence stands in a text, to be marked in `show` and in the report.

marks(view.text, atom_states(run, source, {request: views}))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.evidence.fields import Parse
from harness.evidence.occurrences import occurrences
from harness.evidence.plain import Plain
from harness.evidence.states import STATES, EvidenceRun, State
from harness.policies.rendering import Rendering


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` of a text hold an atom; state: what became of it under the policy."""

    start: int
    end: int
    state: State
    atom: str


def atom_states(
    run: EvidenceRun, source: int, views_at: Mapping[int, Mapping[int, Rendering]], parse: Parse = "recorded"
) -> dict[str, State]:
    """The worst state of each atom of a result over some requests. views_at: per request (from 0), the renderings."""
    found: dict[str, State] = {}
    for request, views in views_at.items():
        atoms = run.borne.requests[request].borne
        for atom, (state, _) in zip(atoms, run.states(request, views, parse), strict=True):
            if source in atom.sources:
                found[atom.text] = max(found.get(atom.text, state), state, key=STATES.index)
    return found


def marks(text: str, states: Mapping[str, State]) -> list[Mark]:
    """The places of atoms in a text (a value or a rendering), in order and without overlaps: the longer atom wins."""
    plain = Plain(text)
    found = [
        Mark(*plain.raw_span(at, at + len(atom)), state, atom)
        for atom, state in states.items()
        for at in occurrences(atom, plain.text)
    ]
    found.sort(key=lambda mark: (mark.start, -mark.end))
    kept: list[Mark] = []
    for mark in found:
        if mark.start < mark.end and (not kept or mark.start >= kept[-1].end):
            kept.append(mark)
    return kept
