from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def expected(corpora: Path) -> dict[str, dict[str, Any]]:
    """Counts per recording by an independent, rough reader."""
    found: dict[str, dict[str, Any]] = json.loads((corpora / "expected.json").read_text(encoding="utf-8"))
    return found
