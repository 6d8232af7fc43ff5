"""Recordings that tests write and replay for real."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.api import replay
from harness.runs.run import Run

POLICIES = ("identity", "head:bytes=500", "middle:bytes=2000", "car")
TASKS = 9


def conversation(
    task: str, results: list[str], tool: str = "read_file", model: str = "a-model", paths: list[str] | None = None
) -> dict[str, Any]:
    """An OpenAI chat conversation with one call, of the path given for it, and one result a request."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Look into {task}."}]
    for n, text in enumerate(results):
        function = {"name": tool, "arguments": json.dumps({"path": paths[n] if paths else "it"})}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{n}", "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": f"c{n}", "content": text},
        ]
    messages.append({"role": "assistant", "content": "Done."})
    return {"messages": messages, "model": model, "metadata": {"task": task}}


def write_corpus(folder: Path) -> Path:
    """Nine tasks with one run each, results of 100, 1,000 and 10,000 letters and more of them from task to task; the
    third call takes a name from the end of the second result. A line that is cut off, and a file that no format claims.
    """
    folder.mkdir()
    for n in range(TASKS):
        name = f"ledger_{n}/q{n}-7741.tab"
        results = ["x" * 100, ("word " * 200)[: -len(name)] + name, "line\n" * (2000 + 100 * n)]
        record = conversation(f"task-{n}", results, paths=["it", "it", name])
        (folder / f"run-{n}.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / "more.jsonl").write_text(json.dumps(conversation("task-0", ["y" * 3000])) + '\n{"mess', encoding="utf-8")
    (folder / "notes.txt").write_text("nothing to replay", encoding="utf-8")
    return folder


def replayed(corpus: Path, results: Path) -> Run:
    return replay([corpus], POLICIES, results, prices="gpt-5.4")
