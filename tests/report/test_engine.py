"""The part of a report on engines against what the engines are known to have answered."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from harness.bench.record import read_envelopes
from harness.bench.sections import throughput, worst
from harness.bench.sections.part import Engines
from harness.errors import HarnessError
from harness.replay.sections.part import Replay
from harness.report.plots.drawing import drawn
from harness.report.report import Report, report_of, report_of_all
from harness.report.section_html import figure
from harness.report.table import Table
from harness.report.write import write_report, write_suite_report
from harness.runs.run import Run
from tests.report.benches import ANSWERS, REPETITIONS, A, B

TURNS = len(ANSWERS) + 3
SECTIONS = {
    *("states", "rates", "correctness", "paired", "ratios", "by_case", "checks", "sources", "by_policy", "confidence"),
    *("gates", "acting", "flags"),
    *("throughput", "times", "claims", "conditions", "confusions", "worst", "rules"),
}


@pytest.fixture(scope="module")
def sections(engines: Engines) -> dict[str, Table]:
    return {section.name: section for section in engines.sections()}


def test_every_section_is_there_with_a_kind_and_a_file(sections: dict[str, Table], bench_written: Path) -> None:
    assert set(sections) == SECTIONS
    for name, section in sections.items():
        assert section.kind in ("live", "measured")
        assert all(len(row) == len(section.headings) for row in section.texts)
        assert list(pd.read_csv(bench_written / "csv" / f"{name}.csv").columns) == list(section.frame.columns)


def test_states_are_those_of_the_answers(sections: dict[str, Table]) -> None:
    found = sections["states"].frame.set_index("engine").loc[A]
    assert found[["turns", "grounded", "flagged", "withheld", "no call", "not reported", "failed"]].tolist() == [
        *(TURNS, 5, 2, 1, 1, 1, 2)
    ]


def test_the_first_screen_names_every_figure_with_its_kind(engines: Engines) -> None:
    screen = engines.screen()
    assert screen.answers.kind == "live"
    found = {screen.answers.heading(c): [cell.text for cell in cells] for c, cells in screen.questions()}
    assert [name for name, _ in screen.heads()] == [A, B]
    assert found["right"] == ["41.7 %", "66.7 %"]
    assert found["grounded, of turns it checked"] == ["62.5 %", "80.0 %"]
    assert found["turns: failed"] == ["2", "1"]
    assert found["peak memory, seen by the system"] == ["40.0 MB", "40.0 MB"]
    assert found["sha256 (recorded)"] == ["weights 00"] * 2
    assert all(fact.kind in ("live", "recorded") for fact in screen.facts)


def test_the_checks_stand_against_each_other_and_against_the_answer(sections: dict[str, Table]) -> None:
    frame = sections["checks"].frame
    cells = ["both", "first_only", "second_only", "neither"]
    own = frame[frame["engine"] == A].set_index(["first", "second"])[cells]
    # Passed: right, unhidden results twice; "passed" and the hidden result are wrong. Flagged but right: "stopped".
    assert own.loc[("engine passes", "right")].tolist() == [3, 2, 1, 2]
    assert own.loc[("harness traces every argument", "right")].tolist() == [5, 1, 0, 3]


def test_what_is_hidden_by_a_policy_is_counted_apart(sections: dict[str, Table]) -> None:
    frame = sections["by_policy"].frame
    own = frame[frame["engine"] == A].set_index(["policy", "turns_with"])
    assert own["turns"].to_dict() == {
        ("identity", "all"): 1,
        ("head:bytes=1000", "all"): 2,
        ("head:bytes=1000", "shown"): 1,
        ("head:bytes=1000", "hidden"): 1,
    }
    assert own.loc[("head:bytes=1000", "hidden"), "right"] == 0
    assert own.loc[("head:bytes=1000", "shown"), "right"] == 1


def test_engines_are_compared_on_the_same_turns(sections: dict[str, Table]) -> None:
    row = sections["paired"].frame.set_index("what").loc["right"]
    assert (row["engine"], row["against"]) == (B, A)
    assert row[["both", "only_engine", "only_against", "neither"]].tolist() == [5, 3, 0, 4]
    assert row["difference"] == pytest.approx(0.25)
    assert row["p"] == pytest.approx(0.25)  # two of the eight ways in which three coins fall are all of a side
    ratio = sections["ratios"].frame.iloc[0]
    assert ratio["low"] < 2 < ratio["high"]


def test_throughput_stands_beside_what_the_engine_reports(sections: dict[str, Table]) -> None:
    frame = sections["throughput"].frame.set_index(["engine", "band", "rate"])
    assert frame.loc[(A, "all", "decode"), "median"] == pytest.approx(200, rel=0.1)
    assert frame.loc[(A, "all", "decode"), "reported"] == pytest.approx(100)
    assert frame["withheld"].sum() == 0
    claims = sections["claims"].frame.set_index(["engine", "claim"])
    assert claims.loc[(A, "decode"), "contradicted"] == claims.loc[(A, "decode"), "turns"] == 4 * REPETITIONS
    assert claims.loc[(B, "decode"), "contradicted"] == 0
    assert claims.loc[(B, "memory"), "contradicted"] > 0


def test_few_tokens_are_withheld(bench_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    few = bench_run.engine.assign(output_tokens=pd.array([2] * len(bench_run.engine), dtype="Int64"))
    part = Engines(bench_run)
    monkeypatch.setitem(part.run._tables, "engine", few)
    section = throughput.section(part)
    assert section is not None
    decode = [row for row in section.texts if row[2] == "decode"]
    assert decode
    assert all("withheld, under 32 tokens" in row for row in decode)
    assert section.frame.set_index("rate").loc["decode", "withheld"].all()


def test_confusions_are_counted_by_name(engines: Engines) -> None:
    assert engines.confusions[A][("set_light", "play_song")] == 1
    assert engines.confusions[A][("(none)", "set_light")] == 1


def test_the_worst_turns_lead_to_task_and_envelope(sections: dict[str, Table], bench_run: Run) -> None:
    frame = sections["worst"].frame
    own = frame[frame["engine"] == A].set_index("task")
    assert own.index[0] == "passed"
    assert own.loc["stopped", "why"].startswith("right, and")
    tasks = bench_run.manifest["settings"]["tasks"][0]
    names = [*ANSWERS]
    assert own.loc["passed", "task_at"] == f"{tasks}:{names.index('passed') + 1}"
    offset = int(re.sub(r"\D", "", own.loc["passed", "journal_at"].partition("byte ")[2].partition(" outcome")[0]))
    line = (bench_run.directory / "journal.jsonl").read_bytes()[offset:].partition(b"\n")[0]
    assert b'"task":"passed"' in line
    assert b'"repetition":1' in line
    envelope = dict(read_envelopes(bench_run.directory))[A, "passed", 1, 1].decode("utf-8")
    assert own.loc["passed", "envelope"] == envelope
    quotes = sections["worst"].quotes
    assert envelope in quotes[0].text
    assert sections["worst"].targets[0] == quotes[0].anchor
    assert len({quote.anchor for quote in quotes}) == len(quotes) == len(frame)


def test_task_files_that_changed_are_not_pointed_into(bench_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bench_run.manifest["tasks"], "sha256", "0")
    section = worst.section(Engines(bench_run))
    assert section is not None
    assert set(section.frame["task_at"]) == {"not where the run read it"}


def test_one_engine_needs_no_column_for_its_name(engines: Engines, sections: dict[str, Table]) -> None:
    assert sections["confusions"].without("turns") == sections["confusions"]  # no name
    checks = sections["checks"]
    narrow = checks.without("engine")
    assert narrow.headings == checks.headings[1:]
    assert narrow.texts == [row[1:] for row in checks.texts]
    assert narrow.records() == checks.records()


def test_the_plots_are_drawn_and_said_in_words(engines: Engines) -> None:
    found = drawn(engines)
    assert [one.plot.name for one in found] == ["right", "reliability", "coverage", "acting", "throughput", "by-policy"]
    assert [one.plot.lead for one in found].count(True) == 1
    for one in found:
        assert A in str(figure(engines, one)["words"])


def test_the_page_has_an_anchor_a_heading_and_a_kind_for_every_section(
    bench_written: Path, sections: dict[str, Table]
) -> None:
    text = (bench_written / "index.html").read_text(encoding="utf-8")
    for name, section in sections.items():
        assert f'<section id="{name}">' in text
        assert f'href="#{name}"' in text
        assert f'{section.title} <span class="kind {section.kind}">' in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert all(target in ids for target in re.findall(r'href="#([^"]+)"', text))


def test_markdown_has_every_section_and_its_links_lead_somewhere(
    bench_written: Path, sections: dict[str, Table]
) -> None:
    text = (bench_written / "report.md").read_text(encoding="utf-8")
    for section in sections.values():
        assert f"## {section.title} ({section.kind})" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 10
    assert all((bench_written / link).exists() for link in links)


def test_the_terminal_shows_the_words_of_the_report_whole(engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "260")
    text = engines.whole_text()
    assert "grounded, of the turns that the engine checked " in text
    assert "every argument traced by the harness, of the turns with arguments " in text


def test_the_same_run_gives_the_same_bytes(bench_run: Run, bench_written: Path, tmp_path: Path) -> None:
    again = write_report(bench_run, tmp_path, ["html", "csv"])[0].parent
    names = [p.relative_to(again) for p in again.rglob("*.*")]
    assert len(names) > 15
    assert all((again / name).read_bytes() == (bench_written / name).read_bytes() for name in names)


def test_the_footer_says_how_to_make_the_run_again(bench_written: Path, bench_run: Run) -> None:
    for name in ("report.md", "index.html"):
        text = (bench_written / name).read_text(encoding="utf-8")
        assert f"harness bench --engine {A} --engine {B} --tasks " in text
        assert bench_run.manifest["tasks"]["sha256"] in text
        assert bench_run.manifest["environment"]["code"][:16] in text


def test_a_suite_has_one_report_of_all_its_runs(
    run: Run, bench_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in (Replay, Engines):
        monkeypatch.setattr(kind, "plots", lambda part: ())
    written = write_suite_report("both-1", "both", {"samples": run, "tiny": bench_run}, tmp_path, ["html", "csv"])
    assert written[0] == tmp_path / "both-1" / "index.html"
    page = written[0].read_text(encoding="utf-8")
    assert "What each policy would have cost" in page
    assert "How engines did" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert all(target in ids for target in re.findall(r'href="#([^"&]+)"', page) if "view=" not in target)
    assert (tmp_path / "both-1" / "csv" / "samples" / "policies.csv").exists()
    assert (tmp_path / "both-1" / "csv" / "tiny" / "rates.csv").exists()


def test_two_parts_of_one_kind_stay_apart(bench_run: Run) -> None:
    report: Report = report_of_all("two", "two", {"one": bench_run, "other": bench_run})
    anchors = [anchor for part in report.parts for anchor in (f"{part.place}-{s}" for s in SECTIONS)]
    assert len(anchors) == len(set(anchors))
    assert report_of(bench_run).parts[0].place == ""


def test_a_run_of_another_kind_is_refused(bench_run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(bench_run.manifest, "command", "dance")
    monkeypatch.delitem(bench_run.__dict__, "kind", raising=False)
    with pytest.raises(HarnessError, match="no kinds called 'dance'; there are: replay, "):
        write_report(bench_run, tmp_path, ["html"])
    assert list(tmp_path.iterdir()) == []
