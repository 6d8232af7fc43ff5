"""Reading a corpus: which format reads which source, and what came of it.

A broken file or record is quarantined with its place and reason; a file that no format claims is skipped and listed.
Neither ends the reading, and neither is counted as zero. A corpus is read twice: first for the marks that its answers
are known by, so that in the second reading each is a request once.
"""

from __future__ import annotations

import io
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from harness import Format
from harness.errors import HarnessError
from harness.formats import FORMATS, GROUP, outcomes
from harness.formats.archives import archive_kind, members
from harness.formats.identity.copies import NONE, Copies, Pair
from harness.formats.identity.index import index_of
from harness.formats.identity.trace import Trace, trace
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.limits import BROKEN_ARCHIVE
from harness.formats.reading import Reached
from harness.formats.source import Head, HoldsNothing, Source, sources
from harness.formats.spilled import holds_a_result, joined
from harness.formats.watch import TooMuch, watched
from harness.formats.well_formed import with_writable_names
from harness.registry import is_installed, leave_out, load, targets
from harness.tool_table import with_json_results
from harness.transcript import Problem, Transcript


@dataclass
class Intake:
    """What was met on the way: `skipped` holds names and why no format reads them, `problems` what is in quarantine,
    `copies` the transcripts with answers that are counted in another, `ends` how the records of the sources with
    transcripts ended (`harness.formats.reading`)."""

    skipped: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    copies: list[Pair] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)


@cache
def format_named(name: str) -> Format:
    """The format of that name. An unknown name is a `HarnessError` that lists all."""
    return cast(Format, load(FORMATS, GROUP, name)())


def all_formats() -> list[Format]:
    """Every format that can be loaded, in the order in which they are asked."""
    names = targets(FORMATS, GROUP)
    return [format_named(name) for name in names if name in FORMATS or _can_be_made(name)]


def _can_be_made(name: str) -> bool:
    try:
        format_named(name)
    except HarnessError:
        return False  # registry: named and left out
    except Exception as error:  # noqa: BLE001 - a stranger's constructor
        leave_out(GROUP, name, f"it cannot be made ({type(error).__name__}: {error})")
        return False
    return True


def identify(head: Head) -> Format | None:
    """The first format that claims a source."""
    return next((f for f in all_formats() if _claims(f, head)), None)


def _claims(format: Format, head: Head) -> bool:
    try:
        return format.sniff(head)
    except Exception as error:
        if not is_installed(GROUP, format.name):
            raise
        leave_out(GROUP, format.name, f"it raises where it looks at {head.name} ({type(error).__name__}: {error})")
        return False


def find_sources(paths: list[Path], intake: Intake) -> Iterator[Source]:
    """Every source at or below `paths`, archives entered unless a format claims them whole."""
    outcomes.forget()
    names = Names()
    for source in sources(paths, lambda head: identify(head) is not None):
        if _is_unclaimed_archive(source):
            yield from map(names.apart, _with_folders_whole(members(source)))
            intake.problems += source.problems
        else:
            yield names.apart(source)


def _with_folders_whole(found: Iterable[Source]) -> Iterator[Source]:
    """The members of an archive; files that are one recording together (`parts` of a format) as one JSONL source of
    their folder's name."""
    patterns = [f.parts for f in all_formats() if hasattr(f, "parts")]
    folders: dict[str, list[Source]] = {}
    for source in found:
        if any(pattern.fullmatch(source.base) for pattern in patterns):
            folders.setdefault(source.name.rpartition("/")[0] or source.name.rpartition("!")[0], []).append(source)
        else:
            yield source
    for folder, parts in folders.items():
        yield Source(folder, parts[0].path, _joined_lines(parts))


def _joined_lines(parts: list[Source]) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        return io.BytesIO(b"\n".join(_one_line(part.content()) for part in parts) + b"\n")

    return opener


def _one_line(data: bytes) -> bytes:
    """A JSON file as a line; what is no JSON stays a line that is none, so that its reader names it."""
    try:
        return compact(parse(data)).encode("utf-8", "surrogatepass")
    except Unreadable:
        return data.replace(b"\n", b" ")


class Names:
    """Keeps sources apart whose transcripts could have one id: `a` with a transcript `b`, and a file called `a#b`."""

    def __init__(self) -> None:
        self._whole: set[str] = set()
        self._before_marks: set[str] = set()

    def apart(self, source: Source) -> Source:
        """The source, under another name if its own could be mistaken."""
        while (
            source.name in self._whole
            or source.name in self._before_marks
            or not self._whole.isdisjoint(_before_marks(source.name))
        ):
            source.name = f"_/{source.name}"
        self._whole.add(source.name)
        self._before_marks |= _before_marks(source.name)
        return source


def _before_marks(name: str) -> set[str]:
    return {name[:at] for at, letter in enumerate(name) if letter == "#"}


def _is_unclaimed_archive(source: Source) -> bool:
    try:
        return archive_kind(source) is not None and identify(source.head()) is None
    except (Unreadable, HoldsNothing, *BROKEN_ARCHIVE):
        return False  # whoever reads it names the fault


