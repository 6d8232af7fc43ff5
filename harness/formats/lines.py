"""The records of a JSONL file, for readers that take them one by one."""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.record import Record, Report, kind_of
from harness.formats.source import Source


def line_records(source: Source, report: Report) -> Iterator[Record]:
    """The objects of a file, a record a line with its place; what is no object is a problem of the source."""
    for number, value in source.lines():
        if isinstance(value, dict):
            yield Record(value, f"{source.name}: line {number}", report)
        else:
            source.problem(f"line {number}", f"{kind_of(value)} where an object belongs")
