"""`harness list`: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.views.text import table

Rows = list[dict[str, Any]]


def _formats(_: Path) -> Rows:
    from harness.formats.corpus import all_formats

    return [{"format": f.name, "what": (type(f).__doc__ or "").strip().split("\n")[0]} for f in all_formats()]


def _policies(_: Path) -> Rows:
    from harness.policies.describe import describe_policies

    return [dict(row) for row in describe_policies()]


def _engines(_: Path) -> Rows:
    from harness.engines.spec import describe_engines

    return [dict(row) for row in describe_engines()]


def _exporters(_: Path) -> Rows:
    from harness.registry import targets
    from harness.reports import EXPORTERS, GROUP

    return [{"exporter": name, "where": where} for name, where in targets(EXPORTERS, GROUP).items()]


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
    from harness.money.cache import cache_profiles

    return [p.to_record() for p in cache_profiles().values()]


def _runs(results: Path) -> Rows:
    from harness.results.directory import list_runs
    from harness.results.manifest import NAME, read_manifest

    rows: Rows = []
    for run in list_runs(results):
        if not (run / NAME).exists():
            rows.append({"run": run.name, "state": "unfinished", "transcripts": None, "policies": None})
            continue
        manifest = read_manifest(run)
        rows.append(
            {
                "run": run.name,
                "state": "finished",
                "transcripts": manifest["corpus"]["transcripts"],
                "policies": len(manifest["policies"]),
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
    from harness.suite.read import read_suite

    suites = [read_suite(path) for path in sorted((bundled() / "suites").glob("*.toml"))]
    return [
        {"suite": s.place.stem, "parts": ", ".join(f"{p.kind} {p.name}" for p in s.parts), "path": str(s.place)}
        for s in suites
    ]


KINDS: dict[str, Callable[[Path], Rows]] = {
    "formats": _formats,
    "policies": _policies,
    "engines": _engines,
    "exporters": _exporters,
    "tokenizers": _tokenizers,
    "prices": _prices,
    "caches": _caches,
    "tasks": _tasks,
    "suites": _suites,
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
    if not rows:
        return "none"
    headers = list(rows[0])
    return table([["-" if row[h] is None else row[h] for h in headers] for row in rows], headers)
