"""A run summed up: the corpus, and every policy over the whole of it and over each format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.replay.sections.added import Added, added
from harness.replay.sections.audit import audit_transcripts
from harness.replay.sections.bill import Bill, bill, prices_words
from harness.replay.sections.chance import CUT, WINDOWS, BeyondChance, beyond_chance
from harness.replay.sections.evidence import Evidence, evidence
from harness.replay.sections.grid import Grid, grid
from harness.replay.sections.money import COLUMNS as PRICED
from harness.replay.sections.money import Money, money
from harness.replay.sections.readings import Reading, Readings, opaque_transcripts
from harness.replay.sections.unrecoverable import Unrecoverable, unrecoverable
from harness.runs.fields import DEFAULT_FLOOR
from harness.runs.run import Run
from harness.statistics.audit import Audit
from harness.statistics.calibration import Growth, growth
from harness.statistics.clusters import clusters_of
from harness.statistics.paired import Paired, compare_all
from harness.statistics.significance import corrected

ALL = "all"


@dataclass(frozen=True)
class LeftOut:
    """What evidence cannot speak of: atoms that stand nowhere before, atoms whose results the recorder had taken out of
    the prompt, requests with uses that leave no span to find."""

    unsourced: int
    dropped: int
    spanless_requests: int


@dataclass(frozen=True)
class Corpus:
    """What was replayed, or the part of it in one format; as recorded, but for the two ratios of token counts.

    bearing_requests: those whose actions use something that only a tool result had shown; `None` if the run has no
    evidence.
    """

    name: str
    transcripts: int
    clusters: int
    requests: int
    tool_calls: int
    results: int
    result_bytes: int
    clipped_results: int
    clipped_bytes: int
    recorded_requests: int
    recorded_input: int | None
    unrecorded: int | None
    images: int
    encrypted: int
    cuts: int
    bearing_requests: int | None
    left_out: LeftOut | None
    growth: Growth
    bill: Bill | None

    @property
    def title(self) -> str:
        return "The whole corpus" if self.name == ALL else self.name


@dataclass(frozen=True)
class PolicyRow:
    """One policy over one part of the corpus; every figure is measured, but those in `added` and `unrecoverable`,
    which are estimated.

    reading: the saving of what was billed, in two readings; `None` in a run without them. grown_results: renderings
    with more tokens than the recorded text.
    """

    part: str
    policy: str
    stage: str
    input_tokens: int
    paired: Paired
    p_corrected: float | None
    reading: Reading | None
    cached_warm: int
    cached_recorded: int | None
    peak_prompt: int
    overflow_requests: int
    changed_results: int
    grown_results: int
    elided_bytes: int
    unreachable_bytes: int
    not_identified_results: int
    evidence: Evidence | None
    money: Money | None
    added: Added | None
    unrecoverable: Unrecoverable | None


@dataclass(frozen=True)
class Summary:
    """`corpora` and `rows` hold the whole corpus (`all`) first, then every format if there are several. beyond and
    reaches: by policy, what it shows beyond chance (a random cut), and what brings back that which it leaves out;
    beyond_windows: the same, beyond random windows. undoubted: by policy, input tokens over identity's, pooled over the
    transcripts whose reading is not doubtful; empty if none is doubtful, or all are."""

    corpora: list[Corpus]
    rows: list[PolicyRow]
    skipped: int
    quarantined: int
    prices: str
    audit: Audit
    floor: str
    beyond: Mapping[str, BeyondChance | None]
    beyond_windows: Mapping[str, BeyondChance | None]
    reaches: Mapping[str, tuple[str, ...]]
    undoubted: Mapping[str, float]

    @property
    def whole(self) -> Corpus:
        return self.corpora[0]

    @property
    def formats(self) -> list[Corpus]:
        return self.corpora[1:]

    def part(self, name: str) -> list[PolicyRow]:
        """The rows of a part, in the order in which the policies were asked for."""
        return [r for r in self.rows if r.part == name]

    def row(self, part: str, policy: str) -> PolicyRow:
        return next(r for r in self.rows if r.part == part and r.policy == policy)

    @property
    def has_evidence(self) -> bool:
        return any(r.evidence for r in self.rows)

    @property
    def has_added(self) -> bool:
        return any(r.added for r in self.rows)

    @property
    def has_money(self) -> bool:
        return any(r.money for r in self.rows)


def summarize(run: Run) -> Summary:
    """Sum a run up."""
    whole = grid(run.transcripts, run.policies)
    stages = {p["label"]: p["stage"] for p in run.manifest["policies"]}
    requests = run.requests[run.requests["policy"] == "identity"]
    written = whole.shared["format"].astype(str).to_numpy()
    formats = sorted(set(written))
    readings = _readings(run, whole)
    corpora, rows = [], []
    for part in [ALL, *(formats if len(formats) > 1 else [])]:
        own = whole if part == ALL else whole.rows(written == part)
        asked = requests if part == ALL else requests[requests["transcript"].isin(own.transcripts)]
        corpora.append(_corpus(part, own, asked))
        reading = readings.of(np.isin(readings.transcripts, own.transcripts)) if readings else None
        rows += _policy_rows(part, own, stages, reading or [None] * len(run.policies))
    return Summary(
        corpora,
        rows,
        len(run.manifest["skipped"]),
        len(run.manifest["problems"]),
        prices_words(run.manifest) if whole.has(*PRICED) else "",
        audit_transcripts(whole.shared, run.manifest),
        str(run.manifest["settings"].get("floor") or DEFAULT_FLOOR),
        _beyond(whole, CUT),
        _beyond(whole, WINDOWS),
        _reaches(run),
        without_doubtful(whole),
    )


def _beyond(whole: Grid, placebo: str) -> dict[str, BeyondChance | None]:
    return dict(zip(whole.policies, beyond_chance(whole, clusters_of(whole.shared), placebo), strict=True))


def without_doubtful(whole: Grid) -> dict[str, float]:
    """By policy, input tokens over identity's, of transcripts that are not doubtful; empty if none or all are."""
    doubtful = whole.shared["doubtful"].fillna("").astype(str).to_numpy() != "" if whole.has("doubtful") else None
    if doubtful is None or not doubtful.any() or doubtful.all():
        return {}
    tokens = whole.rows(~doubtful).column("input_tokens").sum(axis=0)
    return dict(zip(whole.policies, (tokens / tokens[0]).tolist(), strict=True))


