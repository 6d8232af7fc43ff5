"""How long the report of 10,000 transcripts takes to write, and to open in Chromium.

python -m pytest -m benchmark -s tests/benchmarks/test_report.py
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
from pathlib import Path

import pytest

from tests.report.browser import Browser, browser
from tests.report.synthetic import make_run
from tests.report.test_sample import page, report_of

pytestmark = pytest.mark.benchmark

TIMES = """
const [page] = performance.getEntriesByType("navigation");
const [paint] = performance.getEntriesByName("first-contentful-paint");
return [paint ? paint.startTime : null, page.domContentLoadedEventEnd, page.loadEventEnd];
"""


def test_a_page_over_10000_transcripts(tmp_path: Path) -> None:
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or program is None:
        pytest.skip("needs Chromium and its driver (Debian: chromium and chromium-driver)")
    run = make_run(10_000, evidence=True, prices=True)
    began = time.process_time()
    path = tmp_path / "index.html"
    path.write_text(page(report_of(run)), encoding="utf-8")
    written = time.process_time() - began
    with browser(driver, program, tmp_path / "profile") as chromium:
        samples = [opened(chromium, path) for _ in range(7)]
    paint, ready, load = (statistics.median(column) for column in zip(*samples, strict=True))
    figures = {
        "megabytes": path.stat().st_size / 1e6,
        "cpu seconds to write": written,
        "first paint, ms": paint,
        "ready, ms": ready,
        "loaded, ms": load,
    }
    print("\na report over 10,000 transcripts")
    for name, value in figures.items():
        print(f"  {name:48} {value:10.3f}")
    print(json.dumps({"benchmark": "a report over 10,000 transcripts"} | figures))
    assert load > 0


def opened(chromium: Browser, path: Path) -> tuple[float, float, float]:
    """Milliseconds from the start to the first paint, to the end of parsing, and until all is loaded."""
    chromium.open(path)
    for _ in range(100):
        paint, ready, load = chromium.run(TIMES)
        if paint and load:
            return paint, ready, load
        time.sleep(0.05)
    raise AssertionError("the page was never painted")
