"""The controls of a run (METHOD, section 3), made anew on the corpus at hand: what chance and mistakes would give.

- false match: actions of a sample of transcripts matched against the results of unrelated ones, by format;
- every policy with `min_bytes=inf` renders what was recorded;
- elided bytes never rise with the budget.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from harness.evidence.controls import draw, false_match
from harness.formats.corpus import Intake, find_sources, read_source
from harness.formats.identity.copies import Copies
from harness.policies.family import Family
from harness.policies.spec import NamedPolicy
from harness.replay.kept import KeptRows
from harness.replay.settings import ReplaySettings
from harness.runs.journal import read_journal
from harness.transcript import Transcript

SAMPLE = 30
"""Transcripts of one format that are matched with unrelated ones."""


def controls(settings: ReplaySettings, directory: Path, copies: Copies) -> dict[str, Any]:
    """All controls over a sample of the run's transcripts; which, depends on their ids alone."""
    wanted, digests = _sample(directory)
    measures = settings.measures()
    kept = KeptRows.open(measures)

    def made() -> bytes:
        return orjson.dumps(_controls(_read(settings, wanted, copies), measures.policies))

    known = kept.found_or_made(kept.key("controls", digests), made) if kept else made()
    if kept:
        kept.prune()
    found: dict[str, Any] = orjson.loads(known)
    return found


def _controls(transcripts: Iterable[Transcript], policies: Sequence[NamedPolicy]) -> dict[str, Any]:
    by_format: dict[str, list[Transcript]] = {}
    for transcript in transcripts:
        by_format.setdefault(transcript.format, []).append(transcript)
    sample = [t for transcripts in by_format.values() for t in transcripts]
    matches = {name: asdict(false_match(ts, SAMPLE)) for name, ts in sorted(by_format.items())}
    whole = next(iter(matches.values())) if len(matches) == 1 else asdict(false_match(sample, len(sample)))
    return {
        "false_match": matches | {"all": whole},
        "no_minimum_equals_identity": [_spared(p, sample) for p in policies if "min_bytes" in p.settings],
        "elided_never_rises_with_the_budget": [_monotone(p, sample) for p in policies if "limit" in p.settings],
        "sample": len(sample),
    }


def _sample(directory: Path) -> tuple[dict[str, set[str]], list[str]]:
    """Per source, the ids of the transcripts to read again; and the digests of all of them, sorted."""
    known: dict[str, list[tuple[float, str, str, str]]] = {}
    for _, record in read_journal(directory):
        if record["kind"] == "transcript":
            row = record["shared"]["transcripts"]
            if row["results"][0] and row["requests"][0]:
                place = (draw(0, record["transcript"], 0), record["source"], record["transcript"], row["digest"][0])
                known.setdefault(row["format"][0], []).append(place)
    wanted: dict[str, set[str]] = {}
    digests = []
    for places in known.values():
        for _, source, transcript, digest in sorted(places)[:SAMPLE]:
            wanted.setdefault(source, set()).add(transcript)
            digests.append(digest)
    return wanted, sorted(digests)


def _read(settings: ReplaySettings, wanted: dict[str, set[str]], copies: Copies) -> Iterator[Transcript]:
    for source in find_sources([Path(p) for p in settings.paths], Intake()):
        missing = set(wanted.get(source.name, ()))
        if missing:
            for transcript in read_source(source, Intake(), settings.format, copies):
                if transcript.id in missing:
                    yield transcript


def _elided(family: Family, transcripts: Iterable[Transcript]) -> Iterator[tuple[int, bool]]:
    """Per result, elided bytes and whether the rendering is the recorded text."""
    for transcript in transcripts:
        run = family.start(transcript)
        for i in transcript.results():
            result = transcript.messages[i].result
            assert result is not None
            call = transcript.messages[result.call[0]].calls[result.call[1]] if result.call else None
            view = run.admit(i, result, call)
            yield view.elided_bytes, view.text == result.content


def _spared(policy: NamedPolicy, sample: list[Transcript]) -> dict[str, Any]:
    results = list(_elided(_with(policy, min_bytes=math.inf), sample))
    return {"policy": policy.label, "results": len(results), "different": sum(not same for _, same in results)}


def _monotone(policy: NamedPolicy, sample: list[Transcript]) -> dict[str, Any]:
    tight = _elided(policy.family, sample)
    loose = _elided(_with(policy, limit=2 * policy.settings["limit"]), sample)
    rising = [b > a for (a, _), (b, _) in zip(tight, loose, strict=True)]
    return {"policy": policy.label, "results": len(rising), "rising": sum(rising)}


def _with(policy: NamedPolicy, **changes: Any) -> Family:
    return dataclasses.replace(policy.family, **changes)  # type: ignore[type-var]  # every family is a dataclass
