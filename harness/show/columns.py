"""The tables of every kind of run as a page: `python -m harness.show.columns` prints docs/columns.md's first part."""

from __future__ import annotations

from harness.runs.kinds import all_kinds
from harness.runs.schema import SCHEMA_VERSION, Column


def markdown() -> str:
    """A section a kind, a table a Parquet file, a row a column, out of the schema that the files are written by."""
    blocks = [f"Schema {SCHEMA_VERSION}."]
    seen: dict[str, str] = {}
    for kind in all_kinds().values():
        blocks.append(f"## harness {kind.name}")
        for name, columns in kind.tables.items():
            table = _table(columns)
            first = seen.setdefault(table, kind.name)
            same = f"The columns of `harness {first}`."
            blocks += [f"`{name}.parquet`", table if first == kind.name else same]
    return "\n\n".join(blocks)


def _table(columns: tuple[Column, ...]) -> str:
    rows = [
        f"| `{c.name}` | {c.dtype} | {c.kind} | {c.unit} | {c.meaning.replace('|', chr(92) + '|')} |" for c in columns
    ]
    return "\n".join(["| column | type | kind | unit | what it is |", "| --- | --- | --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(markdown())
