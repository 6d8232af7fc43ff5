"""The page in a real browser: nothing in the console, no request to anywhere, and it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.browser import Browser

pytestmark = pytest.mark.browser

POLICY_NAMES = """
return [...document.querySelectorAll('#policies table')[0].querySelectorAll('tbody tr:not(.group) th')]
  .filter(th => !th.parentElement.hidden).map(th => th.textContent)
"""


@pytest.fixture
def opened(chromium: Browser, written: Path) -> Browser:
    chromium.emulate()
    chromium.resize(1440, 900)
    chromium.console()
    chromium.requested()
    chromium.open(written / "index.html")
    return chromium


def outside(addresses: list[str]) -> list[str]:
    return [a for a in addresses if not a.startswith(("data:", "about:"))]


def test_nothing_in_the_console_and_no_request_to_anywhere(opened: Browser, written: Path) -> None:
    assert outside(opened.requested()) == [(written / "index.html").as_uri()]
    assert opened.console() == []


@pytest.mark.parametrize(
    ("which", "title"), [("hostile", "What each policy would have cost: "), ("hostile_bench", "How engines did: ")]
)
def test_hostile_names_neither_run_nor_ask_for_anything(
    chromium: Browser, request: pytest.FixtureRequest, which: str, title: str
) -> None:
    folder: Path = request.getfixturevalue(which)
    chromium.console()
    chromium.requested()
    chromium.open(folder / "index.html")
    assert outside(chromium.requested()) == [(folder / "index.html").as_uri()]
    assert chromium.console() == []
    assert str(chromium.run("return document.title")).startswith(title)
    assert chromium.run("return document.images.length") == 0


def test_a_link_to_a_turn_unfolds_its_envelope(chromium: Browser, bench_written: Path) -> None:
    chromium.open(bench_written / "index.html", "#turn-2")
    assert chromium.run("return [...document.querySelectorAll('details.quoted[open]')].map(d => d.id)") == ["turn-2"]
    chromium.run("document.querySelector('a[href=\"#turn-1\"]').click()")
    wanted = "return document.getElementById('turn-1').open && document.querySelector('#turn-1 pre').offsetHeight > 0"
    assert chromium.run(wanted)


def test_a_link_to_a_folded_table_unfolds_it(chromium: Browser, written: Path) -> None:
    chromium.open(written / "index.html", "#tools")
    folded = "return ['tools', 'contents'].map(n => document.querySelector(`#${n} > details`).open)"
    assert chromium.run(folded) == [True, False]


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["written", "hostile", "bench_written", "hostile_bench"])
def test_the_page_is_as_wide_as_the_window(
    chromium: Browser, request: pytest.FixtureRequest, which: str, width: int, scheme: str
) -> None:
    folder: Path = request.getfixturevalue(which)
    chromium.resize(width, 844)
    chromium.emulate(scheme)
    chromium.open(folder / "index.html")
    chromium.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert chromium.run("return [document.documentElement.scrollWidth, innerWidth]") == [width, width]


def test_the_first_screen_needs_no_scrolling(opened: Browser) -> None:
    assert opened.run("return document.querySelector('header').getBoundingClientRect().bottom") < 900
    shown = opened.run("return document.querySelector('header').innerText")
    for words in (
        "input tokens on the bill",
        "95 % interval",
        "requests that see all",
        "10 transcripts",
        "not reported",
    ):
        assert words in shown


def test_both_colour_schemes_have_contrast(opened: Browser) -> None:
    script = """
    const light = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255)
      .map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126*v[0] + .7152*v[1] + .0722*v[2]; };
    const back = light(getComputedStyle(document.body).backgroundColor);
    return ['body', '.note', '.kind.measured', '.kind.recorded', '.kind.estimated', 'a[href="#plots"]', 'thead th'].map(
      (s) => { const c = light(getComputedStyle(document.querySelector(s)).color);
        return (Math.max(c, back) + .05) / (Math.min(c, back) + .05); })
    """
    for scheme in ("light", "dark"):
        opened.emulate(scheme)
        assert min(opened.run(script)) >= 4.5


def test_a_heading_sorts_its_table_with_the_keyboard(opened: Browser) -> None:
    before = opened.run(POLICY_NAMES)
    assert before[0] == "identity"
    opened.run("document.querySelectorAll('#policies table')[0].tHead.rows[0].cells[1].firstChild.focus()")
    opened.press("\ue007")
    down = opened.run(POLICY_NAMES)
    opened.press("\ue007")
    up = opened.run(POLICY_NAMES)
    assert up == down[::-1]
    assert sorted(up) == sorted(before)
    assert up[-1] == "identity"
    sort = "return document.querySelectorAll('#policies table')[0].tHead.rows[0].cells[1].ariaSort"
    assert opened.run(sort) == "ascending"


def test_the_filter_is_a_key_away(opened: Browser) -> None:
    opened.press("/")
    assert opened.run("return document.activeElement.id") == "filter"
    opened.press("HEAD:")
    assert opened.run(POLICY_NAMES) == ["head:bytes=500"]
    opened.press("\ue00c")
    assert len(opened.run(POLICY_NAMES)) == 4


def test_two_policies_side_by_side(opened: Browser) -> None:
    opened.run("""
      const pick = document.getElementById('pick');
      pick.view.selectedIndex = [...pick.view.options].findIndex(o => o.text === 'run-0.json');
      pick.a.value = 0; pick.b.value = 1; pick.dispatchEvent(new Event('change'));
    """)
    rows = opened.run("return [...document.querySelectorAll('#shown tbody tr')].map(r => r.innerText)")
    assert len(rows) == 4
    assert "1 result as recorded under both" in rows[1]
    assert "500 B elided (back by another call)" in rows[2]
    assert "9.5 kB elided (back by another call)" in rows[3]
    caption = opened.run("return document.querySelector('#shown p').innerText")
    assert caption.startswith("run-0.json: openai-chat, a-model, 4 requests.")


def test_a_top_mover_leads_to_its_view(opened: Browser) -> None:
    wanted = opened.run("""
      const link = document.querySelector('#movers details[open] a');
      link.click(); return link.title;
    """)
    script = (
        "return [document.querySelector('#shown p').innerText, document.getElementById('pick').b.value, location.hash]"
    )
    caption, policy, fragment = opened.run(script)
    assert caption.startswith(f"{wanted}:")
    assert fragment.endswith(f"b={policy}")


def test_paper_shows_what_is_folded_on_the_screen(opened: Browser) -> None:
    opened.run("window.dispatchEvent(new Event('beforeprint'))")
    opened.emulate(media="print")
    assert opened.run("return document.querySelectorAll('details:not([open])').length") == 0
    assert opened.run("return getComputedStyle(document.querySelector('nav')).display") == "none"
    assert opened.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_the_tables_can_be_read_without_scripts(chromium: Browser, written: Path) -> None:
    chromium.protocol("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.open(written / "index.html")
        document = chromium.protocol("DOM.getDocument")["root"]["nodeId"]
        found = chromium.protocol("DOM.querySelectorAll", nodeId=document, selector="#policies table tbody tr")
        assert len(found["nodeIds"]) > 4
        hidden = chromium.protocol("DOM.querySelector", nodeId=document, selector="#pick[hidden]")
        assert hidden["nodeId"]
    finally:
        chromium.protocol("Emulation.setScriptExecutionDisabled", value=False)
