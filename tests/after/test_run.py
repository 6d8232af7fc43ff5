"""The kind from a recording to its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.after.habits import limited_calls, repeats
from harness.after.sections.part import AfterPart
from harness.after.tables import beside_whole
from harness.after.timeline import Timeline
from harness.api import after, read_transcripts
from harness.errors import HarnessError
from harness.formats.corpus import Intake
from harness.show.inspect import describe, inspection_text
from tests.after.made_up import Recording
from tests.conftest import ROOT

LOOP = ROOT / "tests" / "cases" / "repeated-call-loop"
SHARED = ROOT.parent / "shared" / "corpora"


def test_identical_calls_with_identical_results_are_counted(tmp_path: Path) -> None:
    run = after(LOOP, tmp_path)
    (row,) = run.table("transcripts").to_dict("records")
    assert (row["repeated_calls"], row["repeated_groups"], row["longest_repeat"]) == (5, 1, 6)
    assert row["repeated_tokens"] > 0
    assert run.table("results")["act"].tolist() == ["asked the same again"] * 5 + ["went on"]
    assert {(f.name, f.value) for f in run.kind.figures(run)} >= {("cut_results", 6), ("repeated_calls", 5)}


def test_inspect_says_it_in_a_line() -> None:
    facts = [describe(t) for t in read_transcripts(LOOP)]
    said = " ".join(inspection_text(facts, Intake()).split())
    assert "after 6 cut results: asked the same again 5, went on 1; 5 calls repeated an earlier one" in said


def test_another_result_is_no_repeat() -> None:
    recording = Recording()
    for answer in ("a", "b", "a"):
        recording.bash("date | tail -1", answer)
    timeline = Timeline(recording.transcript())
    found = repeats(timeline)
    assert (found.calls, found.groups, found.longest) == (1, 1, 2)
    assert limited_calls(timeline) == 3


def test_a_run_has_a_report_and_a_headline(tmp_path: Path) -> None:
    part = AfterPart(after(LOOP, tmp_path))
    assert part.headline().startswith("6 results of 6 were clipped, spilled or previewed; after 5 of 6")
    assert {section.name for section in part.sections()} == {
        "after",
        "after-marks",
        "after-whole",
        "after-limits",
        "after-habits",
    }
    assert "not identified" in part.whole_text()
    (row,) = beside_whole(part.results)
    assert (row["cut_n"], row["cut_share"], row["whole_n"], row["whole_share"]) == (6, 5 / 6, 0, None)


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing", encoding="utf-8")
    with pytest.raises(HarnessError, match="no recording to look at"):
        after(tmp_path / "a.txt", tmp_path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recordings for development are not here")
def test_cut_results_of_real_agents(tmp_path: Path) -> None:
    results = after([SHARED / name for name in ("openhands-v0", "swe-agent", "mini-swe-agent")], tmp_path).results
    cuts = results[results["cut"] != ""]
    assert sorted(cuts.groupby(["agent", "act"], observed=True).size().items()) == [
        (("mini-swe-agent", "asked narrower"), 1),
        (("mini-swe-agent", "went on"), 3),
        (("openhands-v0", "asked narrower"), 4),
        (("swe-agent", "asked narrower"), 1),
    ]
