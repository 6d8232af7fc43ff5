"""Runs on disk, and what makes one kind of run another (`harness.runs.kind`).

Packages add kinds of their own through the entry point group `harness.kinds`; `docs/add-a-kind.md` says how.
"""

from __future__ import annotations

KINDS: dict[str, str] = {
    "replay": "harness.replay.kind:REPLAY",
    "bench": "harness.bench.kind:BENCH",
    "grid": "harness.grid.kind:GRID",
    "redrive": "harness.redrive.kind:REDRIVE",
    "loop": "harness.loop.kind:LOOP",
    "decide": "harness.decide.kind:DECIDE",
    "match": "harness.tune.match_kind:MATCH",
    "tune": "harness.tune.kind:TUNE",
    "after": "harness.after.kind:AFTER",
    "arms": "harness.arms.kind:ARMS",
    "plan": "harness.plan.kind:PLAN",
}
GROUP = "harness.kinds"
