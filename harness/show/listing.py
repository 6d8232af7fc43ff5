"""`harness list`: what there is to choose from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.report.table import Column, Table
from harness.report.table_text import grid, width
from harness.report.units import EXACT, NAME, TEXT, Unit

Rows = list[dict[str, Any]]


def _formats(_: Path) -> Rows:
    from harness.formats.corpus import all_formats

    known = "public recordings"
    return [
        {"format": f.name, "what": _first_sentence(f), "read on": getattr(f, "read_on", known)} for f in all_formats()
    ]


def _dialects(_: Path) -> Rows:
    from harness.formats.matrix import READ, matrix

    return [
        {
            "dialect": dialect,
            "read in": ", ".join(container for container, state in row.items() if state == READ),
            "cannot occur in": "; ".join(
                f"{', '.join(c for c, s in row.items() if s == reason)}: {reason}"
                for reason in dict.fromkeys(state for state in row.values() if state != READ)
            )
            or None,
        }
        for dialect, row in matrix().items()
    ]


def _marks(_: Path) -> Rows:
    from harness.formats.clipping import marks

    return [
        {
            "mark": m.name,
            "kind": m.kind,
            "last seen": m.last_seen,
            "left by policies": ", ".join(sorted(m.policies)) or None,
            "source": m.source,
        }
        for m in marks()
    ]


def _first_sentence(reader: object) -> str:
    """What a reader says of itself, or its file says of it, in one sentence."""
    said = type(reader).__doc__ or sys.modules[type(reader).__module__].__doc__ or ""
    return " ".join(said.strip().split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")


def _policies(_: Path) -> Rows:
    from harness.policies.describe import describe_policies

    return [dict(row) for row in describe_policies()]


def _engines(_: Path) -> Rows:
    from harness.engines.spec import describe_engines

    return [dict(row) for row in describe_engines()]


def _exporters(_: Path) -> Rows:
    from harness.registry import load_all
    from harness.report import EXPORTERS, GROUP

    return [
        {"exporter": name, "what": _first_sentence(exporter())} for name, exporter in load_all(EXPORTERS, GROUP).items()
    ]


def _converters(_: Path) -> Rows:
    from harness.export import GROUP, TRANSCRIPT_EXPORTERS
    from harness.registry import load_all

    return [
        {"format": name, "what": _first_sentence(exporter()), "cannot hold": _cannot_hold(exporter())}
        for name, exporter in load_all(TRANSCRIPT_EXPORTERS, GROUP).items()
    ]


def _cannot_hold(exporter: object) -> str | None:
    """What an exporter of transcripts says that its format cannot hold: its docstring's, or its file's, sentence."""
    said = " ".join((type(exporter).__doc__ or sys.modules[type(exporter).__module__].__doc__ or "").split())
    return said.partition("Cannot hold: ")[2].partition(". ")[0].removesuffix(".") or None


def _tokenizers(_: Path) -> Rows:
    from harness.tokens.profiles import PROFILES

    return [vars_of(p) for p in PROFILES.values()]


def _prices(_: Path) -> Rows:
    from harness.money.prices import price_models

    return [
        {"model": m.name, "provider": m.provider}
        | {f"{name} USD/Mtok": value for name, value in vars_of(m.base).items()}
        | {"dearer over": ", ".join(f"{over:,}" for over, _ in m.tiers) or None, "as_of": m.as_of}
        for m in price_models().values()
    ]


def _caches(_: Path) -> Rows:
    from harness.money.cache import NEVER, cache_profiles

    return [
        {
            "name": p.name,
            "block, tokens": p.block,
            "minimum, tokens": p.minimum if p.minimum < NEVER else None,
            "lifetime, s": p.lifetime,
            "source": p.source,
            "as_of": p.as_of,
            "grade": p.grade,
        }
        for p in cache_profiles().values()
    ]


def _kinds(_: Path) -> Rows:
    from harness.runs.kinds import all_kinds

    return [
        {"kind": kind.name, "what": kind.help.partition("\n")[0], "tables": ", ".join(kind.tables)}
        for kind in all_kinds().values()
    ]


def _runs(results: Path) -> Rows:
    from harness.runs.directory import is_finished, list_runs
    from harness.runs.manifest import read_manifest

    rows: Rows = []
    for run in list_runs(results):
        state, manifest = "unfinished", dict[str, Any]()
        if is_finished(run):
            try:
                state, manifest = "finished", read_manifest(run)
            except HarnessError as error:
                state = f"cannot be read: {error}"
        corpus, policies = manifest.get("corpus"), manifest.get("policies")
        rows.append(
            {
                "run": run.name,
                "command": manifest.get("command"),
                "state": state,
                "transcripts": corpus["transcripts"] if corpus else None,
                "policies": len(policies) if policies else None,
            }
        )
    return rows


def _tasks(_: Path) -> Rows:
    from harness.bench.tasks import read_tasks
    from harness.bundled import bundled

    rows: Rows = []
    for path in sorted((bundled() / "engine").glob("*.jsonl")):
        tasks = list(read_tasks(path))
        rows.append({"tasks": path.stem, "turns": sum(len(t.turns) for t in tasks), "path": str(path)})
    return rows


def _suites(_: Path) -> Rows:
    from harness.bundled import bundled
    from harness.nightly.read import read_suite

    suites = [read_suite(path) for path in sorted((bundled() / "suites").glob("*.toml"))]
    return [
        {"suite": s.place.stem, "parts": ", ".join(f"{p.kind} {p.name}" for p in s.parts), "path": str(s.place)}
        for s in suites
    ]


KINDS: dict[str, Callable[[Path], Rows]] = {
    "formats": _formats,
    "dialects": _dialects,
    "marks": _marks,
    "policies": _policies,
    "engines": _engines,
    "exporters": _exporters,
    "converters": _converters,
    "tokenizers": _tokenizers,
    "prices": _prices,
    "caches": _caches,
    "tasks": _tasks,
    "suites": _suites,
    "kinds": _kinds,
    "runs": _runs,
}


def vars_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, slots or not."""
    fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
    return {name: dict(field) if isinstance(field, Mapping) else field for name, field in fields.items()}


def listing(what: str, results: Path) -> Rows:
    """The rows of a list; an unknown one is a `HarnessError` that names all."""
    if what not in KINDS:
        raise HarnessError(f"nothing called {what!r} to list; there are: {', '.join(KINDS)}")
    return KINDS[what](results)


def listing_text(rows: Rows) -> str:
    """For the terminal: names at the left, figures to the right, words wrapped."""
    if not rows:
        return "none"
    columns = tuple(Column(key, key, _unit([row[key] for row in rows], n)) for n, key in enumerate(rows[0]))
    shown = Table("list", "", "", columns=columns, data=rows)
    return grid(shown, shown.rows, width())


def _unit(values: list[Any], place: int) -> Unit:
    if not place:
        return NAME
    known = [value for value in values if value is not None]
    figures = bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)
    return replace(EXACT, absent="-") if figures else TEXT
