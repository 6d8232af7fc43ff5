"""Results that Claude Code put into a file, joined with the file where it lies beside the session.

The prompt then holds `<persisted-output>`, the path of the file and a preview. A path out of a transcript is
never opened: the names in the recorder's own folder are listed, and one that the result names is taken.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from harness.formats.json_text import Unreadable, parse
from harness.formats.source import Source

OPENING = "<persisted-output>"
FILE_NAME = re.compile(r"saved to: .*?([^/\\\s]+\.(?:txt|json))\s*$", re.MULTILINE)
LARGEST = 64 << 20  # the client cuts its own files there


def spilled_files(source: Source) -> dict[str, Path]:
    """The files in which the client kept results of this session, by name."""
    stem = source.base.split(".")[0]
    folders = (source.sibling(stem, "tool-results"), source.sibling("..", "tool-results"))
    return {file.name: file for folder in folders if folder is not None for file in _files(folder)}


def whole_of(content: str, call_id: str | None, files: dict[str, Path], source: Source) -> str | None:
    """The whole value of a result that stands in a file, or `None`."""
    if not files or not content.lstrip().startswith(OPENING):
        return None
    named = FILE_NAME.search(content[:4000])
    names = ([named[1]] if named else []) + [f"{call_id}.txt", f"{call_id}.json"]
    file = next((files[name] for name in names if name in files), None)
    if file is None:
        return None
    if file.stat().st_size > LARGEST:
        source.problem(file.name, f"the file of a spilled result is over {LARGEST:,} bytes", lost=0)
        return None
    data = file.read_bytes()
    return _texts(data) if file.suffix == ".json" else data.decode("utf-8", "replace")


def _files(folder: Path) -> list[Path]:
    return sorted(f for f in folder.iterdir() if f.is_file() and not f.is_symlink()) if folder.is_dir() else []


def _texts(data: bytes) -> str:
    """The text of a result kept as a list of blocks."""
    try:
        value: Any = parse(data)
    except Unreadable:
        value = None
    blocks = value if isinstance(value, list) else []
    texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)]
    return "\n".join(texts) if texts else data.decode("utf-8", "replace")
