"""The end of a re-drive: the table and the facts out of the journal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from harness.live.turns import paid_and_stopped
from harness.redrive.settings import RedriveSettings
from harness.runs.kind import Record, Rows
from harness.runs.records import corpus_record, token_record


def rows_of(settings: RedriveSettings, records: list[Record]) -> tuple[Rows, Record]:
    """The rows, sorted, and what the manifest says beside them."""
    starts: dict[str, Record] = {}
    digests: dict[str, str] = {}
    corpus: Record = {"skipped": [], "problems": []}
    rows: list[dict[str, Any]] = []
    without_prompt = 0
    for record in records:
        match record["kind"]:
            case "start":
                starts[record["engine"]] = record
            case "transcript":
                digests[record["transcript"]] = record["digest"]
            case "request":
                rows += record["rows"]
                without_prompt += not record["rows"]
            case "corpus":
                corpus = record
    policies, engines = settings.make_policies(), settings.make_engines()
    asked = {engine.label: n for n, engine in enumerate(engines)}
    under = {policy.label: n for n, policy in enumerate(policies)}
    rows.sort(key=lambda row: (asked[row["engine"]], row["transcript"], under[row["policy"]], row["request"]))
    return {"redrive": rows}, paid_and_stopped(records) | {
        "engines": [
            {"label": e.label} | {key: starts[e.label][key] for key in ("identity", "window", "window_from")}
            for e in engines
            if e.label in starts
        ],
        "policies": [{"label": p.label, "stage": p.stage, "settings": dict(p.settings)} for p in policies],
        "tokens": token_record(settings.profile()),
        "corpus": corpus_record(digests),
        "tools_from": dict(Counter({row["transcript"]: row["tools_from"] for row in rows}.values())),
        "without_prompt": without_prompt,
        "skipped": corpus["skipped"],
        "problems": sorted(corpus["problems"], key=lambda p: (p["place"], p["reason"])),
    }
