"""Where a text of a recording stands in its source file: the line, found again in the file as it is now."""

from __future__ import annotations

import json
from pathlib import Path

LEAST = 24


def source_of(paths: tuple[str, ...], transcript: str) -> Path | None:
    """The file that a transcript was read from; `None` where it lies in an archive or is no longer there."""
    name = transcript.partition("#")[0]
    for given in map(Path, paths):
        for path in (given / name, given, given.parent / name):
            if path.is_file() and path.as_posix().endswith(name):
                return path
    return None


def lines_with(path: Path, text: str) -> list[int]:
    """The numbers of the lines, from 1, that hold a text as it is or as JSON writes it, once or within a string."""
    wanted = {form.encode("utf-8", "surrogatepass") for form in _forms(text)}
    found = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if any(form in line for form in wanted):
                found.append(number)
    return found


def _forms(text: str) -> list[str]:
    forms = [text]
    for ascii_only in (True, False):
        once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        forms += [once, json.dumps(once, ensure_ascii=ascii_only)[1:-1]]
    return forms


def place_of(path: Path | None, text: str, start: int, end: int) -> str:
    """In words, the line of the source in which a span of a value stands: found by the span with some of what is around
    it, on its own line of the value."""
    if path is None:
        return "source: in an archive, or no longer there"
    first = max(text.rfind("\n", 0, start) + 1, start - LEAST)
    last = text.find("\n", end)
    around = text[first : min(end + LEAST, len(text) if last < 0 else last)]
    found = lines_with(path, around)
    if not found:
        return f"source: {path.name}, line not found"
    more = f" (and {len(found) - 1} more lines that hold the same)" if len(found) > 1 else ""
    return f"source: {path.name}, line {found[0]:,}{more}"
