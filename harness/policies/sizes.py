"""Sizes as agents write them, to the digit."""

from __future__ import annotations


def js_size(count: int) -> str:
    """`512B`, `50.0KB`, `1.3MB`: one decimal as JavaScript's `toFixed(1)` rounds it, halves up (1280 is `1.3KB`)."""
    if count < 1024:
        return f"{count}B"
    power, letter = (1024, "K") if count < 1024**2 else (1024**2, "M")
    tenths = (20 * count + power) // (2 * power)
    return f"{tenths // 10}.{tenths % 10}{letter}B"


def short_size(count: int) -> str:
    """The same without a decimal of zero: `2KB`, `36.8KB`."""
    return js_size(count).replace(".0", "")


def spaced_size(count: int) -> str:
    """`97.7 KB`, `1.0 MB`: one decimal as Python rounds it, kilobytes at least."""
    return f"{count / 1024**2:.1f} MB" if count >= 1024**2 else f"{count / 1024:.1f} KB"
