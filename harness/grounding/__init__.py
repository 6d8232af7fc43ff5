"""Grounding: where each argument of a call comes from. `check` has the rules in one table."""

from __future__ import annotations

from harness.grounding.check import RULES, ArgumentGrounding, Origin, ground_call
from harness.grounding.sources import Said, Source

__all__ = ["RULES", "ArgumentGrounding", "Origin", "Said", "Source", "ground_call"]
