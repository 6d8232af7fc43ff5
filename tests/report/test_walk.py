"""From the first screen to the text that proves a figure, by keyboard alone, and as a screen reader has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.api import replay
from harness.show.report import written_report
from tests.replay.test_controls import write
from tests.report.browser import Browser
from tests.report.test_budgets import TAB, UNNAMED, nodes

pytestmark = pytest.mark.browser

ENTER = "\ue007"
FOCUS = "return document.activeElement.getAttribute('href') ?? document.activeElement.tagName"
NAMED = ("button", "link", "searchbox", "region", "image", "table", "heading", "combobox", "slider")
CONTRAST = """
const rgba = (c) => { const [r, g, b, a = 1] = c.match(/[\\d.]+/g).map(Number);
  return c.startsWith('color(') ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a]; };
const over = ([r, g, b, a], under) => [r, g, b].map((v, n) => v * a + under[n] * (1 - a));
const light = (c) => { const v = c.slice(0, 3).map(x => x / 255)
  .map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126*v[0] + .7152*v[1] + .0722*v[2]; };
const back = (e) => e ? over(rgba(getComputedStyle(e).backgroundColor), back(e.parentElement)) : [255, 255, 255];
return [...document.querySelectorAll('body *')].filter(e => !e.closest('svg') && e.checkVisibility()
  && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
  .map(e => { const [c, b] = [light(rgba(getComputedStyle(e).color)), light(back(e))];
    return [(Math.max(c, b) + .05) / (Math.min(c, b) + .05), `${e.tagName} ${e.textContent.slice(0, 30)}`]; })
"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walk")
    (folder / "corpus").mkdir()
    for n in range(3):
        write(folder / "corpus" / f"run-{n}.json", f"plant_{n}x", f"qz-{n}17{n}-k")
    run = replay([folder / "corpus"], ["head:bytes=200", "tail:bytes=200"], folder / "results")
    return written_report(folder / "results", run.id, folder / "reports", ["html"], 2, False)[0]


def tab_to(chromium: Browser, start: str, most: int = 60) -> int:
    """Tab until the focus is on a link that begins so; how many times."""
    for pressed in range(1, most + 1):
        chromium.press(TAB)
        if str(chromium.run(FOCUS)).startswith(start):
            return pressed
    raise AssertionError(f"{most} times Tab and no link to {start}")


def test_from_the_first_screen_to_a_proof_and_on_by_keyboard(chromium: Browser, reported: Path) -> None:
    chromium.resize(1400, 900)
    chromium.open(reported)
    assert tab_to(chromium, "#risk-") < 10
    chromium.press(ENTER)
    assert str(chromium.run("return location.hash")).startswith("#risk-")
    assert tab_to(chromium, "pages/") < 10
    chromium.press(ENTER)
    assert "/pages/" in str(chromium.run("return location.pathname"))
    shown = str(chromium.run("return document.body.innerText"))
    assert "qz-" in shown
    assert chromium.run("return document.querySelectorAll('mark').length") > 0
    tab_to(chromium, "1-2.html")
    chromium.press(ENTER)
    assert str(chromium.run("return location.pathname")).endswith("1-2.html")


@pytest.mark.parametrize("page", ["index.html", "pages/index.html", "pages/1-1.html"])
def test_a_screen_reader_has_a_name_for_everything(chromium: Browser, reported: Path, page: str) -> None:
    chromium.open(reported.parent / page)
    tree = nodes(chromium)
    assert [n for n in tree if n["role"] in NAMED and not n["name"].strip()] == []
    assert [n for n in tree if n.get("focusable") and not n["name"].strip() and n["role"] not in UNNAMED] == []
    assert [n["name"] for n in tree if n["role"] == "heading" and n["level"] == 1]
    assert all(n["name"] for n in tree if n["role"] == "image")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", ["index.html", "pages/1-1.html"])
def test_everything_has_contrast(chromium: Browser, reported: Path, page: str, scheme: str) -> None:
    chromium.emulate(scheme)
    chromium.open(reported.parent / page)
    chromium.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = chromium.run(CONTRAST)
    assert len(found) > 20
    assert [words for ratio, words in found if ratio < 4.5] == []


def test_every_chart_has_words_and_a_table(chromium: Browser, reported: Path) -> None:
    chromium.open(reported)
    charts = chromium.run("""return [...document.querySelectorAll('figure')].map(f =>
      [f.querySelector('[role=img]').getAttribute('aria-label'),
       [...f.querySelectorAll('.as-table a')].filter(a => document.querySelector(a.getAttribute('href'))).length])""")
    assert charts
    assert [chart for chart in charts if not chart[0] or not chart[1]] == []


@pytest.mark.parametrize(("width", "most"), [(1400, 12_000), (390, 18_000)])
def test_what_is_not_the_answer_is_folded(chromium: Browser, reported: Path, width: int, most: int) -> None:
    chromium.resize(width, 844)
    chromium.open(reported)
    assert chromium.run("return document.documentElement.scrollHeight") < most
