"""Stored values, the references to them, and the typed preview that the model sees in their place."""

from __future__ import annotations

from harness.json.value import JsonValue, MalformedJson, parse_value, serialize
from harness.preview.coverage import Coverage, coverage, visible_ranges
from harness.preview.references import Reference, find_references, rewrite
from harness.preview.typed import Budgets, Measured, preview_pieces, reference_hint, render_preview
from harness.preview.values import Resolved, SessionValues

__all__ = [
    "Budgets",
    "Coverage",
    "JsonValue",
    "MalformedJson",
    "Measured",
    "Reference",
    "Resolved",
    "SessionValues",
    "coverage",
    "find_references",
    "parse_value",
    "preview_pieces",
    "reference_hint",
    "render_preview",
    "rewrite",
    "serialize",
    "visible_ranges",
]
