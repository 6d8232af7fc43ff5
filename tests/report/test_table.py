"""A table once: what every output makes of the same values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from harness.report.screen import Screen
from harness.report.table import Column, Table
from harness.report.table_markdown import answers_markdown, table_markdown
from harness.report.table_text import answers_text, table_text
from harness.report.units import (
    BYTES,
    CHANGE,
    COUNT,
    MEAN,
    NAME,
    NUMBER,
    OF,
    PART,
    POINTS,
    SECONDS,
    SHARE,
    TEXT,
    USD,
    P,
    Unit,
    between,
    estimate,
    span,
)

COLUMNS = (
    Column("policy", "policy", NAME),
    Column("tokens", "input tokens", COUNT),
    Column("ratio", "change", CHANGE),
    Column(("low", "high"), "95 % interval", between(CHANGE), instead="why"),
    Column("calls", "added calls", COUNT, kind="estimated"),
)
ROWS = [
    {"policy": "identity", "tokens": 1234, "ratio": 1.0, "low": 1.0, "high": 1.0, "why": "exact", "calls": 0},
    {"policy": "tool_calls|x", "tokens": 1000, "ratio": 0.8104, "low": 0.5, "high": np.nan, "why": "", "calls": None},
]


def table(rows: list[dict[str, object]] = ROWS, **others: object) -> Table:
    return Table("t", "Policies", "measured", "", COLUMNS, pd.DataFrame(rows), **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "values", "text"),
    [
        (COUNT, (1234567,), "1,234,567"),
        (COUNT, (None,), "not identified"),
        (COUNT, (float("nan"),), "not identified"),
        (BYTES, (999,), "999 B"),
        (BYTES, (1_250_000,), "1.2 MB"),
        (USD, (0.01234,), "0.0123"),
        (USD, (1204.5,), "1,204"),
        (SHARE, (0.9725,), "97.2 %"),
        (CHANGE, (0.628,), "-37.2 %"),
        (CHANGE, (1.00001,), "0.0 %"),
        (POINTS, (0.0321,), "+3.2 points"),
        (SECONDS, (0.02341,), "23.4 ms"),
        (SECONDS, (None,), "not reported"),
        (MEAN, (2.346,), "2.35"),
        (NUMBER, (2204.4,), "2,204"),
        (NUMBER, (float("inf"),), "-"),
        (P, (0.0004,), "< 0.001"),
        (OF, (48, 62), "48 of 62"),
        (PART, (1, 4), "25.0 %"),
        (PART, (0, 0), "-"),
        (between(SHARE), (0.619, 0.881), "61.9 … 88.1 %"),
        (between(SECONDS), (0.5, 1.5), "500 ms … 1.5 s"),
        (between(BYTES), (1500, 2500), "1.5 … 2.5 kB"),
        (between(SHARE), (0.619, None), "no interval"),
        (span(COUNT), (0, 12, 1040), "0 … 12 … 1,040"),
        (estimate(POINTS), (0.032, 0.004, 0.06), "+3.2 points (+0.4 … +6.0)"),
        (estimate(POINTS), (0.032, None, None), "+3.2 points"),
        (estimate(POINTS), (None, None, None), "-"),
    ],
)
def test_how_values_are_written(unit: Unit, values: tuple[object, ...], text: str) -> None:
    assert unit.text(*values) == text


def test_a_heading_says_the_kind_that_is_not_the_tables() -> None:
    assert table().headings[-2:] == ["95 % interval", "added calls (estimated)"]


def test_a_reader_gets_words_and_a_program_numbers() -> None:
    assert table().texts[0] == ["identity", "1,234", "0.0 %", "exact", "0"]
    assert table().texts[1][2:] == ["-19.0 %", "no interval", "not identified"]
    assert table().records()[1]["calls"] is None
    assert table().records()[1]["ratio"] == 0.8104
    assert table().keys()["low"] == {
        "heading": "95 % interval", "unit": "ratio, interval", "kind": "measured", "meaning": "",
    }  # fmt: skip


def test_rows_need_no_frame() -> None:
    plain = Table("t", "Policies", "measured", "", COLUMNS, ROWS)
    assert plain.texts == table().texts
    assert list(plain.frame.columns) == list(ROWS[0])


def test_a_column_of_names_goes_but_not_the_only_one() -> None:
    two = Table("t", "T", "live", "", (Column("engine", "engine", NAME), *COLUMNS), [{"engine": "e"} | r for r in ROWS])
    assert two.without("engine").headings == table().headings
    assert table().without("policy").headings == table().headings
    assert two.without("change").headings == two.headings


def test_markdown_keeps_names_as_code_and_nothing_in_them_means_anything() -> None:
    text = table_markdown(table())
    assert "`tool_calls\\|x`" in text
    assert "\\_" not in text
    assert "(estimated)" in text


def test_groups_stand_apart() -> None:
    rows = [ROWS[0] | {"stage": "admission"}, ROWS[1] | {"stage": "history"}]
    text = table_markdown(table(rows, group="stage"))
    assert text.index("**admission**") < text.index("identity") < text.index("**history**") < text.index("tool")


WIDE = tuple(Column(f"n{n}", f"a heading of words {n}", COUNT) for n in range(9))


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 200])
@pytest.mark.parametrize("rows", [1, 3, 12])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(columns: int, rows: int) -> None:
    data = [
        {"policy": f"policy:with={n},a_long_name=yes", "words": "what it does, at some length", "n": n}
        | {f"n{k}": 10**k + n for k in range(9)}
        for n in range(rows)
    ]
    shown = Table(
        "t", "A table", "measured", "", (Column("policy", "policy", NAME), Column("words", "what", TEXT), *WIDE), data
    )
    for text in (table_text(shown, columns), answers_text(Screen("", shown), columns)):
        assert max(map(len, text.splitlines())) <= columns
        for row in data:
            assert all(f"{row[f'n{k}']:,}" in text for k in range(9))  # type: ignore[index]


def test_few_subjects_stand_side_by_side_and_many_down() -> None:
    few = Screen("", Table("answers", "Policies", "measured", "", COLUMNS, ROWS))
    assert few.across
    assert answers_text(few, 80).splitlines()[0].split() == ["Policies", "(measured)", "identity", "tool_calls|x"]
    assert answers_markdown(few).startswith("| Policies (measured)")
    many = Screen("", Table("answers", "Policies", "measured", "", COLUMNS, ROWS * 3))
    assert not many.across
    assert "added calls" in answers_text(many, 80).splitlines()[1]


def test_a_name_cannot_drive_the_terminal() -> None:
    text = table_text(table([ROWS[0] | {"policy": "a\x1b[31m\nb\u202e"}]), 80)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text.splitlines()) == 4
