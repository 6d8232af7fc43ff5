"""Results that an agent wrote to a file, joined with the file where the recorder kept it beside the recording.

The prompt then holds a mark, the path of the file and mostly a preview (`marks.toml`, kind `spilled`). A path out of a
transcript is never opened: the names in the folders that agents use are listed, and one that the result names is taken.

    tool-results/    Claude Code, beside the session in a folder of its name; Kimi Code
    tool-outputs/    Gemini CLI, Qwen Code, beside `chats/`; in newer versions in a folder a session
    tool-output/     OpenCode, beside its database or storage
    cache/spillover/ Hermes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from harness.formats.clipping import of_kind
from harness.formats.json_text import Unreadable, parse
from harness.formats.source import Source
from harness.transcript import Message, ToolResult, Transcript

FOLDERS = ("tool-results", "tool-outputs", "tool-output", "spillover")
LARGEST = 64 << 20  # Claude Code cuts its own files there
HEAD, TAIL = 4000, 1200  # characters at the ends of a result in which it names its file
_NAMED = re.compile(r"(?:saved to|output|see|this path|search in|available at):?[ \t]+([^\n\]]+)", re.IGNORECASE)


def holds_a_result(source: Source) -> bool:
    """Whether a file lies where agents spill their results: it is part of a recording, and none of its own."""
    return any(part in FOLDERS for part in PurePosixPath(source.name.replace("!", "/")).parts[:-1])


def joined(source: Source, transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """The transcripts of a source, with the whole values of spilled results where their files are there."""
    spilled = SpilledFiles(source)
    for transcript in transcripts:
        found = [spilled.join(message) for message in transcript.messages]
        changed = any(new is not old for new, old in zip(found, transcript.messages, strict=True))
        yield replace(transcript, messages=tuple(found)) if changed else transcript


class SpilledFiles:
    """The files in which results of one recording may be kept; looked for when the first result asks."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def join(self, message: Message) -> Message:
        """The message, with the whole value of its result if that was spilled and its file is there."""
        result = message.result
        if result is None or result.whole is not None or result.clipped not in of_kind("spilled") | of_kind("removed"):
            return message
        file = next((self.files[name] for name in _names(result) if name in self.files), None)
        if file is None:
            return message
        if file.stat().st_size > LARGEST:
            self.source.problem(file.name, f"the file of a spilled result is over {LARGEST:,} bytes", lost=0)
            return message
        data = file.read_bytes()
        whole = _texts(data) if file.suffix == ".json" else data.decode("utf-8", "replace")
        return replace(message, result=replace(result, whole=whole))

    @cached_property
    def files(self) -> dict[str, Path]:
        """The files in the folders beside the recording, by name; none for one out of an archive."""
        if self.source.opener is not None:
            return {}
        place = self.source.path
        own = place if place.is_dir() else place.parent
        roots = (own / place.name.split(".")[0], own, own.parent, own.parent / "cache")
        folders = [root / name for root in roots for name in FOLDERS]
        return {file.name: file for folder in reversed(folders) for file in _files(folder)}


def _names(result: ToolResult) -> Iterator[str]:
    """The names that the file of a result may have: as its mark says, or after its call."""
    for match in _NAMED.finditer(result.content[:HEAD] + "\n" + result.content[HEAD:][-TAIL:]):
        yield re.split(r"[/\\]", match[1].strip().rstrip(".)"))[-1]
    if result.call_id:
        yield from (f"{result.call_id}.txt", f"{result.call_id}.json")


def _files(folder: Path) -> list[Path]:
    """The files of a folder and of the folders in it; links are not followed."""
    if not folder.is_dir() or folder.is_symlink():
        return []
    inside = [f for child in sorted(folder.iterdir()) for f in ([child] if child.is_file() else _one_deeper(child))]
    return [f for f in inside if not f.is_symlink()]


def _one_deeper(folder: Path) -> list[Path]:
    return [f for f in sorted(folder.iterdir()) if f.is_file()] if folder.is_dir() and not folder.is_symlink() else []


def _texts(data: bytes) -> str:
    """The text of a result kept as a list of blocks."""
    try:
        value: Any = parse(data)
    except Unreadable:
        value = None
    blocks = value if isinstance(value, list) else []
    texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)]
    return "\n".join(texts) if texts else data.decode("utf-8", "replace")
