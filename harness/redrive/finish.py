"""The end of a re-drive: the table out of the journal, then the manifest, last."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa

from harness.redrive.settings import RedriveSettings
from harness.replay.finish import corpus_record, token_record
from harness.runs.journal import read_journal
from harness.runs.manifest import environment, write_manifest
from harness.runs.redrive_schema import REDRIVE
from harness.runs.tables import arrow_schema, write_table


def finish(directory: Path, settings: RedriveSettings, now: float) -> None:
    """Write the table and the manifest of a run whose work is all in the journal."""
    header: dict[str, Any] = {}
    starts: dict[str, dict[str, Any]] = {}
    digests: dict[str, str] = {}
    corpus: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    without_prompt = 0
    for _, record in read_journal(directory):
        match record["kind"]:
            case "run":
                header = record
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
    schema = arrow_schema(REDRIVE)
    table = pa.table({c.name: [row[c.name] for row in rows] for c in REDRIVE}, schema=schema)
    write_manifest(
        directory,
        {
            "run": directory.name,
            "command": "redrive",
            "settings": settings.to_record(),
            "engines": [
                {"label": e.label} | {key: starts[e.label][key] for key in ("identity", "window", "window_from")}
                for e in engines
            ],
            "policies": [{"label": p.label, "stage": p.stage, "settings": dict(p.settings)} for p in policies],
            "tokens": token_record(settings.profile()),
            "corpus": corpus_record(digests),
            "tools_from": dict(Counter({row["transcript"]: row["tools_from"] for row in rows}.values())),
            "without_prompt": without_prompt,
            "skipped": corpus["skipped"],
            "problems": sorted(corpus["problems"], key=lambda p: (p["place"], p["reason"])),
            "rows": {"redrive": write_table(directory, "redrive", schema, [table])},
            "environment": environment(),
            "started": header["started"],
            "finished": now,
            "exit_status": 0,
        },
    )
