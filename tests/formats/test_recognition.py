"""No two formats claim the same sample, and every sample is read by the format whose sample it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.formats.corpus import Intake, all_formats, find_sources
from harness.testing.formats import source_of
from tests.formats.samples import SAMPLES


@pytest.mark.parametrize("sample", SAMPLES)
def test_one_format_claims_a_sample(sample: str) -> None:
    name, data = SAMPLES[sample]
    head = source_of(name, data).head()
    assert len([f.name for f in all_formats() if f.sniff(head)]) == 1


def test_one_format_at_most_claims_a_recording(corpora: Path) -> None:
    claimed = {}
    for source in find_sources([corpora], Intake()):
        head = source.head()
        claimed[source.name] = [f.name for f in all_formats() if f.sniff(head)]
    assert len(claimed) > 30
    assert {name: formats for name, formats in claimed.items() if len(formats) > 1} == {}
