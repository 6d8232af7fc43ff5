"""Reading a corpus: which format reads which source, and what came of it.

A broken file or record is quarantined with its place and reason; a file that no format claims is skipped and listed.
Neither ends the reading, and neither is counted as zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from harness import Format
from harness.formats import FORMATS, GROUP
from harness.formats.json_text import Unreadable
from harness.formats.source import BROKEN_ARCHIVE, Head, HoldsNothing, Source, is_archive, members, sources
from harness.registry import load, targets
from harness.transcript import Problem, Transcript


@dataclass
class Intake:
    """What was met on the way: `skipped` holds names and why no format reads them, `problems` what is in quarantine."""

    skipped: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@cache
def format_named(name: str) -> Format:
    """The format of that name. An unknown name is a `HarnessError` that lists all."""
    return cast(Format, load(FORMATS, GROUP, name)())


def all_formats() -> list[Format]:
    """Every known format, in the order in which they are asked."""
    return [format_named(name) for name in targets(FORMATS, GROUP)]


def identify(head: Head) -> Format | None:
    """The first format that claims a source."""
    return next((f for f in all_formats() if f.sniff(head)), None)


def find_sources(paths: list[Path], intake: Intake) -> Iterator[Source]:
    """Every source at or below `paths`, archives entered unless a format claims them whole."""
    for source in sources(paths, lambda head: identify(head) is not None):
        if _is_unclaimed_archive(source):
            yield from members(source)
            intake.problems += source.problems
        else:
            yield source


def _is_unclaimed_archive(source: Source) -> bool:
    try:
        return is_archive(source) and identify(source.head()) is None
    except (Unreadable, *BROKEN_ARCHIVE):
        return False  # whoever reads it names the fault


def read_source(source: Source, intake: Intake, forced: str | None = None) -> Iterator[Transcript]:
    """The transcripts of one source; `forced` names the format instead of looking at the content."""
    try:
        head = source.head()
        chosen = format_named(forced) if forced else identify(head)
        if chosen is None:
            intake.skipped.append((source.name, why_skipped(head)))
            return
        yield from chosen.read(source)
    except HoldsNothing as reason:
        intake.skipped.append((source.name, str(reason)))
    except Unreadable as error:
        source.problem("", str(error))
    except BROKEN_ARCHIVE as error:
        source.problem("", f"cannot be read: {error}")
    finally:
        intake.problems += source.problems
        source.problems = []
        source.release()


def why_skipped(head: Head) -> str:
    """One phrase for the list of skipped files."""
    if head.kind == "empty":
        return "empty file"
    if head.kind in ("text", "binary", "zip", "sqlite", "directory"):
        return f"{head.kind}, of no known format"
    keys = ", ".join(sorted(head.records[0])[:8]) if head.records else ""
    return f"JSON of no known format (top-level keys: {keys})" if keys else "JSON of no known format"


def read_transcripts(paths: list[Path], intake: Intake, forced: str | None = None) -> Iterator[Transcript]:
    """All transcripts at or below `paths`, one at a time, in a fixed order."""
    for source in find_sources(paths, intake):
        yield from read_source(source, intake, forced)
