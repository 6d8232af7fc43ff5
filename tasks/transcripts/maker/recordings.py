"""Where the made runs go: which file, which bytes, and what is planted in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.export import exporter_named
from tasks.transcripts.maker.agent import Agent, Planted

EXPORTERS: Mapping[str, str] = {"claude-code": "claude-code", "openai-chat": "openai-messages"}
PLANTED = "planted.json"


def place(agent: Agent) -> str:
    """The file of a run, below the folder of all: a session of its own, or a line in the file of its task."""
    if agent.format == "openai-chat":
        return f"openai-chat/{agent.task}.jsonl"
    return f"{agent.format}/{agent.run}.jsonl"


def recording(agent: Agent) -> bytes:
    """A run as its format writes it."""
    return exporter_named(EXPORTERS[agent.format]).export(agent.transcript())


def truth(agent: Agent) -> dict[str, Any]:
    """What is known of a run because its script was made so."""
    sizes = [len(text.encode("utf-8")) for text in agent.results]
    return {
        "run": agent.run,
        "task": agent.task,
        "file": place(agent),
        "requests": agent.requests,
        "results": [{"type": kind, "bytes": size} for kind, size in zip(agent.types, sizes, strict=True)],
        "needs": [_need(planted) for planted in agent.planted],
    }


def _need(planted: Planted) -> dict[str, Any]:
    need = planted.need
    return {
        "request": planted.request,
        "action": planted.action,
        "kind": need.kind,
        "result": need.result,
        "start": need.start,
        "end": need.end,
        "place": need.place,
        **({"path": need.path} if need.path else {}),
        "text": need.text,
        "distinctive": need.distinctive,
        "also_in": list(planted.also_in),
    }


def write_all(agents: Iterable[Agent], folder: Path) -> list[Path]:
    """Write the recordings of all runs and `planted.json`; return the files."""
    files: dict[str, bytes] = {}
    truths = []
    for agent in agents:
        files[place(agent)] = files.get(place(agent), b"") + recording(agent)
        truths.append(truth(agent))
    planted = {"schema": 1, "clock": "simulated", "runs": truths}
    files[PLANTED] = (json.dumps(planted, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return [folder / name for name in files]
