"""The samples of all readers' tests, by test and name: what each of them calls `SAMPLES`."""

from __future__ import annotations

import importlib
import pkgutil

import tests.formats

OVER_ALL = (
    "test_recognition",
    "test_hostile",
    "test_changes_of_type",
)  # tests over these samples, which have none of their own

SAMPLES: dict[str, tuple[str, bytes]] = {
    f"{module.name.removeprefix('test_')}/{name}": (name, data.encode() if isinstance(data, str) else data)
    for module in pkgutil.iter_modules(tests.formats.__path__)
    if module.name.startswith("test_") and module.name not in OVER_ALL
    for name, data in getattr(importlib.import_module(f"tests.formats.{module.name}"), "SAMPLES", {}).items()
}
