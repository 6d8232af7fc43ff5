"""What of a tool result the model sees: one file a family, the presets of real agents as data.

A policy is written `name` or `name:key=value,key=value`.
"""

from __future__ import annotations

FAMILIES: dict[str, str] = {}
GROUP = "harness.policies"
