"""The evidence columns: what later requests take from results, and what of it each policy leaves visible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from harness.evidence import Borne, EvidenceRun, RequestStates
from harness.evidence.controls import Chance
from harness.evidence.references import Counter, referencable
from harness.evidence.windows import Windows
from harness.policies.rendering import Rendering
from harness.replay.ledger import Account

Columns = dict[str, list[Any]]

STATE_COLUMNS = ("visible", "reachable", "reachable_unknown", "held", "held_guessed", "lost", "runs_visible")


def shared_requests(borne: Borne) -> Columns:
    """Per request, what does not depend on a policy."""
    return {
        "borne": [len(r.borne) for r in borne.requests],
        "borne_runs": [sum(1 for atom in r.borne if atom.kind == "run") for r in borne.requests],
        "unsourced": [r.unsourced for r in borne.requests],
        "dropped": [r.dropped for r in borne.requests],
        "spanless": [len(r.spanless) for r in borne.requests],
    }


def shared_transcript(borne: Borne, requests: Columns, counter: Counter) -> dict[str, Any]:
    """Per transcript, what does not depend on a policy. References are sought with results as they were recorded, and
    with every text that is JSON taken for JSON."""
    recorded = referencable(borne.transcript, counter, "recorded")
    sniffed = referencable(borne.transcript, counter, "sniff")
    return {
        "borne": sum(requests["borne"]),
        "borne_runs": sum(requests["borne_runs"]),
        "pairs": sum(len({atom.sources[0] for atom in r.borne}) for r in borne.requests),
        "bearing_requests": sum(1 for n in requests["borne"] if n),
        "unsourced": sum(requests["unsourced"]),
        "dropped": sum(requests["dropped"]),
        "spanless_requests": sum(1 for n in requests["spanless"] if n),
        "referencable_arguments": len(recorded),
        "reference_tokens_saved": sum(r.tokens_saved for r in recorded),
        "referencable_arguments_sniffed": len(sniffed),
        "reference_tokens_saved_sniffed": sum(r.tokens_saved for r in sniffed),
    }


def states_of(run: EvidenceRun, account: Account) -> list[RequestStates]:
    """Per request, the borne atoms by state under one policy."""
    parse = account.policy.settings.get("parse", "recorded")
    if account.policy.stage == "admission":
        return run.count_all(account.views, parse)
    views = dict(account.admitted)
    states = []
    for k, change in enumerate(account.changes):
        views |= change
        states.append(run.count(k, _with_elsewhere(account, k, views), parse))
    return states


def _with_elsewhere(account: Account, request: int, views: Mapping[int, Rendering]) -> Mapping[int, Rendering]:
    """What a proxy put into other messages is seen as well as what it left in a result."""
    other = account.wire.elsewhere[request] if account.wire is not None else ""
    if not other:
        return views
    return {i: replace(v, text=f"{v.text}\n{other}") if v.elided_bytes else v for i, v in views.items()}


def policy_requests(states: list[RequestStates]) -> Columns:
    """Per request, the columns of one policy."""
    every = [s.every for s in states]
    return {
        "visible": [c.visible for c in every],
        "reachable": [c.reachable for c in every],
        "reachable_unknown": [c.unknown for c in every],
        "held": [c.held for c in every],
        "held_guessed": [s.guessed for s in states],
        "lost": [c.lost for c in every],
        "runs_visible": [s.runs.visible for s in states],
        "at_risk": [s.at_risk for s in states],
    }


def policy_transcript(chance: Chance, windows: Windows, account: Account, own: Columns) -> dict[str, Any]:
    """Per transcript, the columns of one policy, with what chance would have left visible."""
    kept, drawn = chance.placebo(_views_at(account)), windows.placebo(_views_at(account))
    return {name: sum(own[name]) for name in STATE_COLUMNS} | {
        "at_risk_requests": sum(own["at_risk"]),
        "placebo_visible": float(kept.visible.mean()),
        "placebo_variance": float(kept.visible.var(ddof=1)),
        "placebo_at_risk": float(kept.at_risk.mean()),
        "windows_visible": float(drawn.visible.mean()),
        "windows_variance": float(drawn.visible.var(ddof=1)),
        "windows_at_risk": float(drawn.at_risk.mean()),
    }


def _views_at(account: Account) -> Callable[[int], Mapping[int, Rendering]]:
    if account.policy.stage == "admission":
        return lambda _: account.views
    return account.views_at
