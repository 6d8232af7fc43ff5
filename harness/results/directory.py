"""Where a new run goes: `<UTC>-<short hash of its settings>`."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import orjson

from harness.results.journal import Journal


def new_run(results: Path, header: dict[str, Any]) -> Journal:
    """A new run directory with its journal; `header` holds `settings` and `started`, seconds since the epoch."""
    short = hashlib.sha256(orjson.dumps(header["settings"])).hexdigest()[:8]
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(header["started"]))
    directory = results / f"{stamp}-{short}"
    number = 2
    while directory.exists():
        directory = results / f"{stamp}-{short}-{number}"
        number += 1
    return Journal.create(directory, header)
