"""Packages that are installed for one test: a module, and the metadata of a distribution."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness import registry
from harness.formats.corpus import format_named

Install = Callable[[str, str, dict[str, dict[str, str]]], None]


@contextmanager
def site(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A folder of installed packages: gives what installs one, by name, code and entry points by group."""
    modules: list[str] = []

    def install(module: str, code: str, points: dict[str, dict[str, str]]) -> None:
        name = module.replace("_", "-")
        (folder / f"{module}.py").write_text(code, encoding="utf-8")
        metadata = folder / f"{module}-1.2.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", encoding="utf-8")
        lines = [f"[{group}]\n" + "".join(f"{n} = {t}\n" for n, t in names.items()) for group, names in points.items()]
        (metadata / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
        modules.append(module)
        forget(modules)

    patch.setenv("HARNESS_PLUGINS", "on")
    patch.setenv("PYTHONPATH", str(folder))
    patch.syspath_prepend(str(folder))
    try:
        yield install
    finally:
        forget(modules)


def forget(modules: list[str]) -> None:
    """A running program looks for installed packages once."""
    for module in modules:
        sys.modules.pop(module, None)
    importlib.invalidate_caches()
    registry._found.cache_clear()
    registry._faults.clear()
    format_named.cache_clear()
