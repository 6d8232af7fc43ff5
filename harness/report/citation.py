"""How to cite a report and how to make it again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.runs.run import Run


@dataclass(frozen=True)
class Citation:
    """sentence: one line of plain text. bibtex: an entry that holds nothing which comes out of a recording. facts: what
    identifies the run: its id, hashes, versions, and the command that makes it again."""

    sentence: str
    bibtex: str
    facts: Mapping[str, str]


def cite(run: Run, title: str, facts: Mapping[str, str], note: str) -> Citation:
    """title: what was done with what, in words that come from no recording. note: the hashes that tell the
    data apart."""
    environment: dict[str, Any] = run.manifest["environment"]
    commit = environment["git"]["commit"] or "not identified"
    dirty = " with uncommitted changes" if environment["git"]["dirty"] else ""
    machine = environment["machine"]
    seconds = run.manifest["finished"]
    year, code = time.strftime("%Y", time.gmtime(seconds)), environment["code"][:16]
    found = {
        "run": run.id,
        "seal": run.manifest.get("seal", "not sealed"),
        "made": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds)),
        "command": run.command(),
        **facts,
        "harness": f"{environment['harness']}, commit {commit}{dirty}, code {code}",
        "machine": f"{machine['model'] or machine['processor']}, {machine['cpus']} CPUs, {machine['system']} "
        f"{machine['release']}",
        "python": f"{environment['python']}; " + ", ".join(f"{n} {v}" for n, v in environment["packages"].items()),
    }
    return Citation(
        f"{title}, run {run.id}, {note}, context-policy-harness {environment['harness']} (code {code}), {year}.",
        "\n".join(
            (
                f"@misc{{{re.sub('[^A-Za-z0-9]', '', run.id)},",
                f"  title = {{{title}}},",
                f"  howpublished = {{context-policy-harness {environment['harness']}, run {_plain(run.id)}}},",
                f"  year = {{{year}}},",
                f"  note = {{{note}, code sha256 {code}}},",
                "}",
            )
        ),
        found,
    )


def cite_bench(run: Run) -> Citation:
    m = run.manifest
    engines, tasks = m["engines"], m["tasks"]
    facts = {"tasks": f"{tasks['tasks']} tasks, sha256 {tasks['sha256']}"}
    facts |= engine_facts(engines)
    title = f"{len(engines)} engine{'s' if len(engines) > 1 else ''} measured on {tasks['tasks']} tasks"
    return cite(run, title, facts, f"tasks sha256 {tasks['sha256'][:16]}")


def engine_facts(engines: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Of every engine of a manifest what identifies it."""
    found = {}
    for engine in engines:
        identity = engine["identity"]
        hashes = "".join(f", {what} sha256 {digest}" for what, digest in identity["hashes"].items())
        found[f"engine {engine['label']}"] = f"{identity['name']} {identity['build']}{hashes}"
    return found


def _plain(text: str) -> str:
    return re.sub(r"[^\w.-]", "-", text)
