"""What a failed night tells, in every form; the history; two runs compared."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from harness.compare.verdict import Verdict
from harness.errors import HarnessError
from harness.reports.night import Night, write_night
from harness.results.groups import read_groups
from harness.results.run import Run
from harness.suite.carry_out import Options
from harness.suite.nightly import accept, nightly, verdicts
from harness.suite.read import read_suite
from harness.views.compare import compare_runs, compare_text
from harness.views.history import history, show_history
from tests.bench.fake import Clock
from tests.suite.nights import add_transcript, bench_suite, engines, replay_suite
from tests.suite.test_nightly import plant_constant

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "<script>alert(1)</script> | `x` [a](b).json"


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Verdict, Path]:
    """A night in which a policy's constant and a transcript of a hostile name are new, and its results."""
    tmp = tmp_path_factory.mktemp("night")
    place, results = replay_suite(tmp), tmp / "results"
    (tmp / "rec" / "run-2.json").rename(tmp / "rec" / HOSTILE.replace("/", "_"))
    nightly(read_suite(place), results, Options())
    accept(read_suite(place), results, "first", 0.0)
    add_transcript(tmp / "rec", 9)
    with pytest.MonkeyPatch.context() as patch:
        plant_constant(patch, limit=100)
        return nightly(read_suite(place), results, Options()), results


def test_the_line_says_what_why_how_much_and_how_sure(failed: tuple[Verdict, Path]) -> None:
    line = failed[0].line()
    assert line.startswith("small: regression: rec/swe_agent/")
    assert "[policy: limit 100000 → 100], sure: measured exactly" in line
    assert f"(against {failed[0].baseline})" in line


def test_every_output(failed: tuple[Verdict, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, results = failed
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    night = Night(verdict, {"rec": "../../r/index.html"}, verdicts(results, "small"))
    written = write_night(night, tmp_path / "out")
    assert [p.name for p in written] == ["night.md", "junit.xml", "summary.md", "badge.json", "regressions.atom"]
    page = (tmp_path / "out" / "night.md").read_text(encoding="utf-8")
    assert page.startswith("# Something got worse: suite `small`")
    assert "## Worse than allowed (exact" in page
    assert "](../../r/index.html)" in page
    assert "<script>" not in page.replace("`<script>", "")
    assert "--accept --why" in page
    assert summary.read_text(encoding="utf-8") == "before\n" + page
    junit = ET.parse(tmp_path / "out" / "junit.xml").getroot()
    failing = [c for c in verdict.changes if c.fails]
    assert failing
    assert int(junit.get("failures", "0")) == len(failing) == len(junit.findall("testcase/failure"))
    assert int(junit.get("tests", "0")) == len(junit) > len(failing)
    badge = json.loads((tmp_path / "out" / "badge.json").read_text(encoding="utf-8"))
    assert badge == {"schemaVersion": 1, "label": "small", "message": f"{len(failing)} worse", "color": "red"}
    feed = ET.parse(tmp_path / "out" / "regressions.atom").getroot()
    assert [e.findtext(f"{ATOM}title") for e in feed.findall(f"{ATOM}entry")] == [verdict.line()]


def test_control_characters_do_not_break_the_xml(failed: tuple[Verdict, Path], tmp_path: Path) -> None:
    verdict, _ = failed
    part = verdict.compared[0]
    change = replace(part.changes[0], policy="a\x00\x1b\ud800<&>", fails=True)
    bad = replace(verdict, compared=(replace(part, changes=(change,)),))
    write_night(Night(bad), tmp_path, ["junit", "page"])
    case = ET.parse(tmp_path / "junit.xml").getroot().find("testcase/failure")
    assert case is not None
    assert "<&>" in (case.text or "")


def test_the_verdict_is_kept_as_json(failed: tuple[Verdict, Path]) -> None:
    verdict, results = failed
    kept = verdicts(results, "small")
    assert [r["state"] for r in kept] == ["inconclusive", "regression"]
    assert kept[-1]["line"] == verdict.line()
    assert len(kept[-1]["changes"]) == len(verdict.changes)


def test_two_runs_compared(failed: tuple[Verdict, Path], tmp_path: Path) -> None:
    verdict, results = failed
    first, second = (Run(results / g.runs["rec"]) for g in read_groups(results))
    found = compare_runs(first, second)
    text = compare_text(found)
    assert "transcripts: 1 added" in text
    assert "swe_agent: policy: limit 100000 → 100" in text
    assert len(found["rows"]) == sum(c.scope == "common" or c.policy == "corpus" for c in verdict.changes)
    same = compare_runs(first, first)
    assert (same["rows"], same["differs"]) == ([], [])
    suite = bench_suite(tmp_path, reference=True)
    nightly(suite, tmp_path / "results", Options(), world=engines(Clock()))
    turns = Run(tmp_path / "results" / read_groups(tmp_path / "results")[0].runs["turns"])
    with pytest.raises(HarnessError, match="they have no figure in common"):
        compare_runs(first, turns)
    beside = compare_runs(turns, turns)
    assert {row[-1] for row in beside["rows"]} == {"not judged"}
    turns.manifest["environment"]["machine"] = {"cpus": 999}
    elsewhere = compare_runs(Run(turns.directory), turns)
    assert {row[1] for row in elsewhere["rows"]} == {"correct_share", "grounded_share"}


def test_the_history(failed: tuple[Verdict, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, results = failed
    frame, steps = history(results, "small")
    assert frame["night"].nunique() == 2
    assert {"rendered_bytes", "input_tokens"} <= set(steps.loc[steps["subject"] == "swe_agent", "figure"])
    assert frame.groupby("night")["accepted"].all().tolist().count(True) == 1
    show_history(results, "small", tmp_path)
    said = capsys.readouterr().out
    assert "2 nights" in said
    folder = tmp_path / "history"
    assert (folder / "history.csv").read_text(encoding="utf-8").count("\n") == 1 + len(frame)
    assert ET.parse(folder / "rec-input_tokens.svg").getroot().tag.endswith("svg")
    with pytest.raises(HarnessError, match="no night of other"):
        history(results, "other")


def test_another_machine_makes_no_step_in_timings(tmp_path: Path) -> None:
    pytest.importorskip("ruptures")
    suite, results = bench_suite(tmp_path, reference=False, tasks=8), tmp_path / "results"
    for n in range(8):
        nightly(suite, results, Options(), world=engines(Clock(1e6 + 86_400 * n), slower=1 + (n >= 4), seed=n))
    slow = history(results, "turns")[1]
    assert set(slow["figure"]) >= {"turn_seconds"}
    for group in read_groups(results)[4:]:
        place = results / group.runs["turns"] / "manifest.json"
        manifest = json.loads(place.read_text(encoding="utf-8"))
        manifest["environment"]["machine"]["model"] = "another"
        place.write_text(json.dumps(manifest), encoding="utf-8")
    frame, steps = history(results, "turns")
    assert frame["machine"].nunique() == 2
    assert len(steps) == 0
