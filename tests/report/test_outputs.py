"""The forms of a report that programs and pull requests read, and the colours of its plots."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from harness.bench.sections.part import Engines
from harness.report import EXPORTERS, units
from harness.report.json import Json
from harness.report.plots.style import COLOURS, GREY, INK
from harness.report.pull_request import PullRequest
from harness.report.report import Report
from harness.report.sections import SectionPart

PAGE = Path(__file__).parents[2] / "docs" / "reports.md"
CSS = Path(__file__).parents[2] / "harness" / "report" / "templates" / "report.css"


@pytest.fixture(params=["report", "engines"])
def part(request: pytest.FixtureRequest) -> SectionPart:
    found: SectionPart = request.getfixturevalue(request.param)
    return found


def test_json_holds_the_tables_and_says_what_their_keys_are(part: SectionPart, tmp_path: Path) -> None:
    (path,) = Json().export(Report(part.run.id, "", [part]), tmp_path)
    found = json.loads(path.read_text(encoding="utf-8"))["run"]
    assert found["run"] == part.run.id
    assert {"headline", "kind", "answers", "facts", "tables", "columns"} <= found.keys()
    for section in part.sections():
        assert len(found["tables"][section.name]) == len(section.data)
        for key, known in found["columns"][section.name].items():
            assert known.keys() == {"heading", "unit", "kind", "meaning"}
            if section.shown is None:
                assert all(key in row for row in found["tables"][section.name])


def test_a_pull_request_gets_no_image_and_no_link(part: SectionPart, tmp_path: Path) -> None:
    (path,) = PullRequest().export(Report(part.run.id, "", [part]), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "](" not in text
    assert len(text.splitlines()) <= 20
    assert part.run.id in text
    assert not [c for c in re.findall(r"`[^`\n]+`", text) if "\\_" in c]


def test_every_column_of_a_csv_file_is_described(bench_written: Path, engines: Engines) -> None:
    described = pd.read_csv(bench_written / "csv" / "columns.csv", keep_default_na=False)
    assert set(described["kind"]) <= {"measured", "estimated", "live", "recorded"}
    for section in engines.sections():
        own = set(described.loc[described["table"] == section.name, "key"])
        assert own == {key for c in section.columns for key in c.keys if not key.startswith("_")}


def test_the_page_names_every_exporter_and_writes_units_as_the_code_does() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in EXPORTERS:
        assert f"| `{name}` |" in text
    written = {
        "1,234": units.COUNT.text(1234),
        "1.3 MB": units.BYTES.text(1_300_000),
        "12.34": units.USD.text(12.34),
        "97.2 %": units.SHARE.text(0.972),
        "-37.2 %": units.CHANGE.text(0.628),
        "+3.2 points": units.POINTS.text(0.032),
        "23.4 ms": units.SECONDS.text(0.0234),
        "12.3 MB": units.MEGABYTES.text(12.3),
        "0.032": units.P.text(0.032),
        "61.9 … 88.1 %": units.between(units.SHARE).text(0.619, 0.881),
    }
    assert all(said == found and f"| {said} |" in text for said, found in written.items())


# Machado, Oliveira, Fernandes: A physiologically-based model for simulation of color vision deficiency (2009).
VISION = {
    "usual": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(c)) + 0.05 for c in (one, other))
    return high / low


def lab(colour: str, vision: np.ndarray) -> np.ndarray:
    """CIE 1976 L*a*b*, as an eye with this vision sees it."""
    x, y, z = np.cbrt(TO_XYZ @ np.clip(vision @ linear(colour), 1e-3, 1) / np.array([0.95047, 1, 1.08883]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def palettes() -> dict[str, tuple[str, ...]]:
    """The colours on white, and those that the page has for light and dark."""
    light, dark = (
        tuple(re.findall(r"--plot-\d: (#[0-9a-f]{6})", block))
        for block in CSS.read_text(encoding="utf-8").split("@media")[:2]
    )
    assert light == COLOURS
    return {"#ffffff": light, "#16181d": dark}


@pytest.mark.parametrize("background", ["#ffffff", "#16181d"])
def test_colours_of_plots_can_be_read_and_told_apart_by_every_eye(background: str) -> None:
    own = palettes()[background]
    assert len(own) == len(COLOURS)
    assert min(contrast(colour, background) for colour in own) >= 4.5
    for vision in VISION.values():
        apart = [np.linalg.norm(lab(a, vision) - lab(b, vision)) for a, b in itertools.combinations(own, 2)]
        assert min(apart) >= 15
    assert contrast(INK, "#ffffff") > 4.5
    assert contrast(GREY, "#ffffff") >= 4.5
