"""What each exporter writes of a small run, and that it writes the same again."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pandas as pd
import pytest

from harness.errors import HarnessError
from harness.replay.sections.part import Replay
from harness.replay.sections.summary import ALL
from harness.report.csv import defused
from harness.report.markup import code, escaped
from harness.report.write import write_report
from harness.runs.run import Run
from harness.text import count
from tests.report.recordings import POLICIES, TASKS


def test_an_unknown_exporter_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"no exporters called 'pdf'"):
        write_report(run, tmp_path / "reports", ["html", "pdf"])
    assert not (tmp_path / "reports").exists()


def test_only_what_was_asked_for_is_written(run: Run, tmp_path: Path) -> None:
    assert write_report(run, tmp_path, ["csv"])[0] == tmp_path / run.id / "csv" / "policies.csv"
    assert [p.name for p in (tmp_path / run.id).iterdir()] == ["csv"]


def test_the_same_run_gives_the_same_bytes(run: Run, written: Path, tmp_path: Path) -> None:
    again = write_report(run, tmp_path, ["html", "md", "csv", "rows"])[0].parent
    before = {p.relative_to(written): hashlib.sha256(p.read_bytes()).hexdigest() for p in written.rglob("*.*")}
    after = {p.relative_to(again): hashlib.sha256(p.read_bytes()).hexdigest() for p in again.rglob("*.*")}
    assert len(before) > 15
    assert before == after


def test_the_page_holds_every_figure_of_the_policies(written: Path, report: Replay) -> None:
    text = (written / "index.html").read_text(encoding="utf-8")
    for row in report.summary.part(ALL):
        assert f">{count(row.input_tokens)}</td>" in text
    assert text.count('class="kind measured"') > 10
    assert 'class="kind recorded"' in text
    assert 'class="kind estimated"' in text
    assert f"<b>{TASKS + 1} transcripts</b>" in text
    assert "notes.txt" in text
    assert "more.jsonl: line 2" in text


def test_the_page_needs_no_network_and_runs_only_its_own_script(written: Path) -> None:
    text = (written / "index.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1] or "default-src 'none'" in policy[1]
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    assert f"'sha256-{base64.b64encode(digest).decode()}'" in policy[1]
    outside = text.replace("http://www.w3.org/", "")
    assert "http://" not in re.sub(r"<(?:code|dd)[^>]*>.*?</(?:code|dd)>", "", outside, flags=re.DOTALL)


def test_every_table_has_a_caption_and_headings_with_scope(written: Path) -> None:
    text = (written / "index.html").read_text(encoding="utf-8")
    tables = re.findall(r"<table.*?</table>", text, flags=re.DOTALL)
    assert len(tables) > 8
    assert all("<caption" in t and 'scope="col"' in t and 'scope="row"' in t for t in tables)


def test_every_plot_is_described_for_those_who_cannot_see_it(written: Path) -> None:
    text = (written / "index.html").read_text(encoding="utf-8")
    plots = re.findall(r'<div class="plot" role="img" aria-label="([^"]+)"', text)
    assert len(plots) == text.count("<figure>") >= 4
    assert all("head:bytes=500" in words for words in plots)


def test_ids_of_plots_do_not_meet(written: Path) -> None:
    ids = re.findall(r' id="([^"]+)"', (written / "index.html").read_text(encoding="utf-8"))
    assert len(ids) == len(set(ids)) > 10


def test_markdown_shows_the_policies_and_its_links_lead_to_files(written: Path, report: Replay) -> None:
    text = (written / "report.md").read_text(encoding="utf-8")
    for row in report.summary.part(ALL):
        assert re.search(rf"\| `{re.escape(row.policy)}` +\| +{count(row.input_tokens)} \|", text)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 8
    assert all((written / link).exists() for link in links)
    assert "```bibtex" in text


def test_the_command_that_makes_the_run_again_is_there(written: Path, report: Replay) -> None:
    text = (written / "report.md").read_text(encoding="utf-8")
    command = re.search(r"- command: `(harness replay [^`]+)`", text)
    assert command is not None
    assert all(f"--policy {p}" in command[1] for p in POLICIES)
    assert report.run.manifest["corpus"]["sha256"] in text


def test_csv_files_hold_the_tables_whole(written: Path, report: Replay) -> None:
    assert not (written / "csv" / "requests.csv").exists()
    for name in ("requests", "results", "transcripts"):
        frame = pd.read_csv(written / "csv" / "rows" / f"{name}.csv")
        own = getattr(report.run, name)
        assert list(frame.columns) == list(own.columns)
        assert len(frame) == len(own)
    policies = pd.read_csv(written / "csv" / "policies.csv").query("part == 'all'").set_index("policy")
    assert policies["input_tokens"].to_dict() == {r.policy: r.input_tokens for r in report.summary.part(ALL)}


def test_defusing_touches_text_only() -> None:
    frame = pd.DataFrame({"=n": [-1, 2], "text": ["=1+1", "fine"], "kind": pd.Categorical(["+a", "b"])})
    safe = defused(frame)
    assert list(safe.columns) == ["'=n", "text", "kind"]
    assert safe["'=n"].tolist() == [-1, 2]
    assert safe["text"].tolist() == ["'=1+1", "fine"]
    assert safe["kind"].tolist() == ["'+a", "b"]


@pytest.mark.parametrize("name", ["a`b", "``", "a|b", "*x*", "<b>", "x\ny"])
def test_code_in_markdown_holds_any_name(name: str) -> None:
    shown = code(name)
    fence = re.match("`+", shown)
    assert fence is not None
    assert shown.count(fence[0]) == 2 or fence[0] not in name
    assert "\n" not in shown


def test_escaping_in_markdown() -> None:
    assert escaped("a|b <i> @x") == "a\\|b \\<i\\> \\@x"


def test_plots_are_files_of_both_kinds_where_asked_for(written: Path, report: Replay, tmp_path: Path) -> None:
    plots = ("costs", "evidence", "growth", "savings", "sizes")
    assert sorted(p.name for p in (written / "plots").iterdir()) == [f"{n}.svg" for n in plots]
    write_report(report.run, tmp_path, ["plots"])
    names = sorted(p.name for p in (tmp_path / report.run.id / "plots").iterdir())
    assert names == sorted(f"{n}.{e}" for n in plots for e in ("png", "svg"))
    assert (tmp_path / report.run.id / "plots" / "savings.png").read_bytes().startswith(b"\x89PNG")
