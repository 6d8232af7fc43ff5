"""A place in a text."""

from __future__ import annotations

Span = tuple[int, int]
"""First character and the one behind the last, counted in code points."""
