from __future__ import annotations

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.marks import Mark, atom_states, marks
from harness.policies.rendering import Rendering
from tests.evidence.planted import calls, result, transcript


def test_atoms_are_marked_where_they_stand() -> None:
    found = marks('"id\\n": ORD-1001 then ORD-10017 and ORD-1001', {"ORD-1001": "visible"})
    assert [(m.start, m.end) for m in found] == [(8, 16), (36, 44)]


def test_marks_do_not_overlap() -> None:
    found = marks("see lib/alpha_core.py", {"alpha_core.py": "lost", "lib/alpha_core.py": "held"})
    assert found == [Mark(4, 21, "held", "lib/alpha_core.py")]


def test_offsets_are_those_of_the_escaped_text() -> None:
    text = 'r1 = text(head="one\\n\\"caf\\u{e9}_17\\" two")'
    (mark,) = marks(text, {"café_17": "visible"})
    assert text[mark.start : mark.end] == "caf\\u{e9}_17"


def test_the_worst_state_over_requests() -> None:
    run = EvidenceRun(
        find_borne(
            transcript(calls("a"), result("ORD-1001 ORD-2002"), calls({"i": "ORD-1001"}), calls({"i": "ORD-2002"}))
        )
    )
    whole, cut = {1: Rendering("ORD-1001 ORD-2002")}, {1: Rendering("ORD-1001", 9, "file")}
    assert atom_states(run, 1, {0: whole, 1: whole, 2: cut}) == {"ORD-1001": "visible", "ORD-2002": "unknown"}
    assert atom_states(run, 1, {1: cut}) == {"ORD-1001": "visible"}
    assert atom_states(run, 3, {1: cut}) == {}
