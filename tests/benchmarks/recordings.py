"""Recordings for speed comparisons: results cut out of the standard library's source, sized as agents' results are."""

from __future__ import annotations

import json
import random
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any


@cache
def source_text() -> str:
    """Some 10 MB of Python source, as real text."""
    library = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(library.glob("*.py")) + sorted((library / "asyncio").glob("*.py"))
    return "\n".join(p.read_text(encoding="utf-8", errors="replace") for p in files)


def conversation(seed: int, requests: int) -> dict[str, Any]:
    """One conversation of OpenAI chat messages; half of the results are under 700 bytes, one in fifty is over 20 kB."""
    rng = random.Random(seed)
    text = source_text()
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": text[:4000]},
        {"role": "user", "content": f"Look into case {seed}."},
    ]
    for n in range(requests - 1):
        arguments = json.dumps({"path": f"lib/module_{rng.randrange(500)}.py", "offset": rng.randrange(4000)})
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": arguments}}
        at = rng.randrange(len(text) - 200_000)
        says = text[at : at + rng.randrange(40, 400)]
        messages.append({"role": "assistant", "content": says, "tool_calls": [call]})
        at = rng.randrange(len(text) - 200_000)
        size = min(int(rng.lognormvariate(6.5, 1.6)), 100_000)
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": text[at : at + size]})
    messages.append({"role": "assistant", "content": "Done."})
    return {"messages": messages}


def write_corpus(folder: Path, transcripts: int, requests: int, first: int = 0) -> int:
    """One file a transcript; returns the bytes written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for seed in range(first, first + transcripts):
        data = json.dumps(conversation(seed, requests)).encode("utf-8")
        (folder / f"case-{seed:05}.json").write_bytes(data)
        written += len(data)
    return written
