"""How to cite a report and how to make it again."""

from __future__ import annotations

import re
import shlex
import time
from typing import Any

from harness.results.run import Run


def citation(run: Run) -> dict[str, str]:
    """What identifies the run: its id, hashes, versions, and the command that makes it again."""
    m = run.manifest
    environment: dict[str, Any] = m["environment"]
    commit = environment["git"]["commit"] or "not identified"
    dirty = " with uncommitted changes" if environment["git"]["dirty"] else ""
    tokens, cache = m["tokens"], m["cache"]
    found = {
        "run": run.id,
        "made": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(m["finished"])),
        "command": command(run),
        "corpus": f"{m['corpus']['transcripts']} transcripts, sha256 {m['corpus']['sha256']}",
        "harness": f"{environment['harness']}, commit {commit}{dirty}, code {environment['code'][:16]}",
        "tokens": f"profile {tokens['profile']} on {tokens['encoding']}, tiktoken {tokens['tiktoken']}, vocabulary "
        f"sha256 {tokens['vocabulary_sha256']}; {tokens['source']}; tool definitions {tokens['tool_definitions']}",
        "cache": f"profile {cache['name']}, as of {cache['as_of']}, grade {cache['grade']}: {cache['source']}",
    }
    if prices := m.get("prices"):
        found["prices"] = f"{prices['name']} of {prices['provider']}, as of {prices['as_of']}: {prices['source']}"
    found["python"] = f"{environment['python']}; " + ", ".join(f"{n} {v}" for n, v in environment["packages"].items())
    return found


def command(run: Run) -> str:
    """The command that makes the run again."""
    s = run.manifest["settings"]
    words = ["harness", "replay", *s["paths"]]
    for policy in s["policies"]:
        words += ["--policy", policy]
    for option in ("tokens", "prices", "cache", "window", "format"):
        if s.get(option):
            words += [f"--{option}", str(s[option])]
    return shlex.join(words)


def sentence(run: Run) -> str:
    """The citation in one line of plain text."""
    m = run.manifest
    return (
        f"Context policies replayed over {m['corpus']['transcripts']} transcripts, run {run.id}, corpus sha256 "
        f"{m['corpus']['sha256'][:16]}, context-policy-harness {m['environment']['harness']} "
        f"(code {m['environment']['code'][:16]}), {_year(run)}."
    )


def bibtex(run: Run) -> str:
    """The citation as a BibTeX entry; it holds nothing that comes out of a recording."""
    m = run.manifest
    return "\n".join(
        (
            f"@misc{{{re.sub('[^A-Za-z0-9]', '', run.id)},",
            f"  title = {{Context policies replayed over {m['corpus']['transcripts']} transcripts}},",
            f"  howpublished = {{context-policy-harness {m['environment']['harness']}, run {_plain(run.id)}}},",
            f"  year = {{{_year(run)}}},",
            f"  note = {{corpus sha256 {m['corpus']['sha256'][:16]}, code sha256 {m['environment']['code'][:16]}}},",
            "}",
        )
    )


def _year(run: Run) -> str:
    return time.strftime("%Y", time.gmtime(run.manifest["finished"]))


def _plain(text: str) -> str:
    return re.sub(r"[^\w.-]", "-", text)
