"""The budget slider in a real browser: what it says at a stop is what a replay says, by keyboard alone too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.api import replay
from harness.replay.sections.risk import at_risk
from harness.report.html import page
from harness.report.report import Report
from harness.runs.run import Run
from harness.tune.sections.tuned import Tuned
from tests.report.browser import Browser
from tests.report.conftest import exported
from tests.report.tunings import Grown, tuned, write_tunable

pytestmark = pytest.mark.browser

TAB, RIGHT, HOME, END = "\ue004", "\ue014", "\ue011", "\ue010"
UNNAMED = ("RootWebArea", "MenuListPopup")
STOP = """
const figures = {};
for (const row of document.querySelectorAll('#budgets .figures tbody tr'))
  figures[row.cells[0].firstChild.textContent] =
    [...row.cells].slice(1).map(c => c.textContent.replaceAll('\\u00a0', ' '));
return {figures, said: document.querySelector('#budgets .said').textContent,
  risks: [...document.querySelectorAll('#budgets .risks tbody tr')].map(r => [r.cells[0].title,
    ...[...r.cells].slice(1).map(c => Number(c.textContent.replaceAll(',', '')))])};
"""
MOVE = """
const form = document.querySelector('#budgets form');
form.ladder.selectedIndex = [...form.ladder.options].findIndex(o => o.text === '%s');
form.ladder.dispatchEvent(new Event('change'));
const {ladders} = JSON.parse(document.getElementById('data').textContent)[''].budgets;
const values = %s;
ladders[form.ladder.value].axes.forEach((axis, n) => {
  const slider = form.querySelectorAll('input[type=range]')[n];
  slider.value = axis.values.indexOf(values[n]);
  slider.dispatchEvent(new Event('input'));
});
"""
STOPS = [
    ("head", [300, 0], "head:bytes=300"),
    ("head", [1000, 600], "head:bytes=1000,min_bytes=600"),
    ("middle", [2000, 0], "middle:bytes=2000"),
    ("tail", [0, 2000], "tail:bytes=0,min_bytes=2000"),
    ("car", [400, 200, 0], "car"),
    ("car", [1000, 0, 4000], "car:min_bytes=4000,text_head_bytes=1000,text_tail_bytes=0"),
    ("car", [0, 500, 600], "car:min_bytes=600,text_head_bytes=0,text_tail_bytes=500"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tunable(tmp_path_factory.mktemp("tunable"))


@pytest.fixture(scope="module")
def run(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return tuned(corpus, tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def tuned_page(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(Tuned(run), tmp_path_factory.mktemp("reports")) / "index.html"


@pytest.fixture(scope="module")
def replayed(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    labels = [label for _, _, label in STOPS]
    return replay([corpus], labels, tmp_path_factory.mktemp("replays"), prices="gpt-5.4")


@pytest.fixture
def opened(chromium: Browser, tuned_page: Path) -> Browser:
    chromium.emulate()
    chromium.resize(1440, 900)
    chromium.console()
    chromium.open(tuned_page)
    return chromium


@pytest.mark.parametrize(("ladder", "values", "label"), STOPS)
def test_a_stop_says_what_a_replay_says(
    opened: Browser, replayed: Run, ladder: str, values: list[int], label: str
) -> None:
    opened.run(MOVE % (ladder, json.dumps(values)))
    stop = opened.run(STOP)
    rows = replayed.transcripts.groupby("policy", observed=True).sum(numeric_only=True)
    own, identity = rows.loc[label], rows.loc["identity"]
    assert stop["said"].startswith(label)
    said = {name: cells[0] for name, cells in stop["figures"].items()}
    assert said["input tokens"] == f"{own['input_tokens']:,.0f}"
    change = 100 * (own["input_tokens"] / identity["input_tokens"] - 1)
    assert said["input tokens against identity"] == f"{change:+.1f} %"
    assert float(said["USD, warm cache"].split(" ")[0]) == pytest.approx(own["cost_warm"], abs=6e-5)
    whole = own["bearing_requests"] - own["at_risk_requests"]
    assert said["of them"] == f"{whole:,.0f} of {own['bearing_requests']:,.0f}"
    assert said["requests that see all they depend on"] == f"{100 * whole / own['bearing_requests']:.1f} %"
    assert said["dependencies visible"] == f"{own['visible']:,.0f} of {own['borne']:,.0f}"
    assert said["not visible, a tool brings them back"] == f"{own['reachable']:,.0f}"
    assert [said["held under a handle that nothing reads"], said["lost"]] == [
        f"{own[s]:,.0f}" for s in ("held", "lost")
    ]
    wanted = {(r.transcript, r.request, r.hidden, r.borne) for r in at_risk(replayed, label, 200)}
    assert {tuple(row[:4]) for row in stop["risks"]} == wanted
    assert [row[2] for row in stop["risks"]] == sorted((row[2] for row in stop["risks"]), reverse=True)
    assert sum(row[4] for row in stop["risks"]) == own["held"] + own["lost"]


def test_the_stops_differ(run: Run) -> None:
    stops = run.table("stops")
    assert stops["tokens"].nunique() > 100
    assert stops["whole"].nunique() > 4
    assert (stops["lost"] + stops["held"] > 0).any()


def test_hostile_names_stand_as_text(opened: Browser, tuned_page: Path) -> None:
    assert opened.console() == []
    opened.run(MOVE % ("tail", "[0, 0]"))
    names = [row[0] for row in opened.run(STOP)["risks"]]
    assert [name for name in names if name.endswith("x</script><img src=q onerror=alert(1)><!--.json")]
    assert opened.run("return document.images.length") == 0
    assert "</script><img" not in tuned_page.read_text(encoding="utf-8")


def test_by_keyboard_alone_the_slider_moves_and_says_so(opened: Browser) -> None:
    opened.run("document.querySelector('a[href=\"#budgets\"]').focus()")
    opened.press("\ue007")
    assert opened.run("return location.hash") == "#budgets"
    kinds = []
    while "range" not in kinds and len(kinds) < 40:
        opened.press(TAB)
        kinds.append(opened.run("return document.activeElement.type ?? document.activeElement.tagName"))
    assert kinds[-1] == "range", kinds
    assert not opened.run("return document.querySelector('#budgets details').open")
    focus = "return [document.activeElement.getAttribute('aria-valuetext'), document.activeElement.labels[0].innerText]"
    opened.press(HOME)
    text, label = opened.run(focus)
    assert text == "0 bytes"
    assert re.match(r"(Head|Tail|Limit): bytes kept", label)
    before = opened.run(STOP)
    opened.press(RIGHT)
    assert opened.run(focus)[0] == "100 bytes"
    after = opened.run(STOP)
    assert after["said"] != before["said"]
    opened.press(END)
    assert "None: every request sees" in opened.run("return document.querySelector('#budgets .listed').textContent")
    assert opened.run("return document.querySelector('#budgets .said').getAttribute('aria-live')") == "polite"


def nodes(chromium: Browser) -> list[dict[str, Any]]:
    """Of the accessibility tree: role, name, DOM node and properties of all that is not ignored."""
    found = chromium.protocol("Accessibility.getFullAXTree")["nodes"]
    return [
        {
            "role": n["role"]["value"],
            "name": n.get("name", {}).get("value", ""),
            "at": n.get("backendDOMNodeId"),
        }
        | {p["name"]: p["value"].get("value") for p in n.get("properties", ())}
        for n in found
        if not n["ignored"]
    ]


def test_a_screen_reader_has_every_control_by_name_and_value(opened: Browser) -> None:
    opened.run(MOVE % ("car", "[400, 200, 0]"))
    tree = nodes(opened)
    sliders = [n for n in tree if n["role"] == "slider"]
    assert [n["name"].partition(":")[0] for n in sliders] == ["Head", "Tail", "Gate"]
    # The protocol gives a range's number in place of its `aria-valuetext`, so that is asked of the very nodes.
    described = [opened.protocol("DOM.describeNode", backendNodeId=n["at"])["node"]["attributes"] for n in sliders]
    spoken = [dict(zip(own[::2], own[1::2], strict=True))["aria-valuetext"] for own in described]
    assert spoken == ["400 bytes", "200 bytes", "0 bytes"]
    assert "Policy" in [n["name"].strip() for n in tree if n["role"] in ("combobox", "PopUpButton", "MenuListPopup")]
    assert [n["live"] for n in tree if n["role"] == "status"] == ["polite"]
    for role in ("slider", "button", "link", "searchbox", "region", "image", "table", "heading", "combobox"):
        assert all(n["name"].strip() for n in tree if n["role"] == role), role
    assert [n for n in tree if n.get("focusable") and not n["name"].strip() and n["role"] not in UNNAMED] == []


def test_without_scripts_a_table_of_all_stops_stands(chromium: Browser, tuned_page: Path, run: Run) -> None:
    chromium.protocol("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.open(tuned_page)
        tree = nodes(chromium)
    finally:
        chromium.protocol("Emulation.setScriptExecutionDisabled", value=False)
    assert not [n for n in tree if n["role"] == "slider"]
    heads = [n["name"] for n in tree if n["role"] == "rowheader"]
    assert set(run.table("stops")["policy"].astype(str)) <= set(heads)


@pytest.mark.parametrize("width", [390, 1400])
def test_it_is_as_wide_as_the_window(opened: Browser, width: int) -> None:
    opened.resize(width, 844)
    opened.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert opened.run("return document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_contrast(opened: Browser, scheme: str) -> None:
    opened.emulate(scheme)
    script = """
    const parts = (c) => c.match(/[\\d.]+/g).map(Number);
    const light = (c) => { const v = parts(c).slice(0, 3).map(x => x / 255)
      .map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126*v[0] + .7152*v[1] + .0722*v[2]; };
    const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
      if ((parts(c)[3] ?? 1) > 0) return light(c); } };
    return [...document.querySelectorAll('#budgets *')].filter(e => e.checkVisibility() && e.childNodes.length
      && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
      .map(e => { const [c, b] = [light(getComputedStyle(e).color), back(e)];
        return (Math.max(c, b) + .05) / (Math.min(c, b) + .05); })
    """
    ratios = opened.run(script)
    assert len(ratios) > 30
    assert min(ratios) >= 4.5


def test_ten_thousand_transcripts_are_a_page_under_three_megabytes(chromium: Browser, run: Run, tmp_path: Path) -> None:
    part = Tuned(Grown(run))
    path = tmp_path / "index.html"
    path.write_text(page(Report("grown", "", [part])), encoding="utf-8")
    assert path.stat().st_size < 3_000_000
    chromium.resize(1400, 900)
    chromium.open(path)
    chromium.run(MOVE % ("head", "[0, 0]"))
    assert len(chromium.run(STOP)["risks"]) == 200
    painted = chromium.run("return performance.getEntriesByType('paint').map(p => [p.name, p.startTime])")
    print(f"{path.stat().st_size / 1e6:.2f} MB, painted after {painted}")
