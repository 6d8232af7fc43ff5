"""Names from recordings that try to break out of the report they stand in."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.replay.sections.part import Replay
from harness.report.csv import DANGEROUS
from harness.report.write import write_report
from harness.runs.run import Run
from tests.report.hostile import KEY, LONG, MAIL

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Page(HTMLParser):
    """What a browser would make of a page: elements with their attributes, and the content of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._script = tag == "script"
        if self._script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def page(hostile: Path) -> Page:
    return Page((hostile / "index.html").read_text(encoding="utf-8"))


def test_no_element_comes_out_of_a_recording(page: Page) -> None:
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert "b" in tags
    assert not [a for _, attributes in page.elements for a in attributes if a.startswith("on")]


def test_links_lead_only_into_the_page(page: Page) -> None:
    links = [a["href"] for tag, a in page.elements if tag in ("a", "link") and "href" in a]
    assert links
    assert all(link is not None and link.startswith(("#", "data:,")) for link in links)
    assert not [a for _, a in page.elements if "src" in a]


def test_the_embedded_data_are_one_json_text_that_ends_no_script(page: Page) -> None:
    data = json.loads(page.scripts[0])
    assert not set("<>&\u2028\u2029") & set(page.scripts[0])
    assert "<b>bold<script>.json" in {t["id"] for t in data[""]["transcripts"]}


def test_control_characters_are_made_visible_everywhere(hostile: Path) -> None:
    files = [p for p in hostile.rglob("*") if p.suffix in (".html", ".md", ".csv", ".svg")]
    assert len(files) > 10
    for path in files:
        assert not CONTROL.search(path.read_text(encoding="utf-8")), path.name


def test_a_line_of_200_kb_does_not_come_through(hostile: Path) -> None:
    for path in hostile.rglob("*"):
        if path.suffix in (".html", ".md", ".csv"):
            assert LONG[:1000] not in path.read_text(encoding="utf-8"), path.name


def test_no_cell_of_a_csv_file_is_a_formula(hostile: Path) -> None:
    cells = 0
    for path in sorted((hostile / "csv").rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.reader(stream):
                for cell in row:
                    cells += 1
                    number = re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", cell)
                    assert number or not cell.startswith(DANGEROUS), (path.name, cell[:40])
    assert cells > 1000
    assert "'=cmd" in (hostile / "csv" / "tools.csv").read_text(encoding="utf-8")


def test_names_in_markdown_are_code(hostile: Path) -> None:
    text = (hostile / "report.md").read_text(encoding="utf-8")
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert "<script" not in outside
    assert not re.search(r"\]\(http", outside)


def test_the_terminal_gets_no_escape_sequences(hostile_run: Run) -> None:
    assert not CONTROL.search(Replay(hostile_run).text())


def test_secrets_are_masked_in_every_file_unless_asked_for(hostile: Path, hostile_run: Run, tmp_path: Path) -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in hostile.rglob("*") if p.suffix in (".html", ".md", ".csv"))
    assert KEY not in text
    assert MAIL not in text
    assert "[masked " in text
    write_report(hostile_run, tmp_path, ["csv"], show_secrets=True)
    shown = "".join(p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.csv"))
    assert KEY in shown
    assert MAIL in shown
    assert "[masked " not in shown


def test_masking_keeps_the_figures(hostile_run: Run) -> None:
    masked, plain = Replay(hostile_run).summary, Replay(hostile_run, show_secrets=True).summary
    assert masked.whole == plain.whole
    assert [r.input_tokens for r in masked.rows] == [r.input_tokens for r in plain.rows]
