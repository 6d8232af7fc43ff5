"""The work of `harness after`: every transcript of a corpus, one record each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from harness.after.columns import AFTER_TABLES
from harness.after.rows import rows_of
from harness.after.settings import AfterSettings
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.runs.kind import Going, Record, Rows
from harness.runs.records import corpus_record, token_record
from harness.tokens.counter import open_counter


def work(settings: AfterSettings, going: Going) -> Iterator[Record]:
    """The records of the transcripts that are not done. Raises `HarnessError` if one changed, or none is there."""
    done = {r["row"]["transcript"]: r["row"]["digest"] for r in going.records() if r["kind"] == "transcript"}
    intake, number = Intake(), 0
    with open_counter(settings.profile().encoding) as counter:
        for transcript in read_transcripts([Path(p) for p in settings.paths], intake, settings.format):
            number += 1
            going.progress(number, None)
            if (known := done.get(transcript.id)) is not None:
                if known != transcript.digest():
                    raise HarnessError(f"{transcript.id}: changed since this run read it; start a new run")
                continue
            results, row = rows_of(transcript, counter.count, settings.within)
            done[transcript.id] = row["digest"]
            yield {"kind": "transcript", "row": row, "results": results}
    if not number:
        why = "; ".join([*(f"{name}: {w}" for name, w in intake.skipped), *(p.reason for p in intake.problems)])
        raise HarnessError(f"no recording to look at in {', '.join(settings.paths)} ({why or 'nothing there'})")
    yield {"kind": "corpus", "problems": [asdict(p) for p in intake.problems], "skipped": [*intake.skipped]}


def finish(settings: AfterSettings, records: list[Record]) -> tuple[Rows, Record]:
    """The rows, sorted, and what the manifest says beside them."""
    found = sorted((r for r in records if r["kind"] == "transcript"), key=lambda r: str(r["row"]["transcript"]))
    corpus: Record = next((r for r in reversed(records) if r["kind"] == "corpus"), {"problems": [], "skipped": []})
    rows = {"results": [row for r in found for row in r["results"]], "transcripts": [r["row"] for r in found]}
    assert rows.keys() == AFTER_TABLES.keys()
    return rows, {
        "tokens": token_record(settings.profile()),
        "corpus": corpus_record({r["row"]["transcript"]: r["row"]["digest"] for r in found}),
        "skipped": corpus["skipped"],
        "problems": sorted(corpus["problems"], key=lambda p: (p["place"], p["reason"])),
    }
