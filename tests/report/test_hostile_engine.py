"""Envelopes that try to break out of the report that shows them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from harness.bench.sections import worst
from harness.bench.sections.part import Engines
from harness.report.csv import DANGEROUS
from tests.report.hostile import KEY, LONG, MAIL
from tests.report.test_hostile import CONTROL, Page


@pytest.fixture(scope="module")
def page(hostile_bench: Path) -> Page:
    return Page((hostile_bench / "index.html").read_text(encoding="utf-8"))


def texts(folder: Path) -> dict[str, str]:
    return {
        str(p): p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.suffix in (".html", ".md", ".csv", ".svg")
    }


def test_no_element_comes_out_of_an_envelope(page: Page) -> None:
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert tags.count("pre") > 6
    assert not [a for _, attributes in page.elements for a in attributes if a.startswith("on")]
    assert page.scripts[0] == "{}"


def test_links_lead_only_into_the_page(page: Page) -> None:
    links = [a["href"] for tag, a in page.elements if tag in ("a", "link") and "href" in a]
    assert len(links) > 10
    assert all(link is not None and link.startswith(("#", "data:,")) for link in links)


def test_the_raw_envelope_is_shown_as_text(hostile_bench: Path) -> None:
    text = (hostile_bench / "index.html").read_text(encoding="utf-8")
    assert "&lt;/script&gt;&lt;script&gt;document.title=" in text
    assert "␛[31mred" in text


def test_control_characters_are_made_visible_everywhere(hostile_bench: Path) -> None:
    found = texts(hostile_bench)
    assert len(found) > 20
    for name, text in found.items():
        assert not CONTROL.search(text), name


def test_a_long_envelope_is_clipped_and_its_length_said(hostile_bench: Path) -> None:
    found = texts(hostile_bench)
    for name, text in found.items():
        assert LONG[:2100] not in text, name
    assert any(re.search(r"the first 2,000 of 400,\d+ characters", text) for text in found.values())
    assert all(len(text) < 2_000_000 for text in found.values())


def test_no_cell_of_a_csv_file_is_a_formula(hostile_bench: Path) -> None:
    cells = 0
    for path in sorted((hostile_bench / "csv").rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.reader(stream):
                for cell in row:
                    cells += 1
                    number = re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", cell)
                    assert number or not cell.startswith(DANGEROUS), (path.name, cell[:40])
    assert cells > 1000
    assert "'=cmd" in (hostile_bench / "csv" / "by_case.csv").read_text(encoding="utf-8")
    assert "'=cmd" in (hostile_bench / "csv" / "confusions.csv").read_text(encoding="utf-8")


def test_envelopes_in_markdown_are_blocks_of_code(hostile_bench: Path) -> None:
    text = (hostile_bench / "report.md").read_text(encoding="utf-8")
    blocks = re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) < len(text)
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", blocks)
    assert not re.search(r"(?<!\\)<\w", outside)
    assert not re.search(r"(?<!\\)\]\(http", outside)
    assert not re.search("^# heading", blocks, re.MULTILINE)


def test_the_terminal_gets_no_escape_sequences(hostile_engines: Engines) -> None:
    text = hostile_engines.text()
    assert not CONTROL.search(text)
    assert LONG[:200] not in text


def test_secrets_are_masked_in_every_file_unless_asked_for(hostile_bench: Path, hostile_engines: Engines) -> None:
    text = "".join(texts(hostile_bench).values())
    assert KEY not in text
    assert MAIL not in text
    assert "[masked " in text
    shown = worst.section(Engines(hostile_engines.whole, show_secrets=True))
    assert shown is not None
    said = "".join(quote.text for quote in shown.quotes)
    assert KEY in said
    assert MAIL in said