def _reaches(run: Run) -> dict[str, tuple[str, ...]]:
    """By policy, what brings back the results that it shortens."""
    found = run.results[["policy", "reach"]].drop_duplicates().astype(str)
    return {p: tuple(sorted(r for r in found.loc[found["policy"] == p, "reach"] if r)) for p in run.policies[1:]}


def _corpus(name: str, part: Grid, requests: pd.DataFrame) -> Corpus:
    def total(column: str) -> int:
        return int(part.shared[column].sum())

    recorded = total("recorded_requests")
    return Corpus(
        name=name,
        transcripts=len(part.transcripts),
        clusters=len(set(clusters_of(part.shared))),
        requests=total("requests"),
        tool_calls=total("tool_calls"),
        results=total("results"),
        result_bytes=total("result_bytes"),
        clipped_results=total("clipped_results"),
        clipped_bytes=total("clipped_bytes"),
        recorded_requests=recorded,
        recorded_input=total("recorded_input") if recorded else None,
        unrecorded=total("unrecorded") if recorded else None,
        images=total("images"),
        encrypted=total("encrypted"),
        cuts=total("cuts"),
        bearing_requests=total("bearing_requests") if part.has("bearing_requests") else None,
        left_out=LeftOut(*(total(c) for c in LEFT_OUT)) if part.has(*LEFT_OUT) else None,
        growth=growth(requests),
        bill=bill(part),
    )


LEFT_OUT = ("unsourced", "dropped", "spanless_requests")
SUMS = (
    "input_tokens",
    "cached_warm",
    "overflow_requests",
    "changed_results",
    "grown_results",
    "elided_bytes",
    "unreachable_bytes",
    "not_identified_results",
)


def _policy_rows(part: str, own: Grid, stages: dict[str, str], readings: Sequence[Reading | None]) -> list[PolicyRow]:
    clusters = clusters_of(own.shared)
    tokens = own.column("input_tokens")
    pairs = compare_all(tokens.T, tokens[:, 0], clusters)
    ps = corrected([None if i == 0 else pair.p for i, pair in enumerate(pairs)], "fdr_bh")
    sums = {name: own.column(name).sum(axis=0) for name in SUMS}
    cached = own.column("cached_recorded").sum(axis=0)
    peak = own.column("peak_prompt").max(axis=0, initial=0)
    known_evidence, known_money, known_added = evidence(own, clusters), money(own, clusters), added(own)
    gone = unrecoverable(own, clusters)
    return [
        PolicyRow(
            part=part,
            policy=policy,
            stage=stages[policy],
            paired=pairs[i],
            p_corrected=ps[i],
            reading=readings[i],
            cached_recorded=None if np.isnan(cached[i]) else int(cached[i]),
            peak_prompt=int(peak[i]),
            evidence=known_evidence[i],
            money=known_money[i],
            added=known_added[i],
            unrecoverable=gone[i],
            **{name: int(values[i]) for name, values in sums.items()},
        )
        for i, policy in enumerate(own.policies)
    ]


def _readings(run: Run, whole: Grid) -> Readings | None:
    """`None` for a run of an earlier schema."""
    if not {"model", "bill"} <= set(run.requests.columns):
        return None
    return Readings(run.requests, run.policies, opaque_transcripts(whole.shared))


def summary_record(summary: Summary) -> dict[str, Any]:
    """The summary for a program."""
    return asdict(summary)
