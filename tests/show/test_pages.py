"""`harness report --pages`: the requests that a policy puts most at risk, each with its proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.api import replay
from harness.errors import HarnessError
from harness.replay.sections.risk import at_risk, lost_against
from harness.runs.run import Run
from harness.show.excerpts import excerpt
from harness.show.pages import write_pages
from harness.show.report import written_report
from harness.show.source_place import lines_with
from tests.replay.test_controls import write

POLICIES = ["head:bytes=200", "tail:bytes=200"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for n in range(3):
        write(folder / f"run-{n}.json", f"plant_{n}x", f"qz-{n}17{n}-k")
    return folder


@pytest.fixture
def run(corpus: Path, tmp_path: Path) -> Run:
    return replay([corpus], policies=POLICIES, results=tmp_path / "results")


def test_every_policy_gets_the_requests_that_it_hides_most_of(run: Run, tmp_path: Path) -> None:
    risks = {p: at_risk(run, p, 2) for p in POLICIES}
    written, links = write_pages(run, tmp_path / "pages", 2, show_secrets=False)
    assert set(links) == {risk.key for own in risks.values() for risk in own}
    assert {f"pages/{path.name}" for path in written[1:]} == set(links.values())
    for (policy, transcript, request), place in links.items():
        text = (tmp_path / place).read_text(encoding="utf-8")
        assert f"<code>{policy}</code>" in text
        assert transcript in text
        assert f"Request {request} of" in text


def test_a_page_holds_the_answer_the_source_with_its_line_and_what_the_policy_showed(run: Run, tmp_path: Path) -> None:
    _, links = write_pages(run, tmp_path / "pages", 1, show_secrets=False, policies=["head:bytes=200"])
    (place,) = links.values()
    text = (tmp_path / place).read_text(encoding="utf-8")
    answer, _, rest = text.partition('<section id="m')
    assert "<mark>qz-0170-k</mark>" in answer.partition('id="answer"')[2]
    assert "<mark>qz-0170-k</mark>" in rest.partition("as recorded")[2].partition("showed it")[0]
    assert "<mark>" not in rest.partition("showed it")[2]
    assert "source: run-0.json, line 1" in rest
    assert "1 lost" in rest


def test_pages_and_report_lead_to_one_another(run: Run, tmp_path: Path) -> None:
    written = written_report(run.directory.parent, run.id, tmp_path / "reports", ["html"], 2, False)
    report, pages = written[0], [path for path in written if path.parent.name == "pages" and path.name != "index.html"]
    page = report.read_text(encoding="utf-8")
    for path in pages:
        assert f'href="pages/{path.name}"' in page
    for path in [report, *written[1:]]:
        for address in re.findall(r'href="([^"#][^"]*)"', path.read_text(encoding="utf-8")):
            assert address.startswith("data:") or (path.parent / address).exists(), (path, address)
    first, second = sorted(p for p in pages if p.name.startswith("1-"))
    assert f'rel="next" href="{second.name}"' in first.read_text(encoding="utf-8")
    assert f'rel="prev" href="{first.name}"' in second.read_text(encoding="utf-8")


def test_against_another_policy_only_what_that_one_shows(run: Run, tmp_path: Path) -> None:
    found = at_risk(run, "head:bytes=200", 9, "tail:bytes=200")
    other = {(r.transcript, r.request) for r in at_risk(run, "tail:bytes=200", 9)}
    assert not {(r.transcript, r.request) for r in found} & other
    counts = lost_against(run).set_index("policy")
    assert counts.loc["head:bytes=200", "tail:bytes=200"] == len(found)
    assert counts.loc["head:bytes=200", "head:bytes=200"] == 0
    _, links = write_pages(run, tmp_path / "pages", 9, False, ["head:bytes=200"], "identity")
    assert len(links) == len(at_risk(run, "head:bytes=200", 9))
    text = (tmp_path / next(iter(links.values()))).read_text(encoding="utf-8")
    assert "as <code>identity</code> showed it: 1 visible" in text


def test_a_policy_that_did_not_run_is_named_with_those_that_did(run: Run, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"policy head:bytes=20: not in this run.*it has head:bytes=200"):
        write_pages(run, tmp_path / "pages", 1, False, ["head:bytes=20"])


def test_recordings_that_are_gone_are_named(run: Run, corpus: Path, tmp_path: Path) -> None:
    (corpus / "run-0.json").unlink()
    with pytest.raises(HarnessError, match=r"run-0\.json: no longer where the run read it"):
        write_pages(run, tmp_path / "pages", 3, show_secrets=False)


def test_an_excerpt_has_the_marked_lines_with_their_numbers() -> None:
    text = "\n".join(f"line {n}" for n in range(1, 100))
    at = text.index("line 50")
    found = excerpt([(text[:at], False), ("line 50", True), (text[at + 7 :], False)])
    assert [line.number for line in found] == [None, 48, 49, 50, 51, 52, None]
    assert [line.marked for line in found] == [False, False, False, True, False, False, False]
    assert found[0].pieces[0][0] == "47 lines left out"


def test_a_long_line_is_narrowed_around_its_mark() -> None:
    (line,) = excerpt([("x" * 100_000, False), ("needle", True), ("y" * 100_000, False)])
    shown = "".join(text for text, _ in line.pieces)
    assert "needle" in shown
    assert len(shown) < 500
    assert "[… 99,840 characters …]" in shown


def test_a_line_is_found_as_json_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"content": "one \\"two\\"\\nthree é"}\n', encoding="utf-8")
    assert lines_with(path, 'one "two"\nthree é') == [2]
    assert lines_with(path, "four") == []
