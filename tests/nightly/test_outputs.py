"""What a failed night tells, in every form; the history; two runs compared."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.nightly.carry_out import Options
from harness.nightly.engines import Judged
from harness.nightly.night import accept, nightly
from harness.nightly.outputs import Night, write_night
from harness.nightly.outputs.junit import junit
from harness.nightly.read import read_suite
from harness.nightly.verdict import BASELINE, Verdict, ways_to_accept
from harness.nightly.verdicts import verdicts
from harness.runs.groups import read_groups
from harness.runs.run import Run
from harness.show.compare import compare_runs, compare_text
from harness.show.history import history, show_history
from tests.bench.fake import Clock
from tests.nightly.nights import add_transcript, bench_suite, engines, replay_suite
from tests.nightly.test_nightly import plant_constant
from tests.runs.resealed import reseal

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
    assert line.startswith("small: regression: rec/swe_agent/at_risk_requests got worse: 0 → 11 requests; ")
    assert "; cause: policy: limit 100000 → 100; sure: measured exactly; 3 more failed " in line
    assert f"(against {failed[0].baseline})" in line


def test_the_gravest_failure_leads_and_what_is_measured_comes_first(failed: tuple[Verdict, Path]) -> None:
    verdict, _ = failed
    grave = [c.gravity for c in verdict.changes if c.fails]
    assert grave == sorted(grave, reverse=True)
    requests = next(c for c in verdict.changes if c.figure == "at_risk_requests")
    assert requests.worse == float("inf")
    assert requests.gravity == pytest.approx(11 / 12), "of the requests that bear anything"
    live = Judged("a", "new", "turn_seconds", "old", 9, 9, 0.5, (0.4, 0.6), 0.01, 0.1, 0.03, "worse", "", True)
    less = replace(live, figure="decode", effect=0.2, interval=(0.1, 0.3), causes=("engine: build 1 → 2",))
    beside = replace(verdict, judged=(less, live))
    assert beside.failures == [*(c for c in beside.changes if c.fails), live, less]
    assert ways_to_accept(beside) == [BASELINE, "to accept the engine, name new as reference of bench a in the suite"]
    alone = replace(verdict, compared=(), judged=(less,))
    assert ways_to_accept(alone) == ["to accept the engine, name new as reference of bench a in the suite"]
    assert alone.line().startswith(
        "small: regression: a/new/decode got worse: +20 % against old, 95 % interval +10 % to +30 %; "
        "cause: engine: build 1 → 2; sure: p 0.01, and seen again when run again (against "
    )


def test_movers_say_where_the_hidden_atoms_are_and_what_shows_them(
    failed: tuple[Verdict, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict, results = failed
    plant_constant(monkeypatch, limit=100)
    change = next(c for c in verdict.changes if c.figure == "visible_share")
    hidden = change.movers[0].hidden
    assert hidden is not None
    assert 0 < hidden.hidden <= hidden.borne
    words = shlex.split(hidden.command)
    assert words[:2] == ["harness", "show"]
    said = json.loads(CliRunner().invoke(cli, [*words[1:], "--json"], catch_exceptions=False).stdout)[0]
    assert said["request"] == hidden.request
    unseen = [e for e in said["evidence"] if e["state"] != "visible"]
    assert len(unseen) == hidden.hidden
    for atom in hidden.atoms:
        shown = next(e for e in unseen if hashlib.sha256(e["atom"].encode()).hexdigest().startswith(atom.sha256))
        assert (shown["source"], shown["state"], len(shown["atom"])) == (atom.message, atom.state, atom.bytes)
        record = json.loads((results.parent / "rec" / change.movers[0].source).read_text(encoding="utf-8"))
        value = record["messages"][atom.message]["content"].encode()
        assert value[atom.start : atom.start + atom.bytes].decode() == shown["atom"]
        assert shown["atom"] not in json.dumps(verdict.to_record())


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
    said = summary.read_text(encoding="utf-8")
    assert said.startswith("before\n# Something got worse: suite `small`")
    assert "index.html" not in said
    found = ET.parse(tmp_path / "out" / "junit.xml").getroot()
    failing = [c for c in verdict.changes if c.fails]
    assert failing
    assert int(found.get("failures", "0")) == len(failing) == len(found.findall("testcase/failure"))
    assert int(found.get("tests", "0")) == len(found.findall("testcase")) > len(failing)
    badge = json.loads((tmp_path / "out" / "badge.json").read_text(encoding="utf-8"))
    assert badge == {"schemaVersion": 1, "label": "nightly small", "message": f"{len(failing)} worse", "color": "red"}
    feed = ET.parse(tmp_path / "out" / "regressions.atom").getroot()
    assert [e.findtext(f"{ATOM}title") for e in feed.findall(f"{ATOM}entry")] == [verdict.line()]


def test_the_junit_file_is_as_the_schemas_want_it(failed: tuple[Verdict, Path]) -> None:
    """What junit-10.xsd of Jenkins and JUnit.xsd of Apache Ant have in common."""
    verdict, _ = failed
    suite = ET.fromstring(junit(Night(verdict)))
    needed = {"name", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"}
    assert set(suite.keys()) == needed
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
    assert re.fullmatch(r"\d{1,9}\.\d{3}", suite.attrib["time"])
    cases = suite.findall("testcase")
    assert [e.tag for e in suite] == ["properties", *["testcase"] * len(cases), "system-out", "system-err"]
    for case in cases:
        assert set(case.keys()) == {"classname", "name", "time"}
        assert [e.tag for e in case] in ([], ["failure"], ["skipped"])
        assert all(e.get("message") for e in case)
        assert all(e.get("type") for e in case.findall("failure"))
    names = [(case.get("classname"), case.get("name")) for case in cases]
    assert len(names) == len(set(names))
    backwards = ET.fromstring(junit(Night(replace(verdict, finished=verdict.started - 5))))
    assert backwards.get("time") == "0.000"


def test_control_characters_do_not_break_the_xml(failed: tuple[Verdict, Path], tmp_path: Path) -> None:
    verdict, _ = failed
    part = verdict.compared[0]
    change = replace(part.changes[0], policy="a\x00\x1b\r\x85\ud800\uffff<&>😀", fails=True)
    bad = replace(verdict, compared=(replace(part, changes=(change,)),))
    write_night(Night(bad), tmp_path, ["junit", "page"])
    case = ET.parse(tmp_path / "junit.xml").getroot().find("testcase/failure")
    assert case is not None
    assert "<&>😀" in (case.text or "")


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
    assert len(found.to_record()["rows"]) == sum(c.scope == "common" or c.policy == "corpus" for c in verdict.changes)
    same = compare_runs(first, first)
    assert (same.table.records(), same.differs) == ([], [])
    suite = bench_suite(tmp_path, reference=True)
    nightly(suite, tmp_path / "results", Options(), world=engines(Clock()))
    turns = Run(tmp_path / "results" / read_groups(tmp_path / "results")[0].runs["turns"])
    with pytest.raises(HarnessError, match="they have no figure in common"):
        compare_runs(first, turns)
    beside = compare_runs(turns, turns)
    assert {row["said"] for row in beside.to_record()["rows"]} == {"not judged"}
    turns.manifest["environment"]["machine"] = {"cpus": 999}
    elsewhere = compare_runs(Run(turns.directory), turns)
    assert {row["figure"] for row in elsewhere.table.records()} == {
        *("failed_share", "correct_share", "traced_share", "grounded_share", "schema_broken_share", "peak_memory")
    }


def test_the_history(failed: tuple[Verdict, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, results = failed
    frame, steps = history(results, "small")
    assert frame["night"].nunique() == 2
    assert {"rendered_bytes", "input_tokens"} <= set(steps.loc[steps["subject"] == "swe_agent", "figure"])
    assert frame.groupby("night")["accepted"].all().tolist().count(True) == 1
    show_history(results, "small", tmp_path)
    said = capsys.readouterr().out
    assert re.match(r"2 nights, [1-9]", said)
    assert re.search(r"and \d+ more files? in", said)
    folder = tmp_path / "history"
    assert (folder / "history.csv").read_text(encoding="utf-8").count("\n") == 1 + len(frame)
    assert ET.parse(folder / "rec-input_tokens.svg").getroot().tag.endswith("svg")
    with pytest.raises(HarnessError, match="no night of other"):
        history(results, "other")


def test_another_machine_makes_no_step_in_timings(tmp_path: Path) -> None:
    pytest.importorskip("ruptures")
    suite, results = bench_suite(tmp_path, reference=False, tasks=8), tmp_path / "results"
    for n in range(6):
        nightly(suite, results, Options(), world=engines(Clock(1e6 + 86_400 * n), slower=1 + (n >= 3), seed=n))
    slow = history(results, "turns")[1]
    assert set(slow["figure"]) >= {"turn_seconds"}
    for group in read_groups(results)[3:]:
        reseal(results / group.runs["turns"], lambda m: m["environment"]["machine"].update(model="another"))
    frame, steps = history(results, "turns")
    assert frame["machine"].nunique() == 2
    assert len(steps) == 0
