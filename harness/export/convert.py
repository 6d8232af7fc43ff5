"""Recordings as files of another format, and what that format did not keep, found by reading each file back.

from harness.export.convert import convert
found = convert([Path("sessions")], "atif", Path("converted"))
found.kept                              # {("times", "messages"): Kept(had=40, kept=40), ...}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from harness.errors import HarnessError
from harness.export import TranscriptExporter, exporter_named
from harness.formats.corpus import Intake, read_source, read_transcripts
from harness.formats.source import Source
from harness.transcript import Message, Outcome, ToolResult, Totals, Transcript

Values = Iterable[Hashable]


@dataclass
class Kept:
    """Of `had` items the file gave back `kept`."""

    had: int = 0
    kept: int = 0


@dataclass
class Conversion:
    """What `convert` did.

    written: the files, with the transcript that each holds. refused: transcripts that the format cannot hold, with the
    reason. kept: by what it is of a recording, how much of it came back; only what some recording had.
    """

    written: list[tuple[Path, str]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    kept: dict[str, Kept] = field(default_factory=dict)


def convert(
    paths: list[Path],
    format_name: str,
    folder: Path,
    intake: Intake | None = None,
    read_as: str | None = None,
    keep_same_work: bool = False,
) -> Conversion:
    """Write every transcript at or below `paths` into `folder`, one file each, as `format_name` has it.

    intake: gathers what could not be read. Raises `HarnessError` for an unknown format and for a folder that is not
    empty: what stands in it would be taken for converted.
    """
    exporter = exporter_named(format_name)
    if folder.is_dir() and any(folder.iterdir()):
        raise HarnessError(f"{folder}: is not empty; name a new folder with --to")
    found = Conversion()
    for transcript in read_transcripts(paths, intake or Intake(), read_as, keep_same_work):
        try:
            data = exporter.export(transcript)
        except HarnessError as error:
            found.refused.append((transcript.id, str(error).removeprefix(f"{transcript.id}: ")))
            continue
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _file_name(len(found.written) + 1, transcript, exporter)
        path.write_bytes(data)
        found.written.append((path, transcript.id))
        _compare(transcript, list(read_source(Source(path.name, path), Intake())), found.kept)
    return found


def _file_name(number: int, transcript: Transcript, exporter: TranscriptExporter) -> str:
    """Numbered, so that none is written twice; of the id only what is harmless in a name."""
    end = re.split(r"[/\\#]", transcript.id.rstrip("/\\#"))[-1]
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", end.partition(".")[0])[:60].strip("-")
    return f"{number:05}{f'-{plain}' if plain else ''}{exporter.suffix}"


def _compare(before: Transcript, after: list[Transcript], kept: dict[str, Kept]) -> None:
    for name, values_of in PARTS.items():
        had = Counter(values_of(before))
        if not had:
            continue
        back = Counter(chain.from_iterable(map(values_of, after)))
        sums = kept.setdefault(name, Kept())
        sums.had += had.total()
        sums.kept += (had & back).total()


def _of_messages(value: Callable[[Message], Hashable]) -> Callable[[Transcript], Values]:
    return lambda transcript: (found for m in transcript.messages if (found := value(m)) not in (None, "", 0))


def _of_results(value: Callable[[ToolResult], Hashable]) -> Callable[[Transcript], Values]:
    return lambda transcript: (
        found for m in transcript.messages if m.result is not None and (found := value(m.result)) is not None
    )


def _of_run(value: Callable[[Transcript], Hashable]) -> Callable[[Transcript], Values]:
    return lambda transcript: (found for found in [value(transcript)] if found not in (None, "", (), False))


def _messages(role: str) -> Callable[[Transcript], Values]:
    return lambda transcript: (m.text for m in transcript.messages if m.role == role and m.result is None)


def _ones(number: Callable[[Message], int]) -> Callable[[Transcript], Values]:
    return lambda transcript: (part for m in transcript.messages for part in ["part"] * number(m))


PARTS: Final[dict[str, Callable[[Transcript], Values]]] = {
    "system messages": _messages("system"),
    "user messages": _messages("user"),
    "answers": _messages("assistant"),
    "calls": lambda transcript: ((call.name, call.arguments) for m in transcript.messages for call in m.calls),
    "results": _of_results(lambda result: result.content),
    "which call a result answers": _of_results(lambda result: result.call and (result.content, result.name)),
    "results recorded as JSON": _of_results(lambda result: result.content if result.is_json else None),
    "results said to be errors or not": _of_results(
        lambda result: None if result.is_error is None else (result.content, result.is_error)
    ),
    "exit codes": _of_results(lambda result: None if result.exit_code is None else (result.content, result.exit_code)),
    "whole values of clipped results": _of_results(lambda result: result.whole),
    "reasoning": _of_messages(lambda message: message.reasoning),
    "images": _ones(lambda message: message.images),
    "encrypted parts": _ones(lambda message: message.encrypted),
    "times": _of_messages(lambda message: message.time),
    "starts of answers": _of_messages(lambda message: message.started),
    "usage of answers": _of_messages(lambda message: message.usage),
    "ids of answers": _of_messages(lambda message: message.message_id),
    "models of answers": _of_messages(lambda message: message.model),
    "model": _of_run(lambda transcript: transcript.model),
    "tool definitions": lambda transcript: transcript.tools or (),
    "cluster": _of_run(lambda transcript: transcript.cluster),
    "task": _of_run(lambda transcript: transcript.task),
    "repetition": _of_run(lambda transcript: transcript.repetition),
    "agent": _of_run(lambda transcript: transcript.agent),
    "outcome": _of_run(lambda transcript: None if transcript.outcome == Outcome() else transcript.outcome),
    "totals": _of_run(lambda transcript: None if transcript.totals == Totals() else transcript.totals),
    "reasoning sent again": _of_run(lambda transcript: transcript.resends_reasoning),
    "parent of a sub-agent": _of_run(lambda transcript: transcript.parent),
}
"""What a recording may have, as values that are looked for in what was read back."""
