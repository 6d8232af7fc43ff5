"""What no reader may stumble over, tried on the samples of all formats."""

from __future__ import annotations

import random

import pytest

from harness.formats.corpus import identify
from harness.formats.json_text import Unreadable
from harness.testing.formats import check_one, source_of
from tests.formats.samples import SAMPLES

DEPTHS = (250, 1010, 3000)


def claimed(name: str, data: bytes) -> tuple[str, bytes]:
    found = identify(source_of(name, data).head())
    assert found is not None
    return found.name, data


@pytest.mark.parametrize("sample", SAMPLES)
def test_values_that_are_nested_deeply(sample: str) -> None:
    name, data = SAMPLES[sample]
    reader, content = claimed(name, data)
    dice = random.Random(sample)
    values = [at for at, byte in enumerate(content) if byte == ord(":")]
    for depth in DEPTHS:
        for at in dice.sample(values, min(2, len(values))):
            deep = dice.choice([b"[" * depth + b"]" * depth, b'{"text":' * depth + b"1" + b"}" * depth])
            end = content.find(b",", at)
            check_one(reader, name, content[: at + 1] + deep + content[end if end > 0 else len(content) :])


@pytest.mark.parametrize("sample", SAMPLES)
def test_files_that_were_cut_or_have_holes(sample: str) -> None:
    name, data = SAMPLES[sample]
    reader, content = claimed(name, data)
    dice = random.Random(sample)
    for _ in range(4):
        at = dice.randrange(len(content))
        check_one(reader, name, content[:at])
        check_one(reader, name, content[at:])
        check_one(reader, name, content[:at] + bytes(dice.randrange(1, 5000)) + content[at:])
    check_one(reader, name, b"")
    check_one(reader, name, b"\xef\xbb\xbf" + content)
    check_one(reader, name, content.replace(b"\n", b"\r\n"))


@pytest.mark.parametrize(
    "value", [b"null", b"[]", b"{}", b"1", b'"x"', b"[1]", b"[[]]", b"\n", b"nonsense", b"[{}]", b"NaN"]
)
def test_small_files(value: bytes) -> None:
    for name in ("a.json", "a.jsonl"):
        for reader in {claimed(*SAMPLES[sample])[0] for sample in SAMPLES}:
            check_one(reader, name, value)
        try:
            assert identify(source_of(name, value).head()) is None
        except Unreadable:
            assert value in (b"nonsense", b"NaN")
