from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.preview import Budgets, Measured, coverage, render_preview, serialize, visible_ranges

from .strategies import any_json, bounded, budgets, good_text

EVERYTHING = Budgets(**{field.name: 10**6 for field in fields(Budgets)})


@bounded
@given(any_json, budgets, st.sampled_from(fields(Budgets)), st.integers(0, 100))
def test_more_budget_never_shows_less(value: object, small: Budgets, field: object, more: int) -> None:
    name = field.name  # type: ignore[attr-defined]
    large = replace(small, **{name: getattr(small, name) + more})
    measured = Measured(value)
    assert 0 <= coverage(measured, small).shown <= coverage(measured, large).shown <= coverage(measured, large).total


@bounded
@given(st.lists(good_text | st.integers(0, 9)) | st.dictionaries(good_text, good_text | st.booleans()) | good_text)
def test_flat_values_are_shown_in_full_when_nothing_limits_them(value: object) -> None:
    found = coverage(value, EVERYTHING)
    assert found.elided == 0
    assert found.total == (len(value.encode("utf-8")) if isinstance(value, str) else len(serialize(value)))


@bounded
@given(good_text, budgets)
def test_ranges_are_what_the_preview_shows(text: str, given_budgets: Budgets) -> None:
    raw = text.encode("utf-8")
    ranges = visible_ranges(text, given_budgets)
    parts = [raw[start:end].decode("utf-8") for start, end in ranges]
    assert all(start < end for start, end in ranges)
    assert sum(len(part.encode("utf-8")) for part in parts) == coverage(text, given_budgets).shown
    if text.isalnum() and text.isascii():
        preview = render_preview("r1", text, given_budgets)
        assert all(f'"{part}"' in preview for part in parts)


@pytest.mark.parametrize(
    ("value", "total", "shown"),
    [
        ("x" * 700, 700, 600),
        ("é" * 400, 800, 600),
        ([1, 22, 333, 4444, 5, 6], 19, 2 + 1 + 2 + 3 + 1 + 1 + 4),
        ({"a": "x" * 121}, 129, 6),
        ({"a": [1, 2], "b": []}, 18, len('{"a":,"b":[]}')),
        ([{"k": "v" * 30}], 40, len('[{"k":}]') + 24),
        ([{"a": 1, "b": 2, "c": 3}], 21, len('[{"a":1,"b":2}]')),
        ({f"k{n}": n for n in range(25)}, 206, 8 * 2),
        (None, 4, 4),
    ],
)
def test_what_counts_as_shown(value: object, total: int, shown: int) -> None:
    found = coverage(value)
    assert (found.total, found.shown, found.elided) == (total, shown, total - shown)
