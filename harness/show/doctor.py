"""`harness doctor`: what works on this computer, what is missing, and how to get it."""

from __future__ import annotations

import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from harness.errors import HarnessError
from harness.report.table import Column, Table
from harness.report.table_text import grid, width

OPTIONAL = {
    "ruptures": ("change points in `harness history`", "pip install 'context-policy-harness[nightly]'"),
    "xllamacpp": ("the engine `llama`", "pip install 'context-policy-harness[llama]'"),
    "needle_rs": ("the bundled engine `tiny`", "pip install 'context-policy-harness[tiny]'"),
}
_DISTRIBUTION = {"needle_rs": "needle-rs"}


def checks() -> list[dict[str, Any]]:
    """One row a check: what, its state (`ok`, `missing`, `broken`), and what to know or do."""
    rows = [_row("python", "ok", platform.python_version())]
    rows += [_vocabulary(name) for name in ("o200k_base", "cl100k_base", "o200k_harmony")]
    rows.append(_accelerator())
    rows.append(_formats())
    rows.append(_policies())
    rows.append(_bundled_engine())
    rows += _plug_ins()
    rows.append(_cache())
    rows += [_package(name, *what) for name, what in OPTIONAL.items()]
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    rows.append(
        _row("browser", "ok", "found, for the tests of the report")
        if browser
        else _row("browser", "missing", "only the tests of the report need one: install the package chromium")
    )
    return rows


def _row(what: str, state: str, detail: str) -> dict[str, Any]:
    return {"what": what, "state": state, "detail": detail}


def _vocabulary(name: str) -> dict[str, Any]:
    from harness.tokens.exact import ExactTokenizer

    try:
        tokens = ExactTokenizer(name).count("hello world")
    except HarnessError as error:
        return _row(f"vocabulary {name}", "broken", str(error))
    return _row(f"vocabulary {name}", "ok" if tokens == 2 else "broken", "on disk, its hash is right")


def _accelerator() -> dict[str, Any]:
    from harness.tokens.accelerated import DISTRIBUTION, accelerator

    whys = {why for name in ("o200k_base", "cl100k_base", "o200k_harmony") if (why := accelerator(name))}
    if whys:
        return _row("accelerator", "missing", f"{'; '.join(sorted(whys))}; tiktoken counts in its place")
    return _row("accelerator", "ok", f"{DISTRIBUTION} {version(DISTRIBUTION)}, counts as tiktoken does")


def _formats() -> dict[str, Any]:
    from harness.formats.corpus import all_formats

    return _row("formats", "ok", f"{len(all_formats())} readers")


def _policies() -> dict[str, Any]:
    from harness.policies.describe import describe_policies

    return _row("policies", "ok", f"{len(describe_policies())} families and presets")


def _bundled_engine() -> dict[str, Any]:
    from harness.engines.tiny import MODEL

    if not MODEL.exists():
        return _row("engine tiny", "broken", f"{MODEL.name} is not in the package: install it again")
    return _row("engine tiny", "ok", f"{MODEL.name}, {MODEL.stat().st_size // 1000} kB")


def _plug_ins() -> list[dict[str, Any]]:
    """A row a plug-in that is left out; one for all where there is none."""
    from harness.engines.spec import describe_engines
    from harness.registry import faults, load_all
    from harness.report import EXPORTERS
    from harness.report import GROUP as EXPORTER_GROUP
    from harness.runs.kinds import all_kinds

    describe_engines()
    all_kinds()
    load_all(EXPORTERS, EXPORTER_GROUP)
    left_out = [_row(f"{f.group} {f.name}", "broken", f"{f.distribution}: {f.why}") for f in faults()]
    return left_out or [_row("plug-ins", "ok", "none is left out")]


def _cache() -> dict[str, Any]:
    from harness.tokens.store import cache_folder, cache_is_on

    if not cache_is_on():
        return _row("cache", "ok", "off (HARNESS_CACHE=off): every run counts anew")
    folder = cache_folder()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return _row("cache", "ok", f"{folder}, {size / 1e6:,.1f} MB; safe to delete (HARNESS_CACHE_DIR names another)")


def _package(name: str, purpose: str, how: str) -> dict[str, Any]:
    try:
        found = version(_DISTRIBUTION.get(name, name))
    except PackageNotFoundError:
        return _row(name, "missing", f"only for {purpose}: {how}")
    return _row(name, "ok", found)


def checks_text(rows: list[dict[str, Any]]) -> str:
    shown = Table("checks", "", "", columns=tuple(Column(key, key) for key in ("what", "state", "detail")), data=rows)
    return grid(shown, shown.rows, width())
