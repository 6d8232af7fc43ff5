"""Plain text and markup: two parts of the beginning for one of the end."""

from __future__ import annotations

from harness.preview.excerpt import Plan, ends, in_order, lines_of


def plan(text: str) -> Plan:
    """Lines from both ends inwards."""
    lines = lines_of(text)
    return Plan({}, (), in_order(lines, ends(len(lines))))
