"""A run that was changed by hand and sealed anew, as another build would have left it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from harness.runs.manifest import write_manifest


def reseal(directory: Path, change: Callable[[dict[str, Any]], Any] = lambda manifest: None) -> None:
    """`change` edits the manifest in place."""
    manifest = orjson.loads((directory / "manifest.json").read_bytes())
    change(manifest)
    write_manifest(directory, manifest)
