from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.json.value import MAX_DEPTH, MalformedJson, parse_value, plain, read_number, serialize

from .strategies import any_json, bounded, good_json


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0", "0"),
        ("-0", "-0.0"),
        ("[-0]", "[-0.0]"),
        ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "1.8446744073709552e19"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("-9223372036854775809", "-9.223372036854776e18"),
        ("1e16", "1e16"),
        ("1E+2", "100.0"),
        ("0.00001", "0.00001"),
        ("0.000001", "1e-6"),
        ("1e-400", "0.0"),
        ("-0e99999999999", "-0.0"),
        # Multiplied out as the reference does it, not the nearest float (which is 1.2345678901234568e20).
        ("123456789012345680000", "1.2345678901234567e20"),
        # Digits beyond 64 bits are dropped, then the decimals start to count again: a quirk to keep.
        ("18446744073709551619.5", "1.8446744073709552e19"),
        ('{"b":1,"a":2,"b":3}', '{"b":3,"a":2}'),
        (" [ 1 ,\n2\t,\r3 ] ", "[1,2,3]"),
        ('"\\ud83d\\ude00\\/"', '"😀/"'),
        ('["\\\\ud800", 1e5]', '["\\\\ud800",100000.0]'),
        ('{"e+":[1e16,"1e+16\\"e+"]}', '{"e+":[1e16,"1e+16\\"e+"]}'),
    ],
)
def test_reads_and_writes_as_the_reference(text: str, written: str) -> None:
    assert serialize(parse_value(text)).decode("utf-8") == written


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "\ufeff1",
            "NaN",
            "Infinity",
            "-Infinity",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "1 2",
            "[1,]",
            "{'a':1}",
        ),
        *("1e309", "-1e309", "[1e999]", "9" * 400, "1" + "0" * 309),
        *('"\\ud800"', '"\\ude00\\ud83d"', '["\\ud800",1e5]', '{"a":"\\ud800","a":1e5}', '"\ud800"', '["\ud800",1e5]'),
        *('"a\nb"', '"\\x41"', '"\\u12"', "[" * 5000, "[1e5" + "," + "[" * 5000),
    ],
)
def test_refuses_what_the_reference_refuses(text: str) -> None:
    with pytest.raises(MalformedJson):
        parse_value(text)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ("[1e5,", "]")])
def test_depth_is_limited(opening: str, closing: str) -> None:
    inside = "1" if ":" in opening else "0"
    assert parse_value(opening * MAX_DEPTH + inside + closing * MAX_DEPTH) is not None
    with pytest.raises(MalformedJson, match="nested deeper"):
        parse_value(opening * (MAX_DEPTH + 1) + inside + closing * (MAX_DEPTH + 1))


def test_brackets_in_strings_are_no_depth() -> None:
    assert parse_value(json.dumps(["[{" * 500])) == ["[{" * 500]


@bounded
@given(st.integers(-(2**53), 2**53), st.integers(-22, 22))
def test_numbers_of_few_digits_are_the_nearest_float(digits: int, exponent: int) -> None:
    text = f"{digits}e{exponent}"
    assert struct.pack("<d", read_number(text)) == struct.pack("<d", float(text) if digits else 0.0)


@bounded
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_written_floats_are_the_same_float_without_padding(number: float) -> None:
    text = serialize(number).decode("ascii")
    assert struct.pack("<d", float(text)) == struct.pack("<d", number)
    assert "e+" not in text
    assert "e-0" not in text
    assert "." in text or "e" in text


@bounded
@given(good_json)
def test_what_is_written_reads_back(value: object) -> None:
    kept, raw = plain(value)
    assert kept is value
    assert repr(json.loads(raw)) == repr(value)


@bounded
@given(any_json)
def test_plain_values_are_utf8_and_keep_their_shape(value: object) -> None:
    kept, raw = plain(value)
    raw.decode("utf-8")
    assert plain(kept) == (kept, raw) or "nan" in repr(kept)
    assert type(kept) is type(value) or isinstance(value, int)


def test_repairs_what_the_reference_cannot_hold() -> None:
    assert serialize(["\ud800", 2**64, 10**400, float("nan"), {"\udfff": True}]) == (
        '["\ufffd",1.8446744073709552e19,null,null,{"\ufffd":true}]'.encode()
    )
    untouched = {"a": [1, "é"]}
    assert plain(untouched)[0] is untouched
