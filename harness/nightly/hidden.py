"""Which atoms a policy hides where a figure of the evidence got worse: their places, read from the recordings again."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import HarnessError
from harness.evidence import Borne, EvidenceRun, find_borne
from harness.formats.corpus import Intake, find_copies, find_sources, read_source
from harness.formats.source import Source
from harness.nightly.figures import ABOUT_EVIDENCE
from harness.nightly.measured import Change
from harness.nightly.movers import Hidden, HiddenAtom, Mover
from harness.policies.spec import make_policy
from harness.replay.ledger import account_of, lay_out
from harness.replay.settings import ReplaySettings
from harness.runs.run import Run
from harness.transcript import Transcript

MOST = 5
Key = tuple[str, str]


def with_hidden(changes: Sequence[Change], before: Run, after: Run) -> tuple[Change, ...]:
    """The changes, those that fail by what can be seen with the atoms out of sight in the transcript that moved most.

    A recording that is not where the run read it any more is passed over; the figures stand without it.
    """
    wanted = {(c.policy, c.movers[0].transcript): c.movers[0] for c in changes if _is_about_evidence(c)}
    found = dict(_hidden(wanted, before, after)) if wanted else {}
    return tuple(
        _with(c, found.get((c.policy, c.movers[0].transcript))) if _is_about_evidence(c) else c for c in changes
    )


def _is_about_evidence(change: Change) -> bool:
    return change.fails and change.figure in ABOUT_EVIDENCE and bool(change.movers)


def _with(change: Change, hidden: Hidden | None) -> Change:
    return replace(change, movers=(replace(change.movers[0], hidden=hidden), *change.movers[1:]))


def _hidden(wanted: dict[Key, Mover], before: Run, after: Run) -> Iterable[tuple[Key, Hidden]]:
    settings = ReplaySettings.from_record(after.manifest["settings"])
    names = {mover.source for mover in wanted.values()}
    sources = _sources(settings, names)
    paths = [Path(p) for p in settings.paths] if sources else []
    copies = find_copies(paths, settings.format, settings.keep_same_work)
    for source in sources:
        ids = {mover.transcript for mover in wanted.values() if mover.source == source.name}
        transcripts = {t.id: t for t in read_source(source, Intake(), settings.format, copies) if t.id in ids}
        for key, mover in wanted.items():
            if mover.transcript in transcripts:
                request = worst_request(before, after, *key)
                if request is not None:
                    yield key, hidden_at(transcripts[mover.transcript], key[0], request, source.path, settings)


def _sources(settings: ReplaySettings, names: set[str]) -> list[Source]:
    try:
        return [s for s in find_sources([Path(p) for p in settings.paths], Intake()) if s.name in names]
    except HarnessError:  # a path is gone
        return []


def worst_request(before: Run, after: Run, policy: str, transcript: str) -> int | None:
    """The request that lost most atoms out of sight against the baseline; of a pinned baseline, which keeps no
    requests, the one with most out of sight. `None` where nothing is."""
    rows = after.requests
    rows = rows[(rows["policy"] == policy) & (rows["transcript"] == transcript)].set_index("request")
    lost = rows["borne"] - rows["visible"]
    if (before.directory / "requests.parquet").exists():
        old = before.requests
        old = old[(old["policy"] == policy) & (old["transcript"] == transcript)].set_index("request")
        lost = (old["visible"] - rows["visible"]).where(lost > 0, 0)
    return int(rows.index.to_numpy()[lost.to_numpy().argmax()]) if len(lost) and lost.max() > 0 else None


def hidden_at(transcript: Transcript, label: str, request: int, path: Path, settings: ReplaySettings) -> Hidden:
    """What a request (from 1) bears that is not visible under a policy."""
    policy, measures = make_policy(label), settings.measures()
    account = account_of(lay_out(transcript, measures.counter, measures.tokens), policy, measures.counter)
    borne = find_borne(transcript)
    parse = policy.settings.get("parse", "recorded")
    states = EvidenceRun(borne).states(request - 1, account.views_at(request - 1), parse)
    atoms = borne.requests[request - 1].borne
    found = [
        _atom(borne, atom.text, source, state)
        for atom, (state, source) in zip(atoms, states, strict=True)
        if state != "visible"
    ]
    inner = transcript.id.partition("#")[2]
    words = ["harness", "show", f"{path}#{inner}" if inner else str(path), "--policy", label, "--request", str(request)]
    words += ["--format", settings.format] if settings.format else []
    return Hidden(request, len(atoms), len(found), tuple(found[:MOST]), shlex.join(words))


def _atom(borne: Borne, text: str, source: int, state: str) -> HiddenAtom:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    start, end = next(iter(borne.byte_spans(source, text)), (0, 0))
    return HiddenAtom(source, start, end - start, digest, state)
