"""From the journal to Parquet.

Rows are sorted by transcript, so that the bytes depend neither on the number of workers nor on how often the run was
interrupted; they go through a batch of transcripts at a time, so that memory does not depend on the corpus.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.runs.journal import NAME, parse_line
from harness.runs.schema import TABLES, Column

BATCH = 50

_ARROW = {
    "category": pa.string(),
    "string": pa.string(),
    "bool": pa.bool_(),
    "boolean": pa.bool_(),
    "int32": pa.int32(),
    "Int32": pa.int32(),
    "int64": pa.int64(),
    "Int64": pa.int64(),
    "float64": pa.float64(),
    "Float64": pa.float64(),
}


def arrow_schema(columns: tuple[Column, ...]) -> pa.Schema:
    """The Parquet schema; the kind, unit and meaning of every column travel with it."""
    return pa.schema(
        [
            pa.field(
                c.name,
                _ARROW[c.dtype],
                nullable=c.dtype in ("Int32", "Int64", "Float64", "boolean"),
                metadata={"kind": c.kind, "unit": c.unit, "meaning": c.meaning},
            )
            for c in columns
        ]
    )


def write_tables(directory: Path, offsets: dict[str, int], policies: list[str]) -> dict[str, int]:
    """Write every table from the journal; `offsets` says where each transcript's record begins. Returns the row counts.

    Each file is written beside its name, synced, and renamed, so that a file of that name is always whole.
    """
    schemas = {name: arrow_schema(columns) for name, columns in TABLES.items()}
    counts = dict.fromkeys(TABLES, 0)
    with ExitStack() as stack:
        writers = {name: stack.enter_context(_written(directory, name, schema)) for name, schema in schemas.items()}
        for records in _batches(directory, offsets):
            for name, columns in TABLES.items():
                batch = _table(name, columns, schemas[name], records, policies)
                counts[name] += batch.num_rows
                writers[name].write_table(batch)
    return counts


def write_table(directory: Path, name: str, schema: pa.Schema, batches: Iterable[pa.Table]) -> int:
    """Write one table, whole or not at all. Returns the number of rows."""
    rows = 0
    with _written(directory, name, schema) as writer:
        for batch in batches:
            rows += batch.num_rows
            writer.write_table(batch)
    return rows


def write_rows(directory: Path, name: str, columns: tuple[Column, ...], rows: Iterable[Mapping[str, Any]]) -> int:
    """Write one table of rows that are in memory, whole or not at all. Returns the number of rows."""
    listed, schema = list(rows), arrow_schema(columns)
    table = pa.table({c.name: [row[c.name] for row in listed] for c in columns}, schema=schema)
    return write_table(directory, name, schema, [table])


@contextmanager
def _written(directory: Path, name: str, schema: pa.Schema) -> Iterator[pq.ParquetWriter]:
    """A writer beside the table's name; where all went well the file is synced and renamed."""
    beside = directory / f".{name}.parquet.part"
    with pq.ParquetWriter(beside, schema, compression="zstd", write_page_checksum=True) as writer:
        yield writer
    sync(beside)
    beside.replace(directory / f"{name}.parquet")


def sync(path: Path) -> None:
    """Have the operating system put a file onto the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def _batches(directory: Path, offsets: dict[str, int]) -> Iterator[list[dict[str, Any]]]:
    with (directory / NAME).open("rb") as stream:
        batch: list[dict[str, Any]] = []
        for transcript in sorted(offsets):
            stream.seek(offsets[transcript])
            batch.append(parse_line(stream.readline(), directory / NAME))
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


def _table(
    name: str,
    columns: tuple[Column, ...],
    schema: pa.Schema,
    records: list[dict[str, Any]],
    policies: list[str],
) -> pa.Table:
    data: dict[str, list[Any]] = {c.name: [] for c in columns}
    for record in records:
        shared = record["shared"][name]
        for policy in policies:
            own = record["policies"][policy][name]
            rows = len(next(iter(own.values())))
            for c in columns:
                if c.name == "transcript":
                    data[c.name] += [record["transcript"]] * rows
                elif c.name == "policy":
                    data[c.name] += [policy] * rows
                elif c.name == "source":
                    data[c.name] += [record["source"]] * rows
                else:
                    data[c.name] += own[c.name] if c.per_policy else shared[c.name]
    return pa.table(data, schema=schema)
