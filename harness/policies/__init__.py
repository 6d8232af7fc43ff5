"""What of a tool result the model sees: one file a family, the presets of real agents as data.

A policy is written `name` or `name:key=value,key=value` (`harness.policies.spec`).
"""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "identity": "harness.policies.identity:Identity",
    "head": "harness.policies.head:Head",
    "tail": "harness.policies.tail:Tail",
    "middle": "harness.policies.middle:Middle",
    "car": "harness.policies.car:Car",
}
GROUP = "harness.policies"
