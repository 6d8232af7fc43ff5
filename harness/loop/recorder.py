"""Runs as recordings: a folder each, with the conversation and how it ended, as `harness replay` and `arms` read them.

DIR/<driver>/<policy>/<task>.<repetition>/conversation.jsonl     OpenAI messages with usage
DIR/<driver>/<policy>/<task>.<repetition>/result.json            as Harbor writes it: reward, tokens, why it ended
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson

from harness import __version__
from harness.export import exporter_named
from harness.loop.episode import Episode
from harness.loop.task import Task

RECORDED_AS = "openai-messages"


class Recorder:
    """Writes into a folder; without one, nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._exporter = exporter_named(RECORDED_AS)

    def write(self, task: Task, episode: Episode) -> None:
        if self._folder is None:
            return
        name, _, repetition = task.id.partition("#")
        _, driver, policy = episode.transcript.id.split("@", 2)
        place = self._folder / _plain(driver) / _plain(policy) / f"{_plain(name)}.{repetition or 1}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"conversation{self._exporter.suffix}").write_bytes(self._exporter.export(episode.transcript))
        (place / "result.json").write_bytes(orjson.dumps(_result(name, repetition or "1", episode)) + b"\n")


def _result(task: str, repetition: str, episode: Episode) -> dict[str, Any]:
    failed = "" if episode.stopped == "answered" else episode.stopped
    return {
        "task_name": task,
        "trial_name": repetition,
        "verifier_result": {"rewards": {"reward": float(episode.passed)}},
        "exception_info": {"exception_type": failed} if failed else None,
        "agent_info": {"name": "harness loop", "version": __version__},
    }


def _plain(name: str) -> str:
    return re.sub(r"[^\w.=-]+", "-", name)
