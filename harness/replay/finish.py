"""The end of a replay: tables out of the journal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from harness.errors import HarnessError
from harness.evidence import background
from harness.evidence.rule import rule_record
from harness.money.prices import snapshot_source
from harness.money.tariffs import Tariffs
from harness.policies.spec import NamedPolicy
from harness.replay.settings import ReplaySettings
from harness.runs.journal import read_journal
from harness.runs.kind import Going, Record
from harness.runs.records import corpus_record, token_record
from harness.runs.tables import write_tables


def finish(settings: ReplaySettings, going: Going) -> tuple[dict[str, int], Record]:
    """Write the tables of a run whose work is all in the journal; their row counts, and what the manifest says."""
    directory = going.directory
    offsets: dict[str, int] = {}
    digests: dict[str, str] = {}
    sources: dict[str, dict[str, Any]] = {}
    problems: list[dict[str, Any]] = []
    copies: list[dict[str, Any]] = []
    ends: dict[str, int] = {}
    models: Counter[str] = Counter()
    controls: dict[str, Any] = {}
    for offset, record in read_journal(directory):
        match record["kind"]:
            case "transcript":
                name = record["transcript"]
                if name in offsets:
                    raise HarnessError(f"{directory}: its journal holds {name!r} twice: damaged; start a new run")
                offsets[name] = offset
                digests[name] = record["shared"]["transcripts"]["digest"][0]
                models.update(record["shared"]["requests"]["model"])
            case "source":
                sources[record["piece"]] = record
            case "corpus":
                problems, copies = record["problems"], record.get("copies", [])
                ends = record.get("ends", {})
            case "controls":
                controls = {name: value for name, value in record.items() if name != "kind"}
    measures = settings.measures()
    labels = [p.label for p in measures.policies]
    rows = write_tables(directory, offsets, labels)
    # A source in stripes, resumed with other stripes, was read from its start twice.
    once = {record["source"]: record for record in sources.values() if record["problems"] or record["skipped"]}
    for record in once.values():
        problems += record["problems"]
    skipped = sorted(tuple(s) for record in once.values() for s in record["skipped"])
    return rows, {
        "policies": [policy_record(p) for p in measures.policies],
        "tokens": token_record(measures.tokens) | {"tokenizer": measures.counter.tokenizer},
        **money_record(measures.tariffs, models),
        "background": {"version": background().version, "sha256": background().sha256},
        "evidence": rule_record(),
        "corpus": corpus_record(digests),
        "sources": len({record["source"] for record in sources.values()}),
        "copies": copies,
        "records": ends,
        "skipped": [list(s) for s in skipped],
        "problems": sorted(problems, key=lambda p: (p["place"], p["reason"])),
        "controls": controls,
    }


def policy_record(policy: NamedPolicy) -> dict[str, Any]:
    """A policy with its settings, and what ran where a program of somebody else's stands behind it."""
    record = {"label": policy.label, "stage": policy.stage, "settings": dict(policy.settings)}
    ran = policy.ran()
    return record | {"program": ran} if ran else record


def money_record(tariffs: Tariffs, models: Counter[str]) -> dict[str, Any]:
    """Whose prices and cache rules applied, and to how many requests of which recorded models."""
    priced = {model: tariffs.of(model or None) for model in sorted(models)}
    found = {tariff.model.name: tariff for tariff in priced.values() if tariff is not None}
    profiles = {profile.name: profile for profile in tariffs.requests([model or None for model in priced]).caches}
    return {
        "cache": {"asked": tariffs.cache, "profiles": {name: profiles[name].to_record() for name in sorted(profiles)}},
        "prices": {
            "asked": tariffs.prices,
            **snapshot_source(),
            "models": {name: t.model.to_record() | {"break_even": t.break_even()} for name, t in sorted(found.items())},
        },
        "models": [
            {"model": model, "requests": models[model], "priced_as": tariff.model.name if tariff else None}
            for model, tariff in priced.items()
        ],
    }
