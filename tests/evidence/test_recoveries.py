from __future__ import annotations

from harness.evidence import EvidenceRun, find_borne
from harness.evidence.recoveries import recoveries
from harness.policies.rendering import Reach, Rendering
from tests.evidence.planted import answer, calls, result, transcript, with_atom


def text(*at: int, size: int = 10_000) -> str:
    held = with_atom(f"ITEM-{at[0]:05}", at[0], size)
    for offset in at[1:]:
        atom = f"ITEM-{offset:05}"
        held = f"{held[: offset - 1]} {atom} {held[offset + len(atom) + 1 :]}"
    return held


def cut(reach: Reach = "file") -> Rendering:
    return Rendering("cut", 10_000, reach, "r1")


def test_atoms_in_one_window_are_one_recovery() -> None:
    run = EvidenceRun(
        find_borne(transcript(calls("a"), result(text(1000, 1500, 7000)), answer("ITEM-01000 ITEM-01500 ITEM-07000")))
    )
    found = recoveries(run, 1, {1: cut()}, page_bytes=2000)
    assert [(r.request, r.source, r.window, r.start, r.end, r.atoms) for r in found] == [
        (1, 1, 0, 1000, 1510, 2),
        (1, 1, 3, 7000, 7010, 1),
    ]
    assert [(r.atoms, r.start, r.end) for r in recoveries(run, 1, {1: cut()})] == [(3, 1000, 7010)]


def test_what_is_visible_needs_none() -> None:
    run = EvidenceRun(find_borne(transcript(calls("a"), result(text(1000, 7000)), answer("ITEM-01000 ITEM-07000"))))
    found = recoveries(run, 1, {1: Rendering(text(1000)[:2000], 8000, "none")}, page_bytes=2000)
    assert [(r.window, r.state, r.reach) for r in found] == [(3, "lost", "none")]
    assert recoveries(run, 1, {1: Rendering(text(1000, 7000))}, page_bytes=2000) == []
    assert recoveries(run, 0, {1: cut()}, page_bytes=2000) == []


def test_what_a_reference_can_stand_for_needs_none() -> None:
    value = '{"id": "ITEM-01000", "note": "with ITEM-02000 in it"}'
    run = EvidenceRun(
        find_borne(
            transcript(calls("a"), result(value, is_json=True), calls({"id": "ITEM-01000", "q": "x ITEM-02000"}))
        )
    )
    found = recoveries(run, 1, {1: Rendering("r1 {id, note}", 40, "handle-arg", "r1")})
    assert [(r.state, r.atoms) for r in found] == [("held", 1)]
    assert [(r.state, r.atoms) for r in recoveries(run, 1, {1: cut("handle-read")})] == [("reachable", 2)]


def test_a_window_that_is_fetched_anyway_serves_a_second_place() -> None:
    value = text(1000, 7000)
    value = f"{value[:7100]} ITEM-01000 {value[7111:]}"
    run = EvidenceRun(find_borne(transcript(calls("a"), result(value), answer("ITEM-07000 ITEM-01000"))))
    assert [(r.window, r.atoms) for r in recoveries(run, 1, {1: cut()}, page_bytes=2000)] == [(3, 2)]


def test_windows_are_in_bytes() -> None:
    value = "é" * 1000 + text(1000, size=2000)
    run = EvidenceRun(find_borne(transcript(calls("a"), result(value), answer("ITEM-01000"))))
    assert [(r.start, r.window) for r in recoveries(run, 1, {1: cut()}, page_bytes=1000)] == [(3000, 3)]
