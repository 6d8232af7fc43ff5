"""What of a tool result the model sees: one file a family, the presets of real agents as data.

A policy is written `name` or `name:key=value,key=value` (`harness.policies.spec`).
"""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    "identity": "harness.policies.identity:Identity",
    "head": "harness.policies.head:Head",
    "tail": "harness.policies.tail:Tail",
    "middle": "harness.policies.middle:Middle",
    "spill": "harness.policies.spill:Spill",
    "whole_lines": "harness.policies.whole_lines:WholeLines",
    "lines_and_bytes": "harness.policies.lines_and_bytes:LinesAndBytes",
    "numbered": "harness.policies.numbered:Numbered",
    "by_tool": "harness.policies.by_tool:ByTool",
    "turn_budget": "harness.policies.turn_budget:TurnBudget",
    "nooa": "harness.policies.nooa:Nooa",
    "anchored": "harness.policies.anchored:Anchored",
    "car": "harness.policies.car:Car",
    "car_read": "harness.policies.car_read:CarRead",
    "preview": "harness.policies.auto:Preview",
    "auto": "harness.policies.auto:Auto",
    "gist": "harness.policies.gist:Gist",
    "mask_last_n": "harness.policies.mask_last_n:MaskLastN",
    "mask_window": "harness.policies.mask_window:MaskWindow",
    "clear": "harness.policies.clear:Clear",
    "lease": "harness.policies.lease:Lease",
    "prune_boundary": "harness.policies.prune_boundary:PruneBoundary",
    "summarise": "harness.policies.summarise:Summarise",
    "placebo": "harness.policies.placebo:Placebo",
    "command": "harness.policies.command:Command",
    "python": "harness.policies.python_call:Python",
    "wire": "harness.policies.wire.policy:Wire",
}
GROUP = "harness.policies"
