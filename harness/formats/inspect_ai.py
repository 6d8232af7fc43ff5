"""Logs of Inspect AI: `.eval` (a zip file with one member a sample) and `.json` (one object with `samples`).

Source: UKGovernmentBEIS/inspect_ai@499e615 `docs/eval-logs.qmd`, `src/inspect_ai/log/_log.py`, `_condense.py`,
`_pool.py`. Every model event holds the whole prompt, or points into a pool of messages; long texts are
`attachment://` references. The events are put together into conversations, so that several agents in one sample
are several transcripts, and the graders' requests are left out. Without events, `messages` is the conversation.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

from harness.formats.archives import opened_zip, read_member
from harness.formats.inspect_sample import Log, Sample
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Transcript


class InspectAI:
    name = "inspect-ai"

    def sniff(self, head: Head) -> bool:
        if head.kind == "zip":
            return "header.json" in head.members or "_journal/start.json" in head.members
        if head.kind != "object" or not isinstance(head.records[0].get("samples"), list):
            return False
        return isinstance(head.records[0].get("eval"), dict) or {"status", "plan"} <= head.keys

    def read(self, source: Source) -> Iterator[Transcript]:
        if source.head().kind == "zip":
            yield from self._archive(source)
            return
        document = source.document()
        if not isinstance(document, dict) or not isinstance(document.get("samples"), list):
            raise Unreadable("no log: an object with a list of samples belongs here")
        log = Log.of(Record(document, source.name, lambda _: None).record("eval"))
        taken: set[str] = set()
        for number, value in enumerate(document["samples"]):
            yield from self._sample(source, f"samples[{number}]", value, log, taken)

    def _archive(self, source: Source) -> Iterator[Transcript]:
        with opened_zip(source) as archive:
            names = archive.namelist()
            log = _log(source, archive, names)
            taken: set[str] = set()
            for name in sorted(n for n in names if n.startswith("samples/") and n.endswith(".json")):
                try:
                    value = parse(read_member(archive, name))
                except Unreadable as error:
                    source.problem(name, str(error))
                    continue
                yield from self._sample(source, name, value, log, taken)

    def _sample(self, source: Source, place: str, value: Any, log: Log, taken: set[str]) -> Iterator[Transcript]:
        if not isinstance(value, dict):
            source.problem(place, f"{kind_of(value)} where a sample belongs")
            return
        sample = Sample(Record(value, f"{source.name}: {place}", lambda _: None))
        name = sample.name
        while name in taken:
            name += "'"
        taken.add(name)
        yield from sample.transcripts(source.name, name, self.name, log)


def _log(source: Source, archive: zipfile.ZipFile, names: list[str]) -> Log:
    for name in ("header.json", "_journal/start.json"):
        if name in names:
            try:
                value = parse(read_member(archive, name))
            except Unreadable as error:
                source.problem(name, str(error))
                continue
            if isinstance(value, dict):
                return Log.of(Record(value, source.name, lambda _: None).record("eval"))
    return Log()
