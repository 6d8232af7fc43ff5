"""Length bands of inputs, by UTF-8 bytes, which are the same for every engine; tokens are not."""

from __future__ import annotations

from typing import Final

LIMITS: Final = (64, 256, 1024, 4096, 16384)
BANDS: Final = (
    *("under 64 B", "64 to 255 B", "256 B to 1 KiB"),
    *("1 to 4 KiB", "4 to 16 KiB", "16 KiB and more"),
)


def band(size: int) -> str:
    """The band of an input of so many bytes."""
    return BANDS[sum(size >= limit for limit in LIMITS)]
