"""Short names of drivers."""

from __future__ import annotations

READER = "reader:temperament="


def called(driver: str) -> str:
    """A driver by a short name: `careful reader`, `tiny`."""
    return f"{driver.removeprefix(READER)} reader" if driver.startswith(READER) else driver
