"""Tables of runs made up for tests: what happened and what was estimated, told in a few words."""

from __future__ import annotations

import pandas as pd


def row(policy: str, **given: object) -> dict[str, object]:
    base: dict[str, object] = {
        "task": "logs/a/row/0",
        "driver": "reader",
        "policy": policy,
        "family": "logs",
        "template": "a",
        "need": "row",
        "seed": 0,
        "temperament": "careful",
        "passed": True,
        "stopped": "answered",
        "requests": 3,
        "tool_calls": 2,
        "input_tokens": 1000,
        "output_tokens": 10,
        "peak_prompt": 500,
        "handles_offered": 0,
        "handles_needed": 0,
        "handles_used": 0,
        "handles_wrong": 0,
        "handles_invented": 0,
        "handles_ignored": False,
        "low": 0,
        "evidence": 0,
        "high": 0,
        "losses": 0,
        "evidence_tokens": 0,
        "high_tokens": 0,
        "at_risk": 0,
        "elided_bytes": 0,
        "replayed_tokens": 1000,
        "added": 0,
        "added_tokens": 0,
        "identity_passed": True,
    }
    return base | given


def frame(*rows: dict[str, object]) -> pd.DataFrame:
    return pd.DataFrame(list(rows))


def many(templates: int, **policies: dict[str, object]) -> pd.DataFrame:
    """The same runs for so many templates; `identity` is always among them."""
    rows = []
    for n in range(templates):
        name = f"t{n}"
        place = {"task": f"logs/{name}/row/0", "template": name}
        rows.append(row("identity", **place))
        rows += [row(policy.replace("_bytes_", ":bytes="), **(place | given)) for policy, given in policies.items()]
    return frame(*rows)