def read_source(
    source: Source, intake: Intake, forced: str | None = None, copies: Copies = NONE
) -> Iterator[Transcript]:
    """The transcripts of one source; `forced` names the format instead of looking at the content. What `copies` says is
    counted elsewhere is marked or left out."""
    for transcript in _read_source(source, intake, forced):
        own = copies.own(transcript)
        if own is not None:
            yield own


def _read_source(source: Source, intake: Intake, forced: str | None) -> Iterator[Transcript]:
    if holds_a_result(source) and not forced:
        intake.skipped.append(
            (source.name, "a tool result that its agent wrote to a file; joined where a result names it")
        )
        return
    try:
        yield from watched(_transcripts(source, intake, forced), _bytes_on_disk(source))
    except HoldsNothing as reason:
        intake.skipped.append((source.name, str(reason)))
    except Unreadable as error:
        source.problem("", str(error))
    except BROKEN_ARCHIVE as error:
        source.problem("", f"cannot be read: {error}")
    except HarnessError:
        raise
    except TooMuch as limit:
        source.problems.append(Problem(source.name, str(limit), traceback=traceback.format_exc()))
    except Exception as bug:  # noqa: BLE001 - a reader's slip costs its source and nothing else
        what = f"a bug of the reader ({type(bug).__name__}: {bug}); please report it, the traceback is in the run"
        source.problems.append(Problem(source.name, what, traceback=traceback.format_exc()))
    finally:
        intake.problems += source.problems
        source.problems = []
        source.release()


def _transcripts(source: Source, intake: Intake, forced: str | None) -> Iterator[Transcript]:
    head = source.head()
    chosen = format_named(forced) if forced else identify(head)
    if chosen is None:
        intake.skipped.append((source.name, why_skipped(head)))
        return
    read = outcomes.joined(source, joined(source, chosen.read(source)))
    nothing = True
    for transcript in map(with_json_results, _with_own_ids(source, map(with_writable_names, read))):
        nothing = False
        yield transcript
    if nothing and not source.problems:
        intake.skipped.append((source.name, f"looks like {chosen.name}, and has no message that its reader knows"))


def _bytes_on_disk(source: Source) -> int:
    """Of the file, or of the archive, that a source lies in; of a folder what is known at once: nothing."""
    try:
        return 0 if source.path.is_dir() else source.path.stat().st_size
    except OSError:
        return 0  # whoever reads it names the fault


def _with_own_ids(source: Source, transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """Ids that no other transcript of a corpus has: they begin with their source's name, and one that a format gives
    twice gets a number, so that neither is lost."""
    taken: set[str] = set()
    for number, transcript in enumerate(transcripts, 1):
        own = transcript.id
        if own != source.name and not own.startswith(f"{source.name}#"):
            own = f"{source.name}#{own}"
        while own in taken:
            own = f"{own}.{number}" if "#" in own else f"{own}#{number}"
        taken.add(own)
        yield transcript if own == transcript.id else replace(transcript, id=own)


def why_skipped(head: Head) -> str:
    """One phrase for the list of skipped files."""
    if head.kind == "empty":
        return "empty file"
    if head.kind in ("text", "binary", "zip", "sqlite", "directory"):
        return f"{head.kind}, of no known format"
    keys = ", ".join(sorted(head.records[0])[:8]) if head.records else ""
    return f"JSON of no known format (top-level keys: {keys})" if keys else "JSON of no known format"


def read_transcripts(
    paths: list[Path], intake: Intake, forced: str | None = None, keep_same_work: bool = False
) -> Iterator[Transcript]:
    """All transcripts at or below `paths`, one at a time, in a fixed order, every answer of theirs a request once."""
    copies = find_copies(paths, forced, keep_same_work)
    intake.copies += copies.pairs
    intake.ends.update(copies.ends)
    for source in find_sources(paths, intake):
        yield from read_source(source, intake, forced, copies)


def find_copies(paths: list[Path], forced: str | None = None, keep_same_work: bool = False) -> Copies:
    """Which requests below `paths` are counted elsewhere."""
    found = (t for source in find_sources(paths, Intake()) for t in traces(source, forced))
    return index_of(found).copies(keep_same_work)


def _noise(name: str) -> frozenset[str]:
    """The kinds of records that the reader of a format leaves out; none where transcripts bear a name of their own."""
    is_known = name in targets(FORMATS, GROUP)
    return getattr(format_named(name), "noise", frozenset()) if is_known else frozenset()


def traces(source: Source, forced: str | None = None) -> list[Trace]:
    """What the answers of one source are known by, and how much of its text was read."""
    reached = Reached()
    found = []
    for transcript in _read_source(source, Intake(), forced):
        reached.add(transcript)
        found.append(trace(transcript))
    if not found:
        return []
    reading = reached.accounts(source, _noise(found[0].format))
    first, *others = (replace(one, read=reading.share) for one in found)
    return [replace(first, ends=reading.ends()), *others]
