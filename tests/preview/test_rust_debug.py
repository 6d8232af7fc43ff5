from __future__ import annotations

import json

from hypothesis import given

from harness.preview.rust_debug import debug_string, escaped_ranges
from tests.conftest import ROOT

from .strategies import bounded, good_text

TABLE = json.loads((ROOT / "tests" / "golden" / "escape_table.json").read_text(encoding="utf-8"))


def test_the_packaged_table_is_that_of_the_reference() -> None:
    assert [list(bounds) for bounds in escaped_ranges()] == TABLE["escaped_ranges"]
    packaged = (ROOT / "harness" / "preview" / "rust_escapes.txt").read_text(encoding="utf-8")
    assert TABLE["unicode_version"] in packaged.splitlines()[0]


def test_code_points_are_written_as_the_table_says() -> None:
    escaped = {point for first, last in TABLE["escaped_ranges"] for point in range(first, last + 1)}
    named = TABLE["named"]
    assigned = [*range(0, 0xD800, 256), *range(0xE000, 0x20000, 256), *range(0xE0000, 0xE0200, 256)]
    edges = [first & ~0xFF for bounds in TABLE["escaped_ranges"] for first in bounds if first >= 0x20000]
    for start in assigned + edges:
        points = range(start, start + 256)
        expected = [named.get(f"{p:04x}") or (f"\\u{{{p:x}}}" if p in escaped else chr(p)) for p in points]
        assert debug_string("".join(map(chr, points))) == f'"{"".join(expected)}"', hex(start)


@bounded
@given(good_text)
def test_escapes_are_one_line_and_character_by_character(text: str) -> None:
    written = debug_string(text)
    assert written == '"' + "".join(debug_string(character)[1:-1] for character in text) + '"'
    assert not set(written) & set("\n\r\t\0\u2028\u0301")
