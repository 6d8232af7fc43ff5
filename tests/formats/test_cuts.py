"""Rewritten prompts are followed, but not without end."""

from __future__ import annotations

import pytest

from harness.formats.assembly import Assembly
from harness.formats.cuts import MOST_KEPT, Cuts
from harness.testing.formats import read
from harness.transcript import Cut
from tests.formats.test_codex import Rollout


def test_cuts_with_messages_before_and_behind_them_count() -> None:
    cuts = Cuts(Assembly("a.json"))
    assert cuts.latest_at() is None
    for at in (0, 2, 5):
        cuts.add(at, range(at), "rewound")
    assert cuts.latest_at() == 5
    assert cuts.of(5) == (Cut(2, (0, 1), "rewound"),)


def test_too_many_are_a_problem_that_is_told_once() -> None:
    assembly = Assembly("a.json")
    cuts = Cuts(assembly)
    for _ in range(7):
        cuts.add(MOST_KEPT, range(MOST_KEPT // 3), "compacted")
    assert cuts.full
    assert len(cuts.of(MOST_KEPT + 1)) == 3
    assert [p.place for p in assembly.problems] == ["a.json"]


def test_a_session_that_is_compacted_without_end_is_read_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.formats.cuts.MOST_KEPT", 50_000)
    rollout = Rollout()
    for _ in range(500):
        rollout.user("Go.")
        rollout.line("compacted", {"message": "Went."})
    (transcript,), _ = read("r.jsonl", rollout.data())
    assert [p.reason for p in transcript.problems] == [
        "the prompt was rewritten more often than is followed; the rest is left out"
    ]
    assert 40_000 < sum(len(cut.keep) for cut in transcript.cuts) <= 50_000
