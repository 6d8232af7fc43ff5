"""The first screen: which policy, how much it saves, how sure, on what corpus, how clipped that was, and how much of
the bill the recording does not explain."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.compare.calibration import Growth, growth
from harness.compare.paired import Paired, compare, corrected
from harness.results.run import Run
from harness.views.text import count, share, size, table

ALL = "all"


@dataclass(frozen=True)
class Corpus:
    """What was replayed, or the part of it in one format."""

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
    growth: Growth


@dataclass(frozen=True)
class PolicyRow:
    """One policy over one part of the corpus; every figure is measured."""

    part: str
    policy: str
    stage: str
    input_tokens: int
    paired: Paired
    p_corrected: float | None
    recorded_ratio: float | None
    cached_warm: int
    cached_recorded: int | None
    peak_prompt: int
    overflow_requests: int
    changed_results: int
    grown_results: int
    elided_bytes: int
    unreachable_bytes: int
    not_identified_results: int


@dataclass(frozen=True)
class Summary:
    """All of the first screen. `corpora` and `rows` hold the whole corpus (`all`) first, then every format."""

    corpora: list[Corpus]
    rows: list[PolicyRow]
    skipped: int
    quarantined: int

    def part(self, name: str) -> list[PolicyRow]:
        return [r for r in self.rows if r.part == name]


def summarize(run: Run) -> Summary:
    """Sum a run up."""
    transcripts, requests = run.transcripts, run.requests
    formats = sorted(transcripts["format"].unique())
    parts = [ALL, *formats] if len(formats) > 1 else [ALL]
    corpora, rows = [], []
    stages = {p["label"]: p["stage"] for p in run.manifest["policies"]}
    identity = requests[requests["policy"] == "identity"]
    for part in parts:
        chosen = transcripts if part == ALL else transcripts[transcripts["format"] == part]
        own = identity if part == ALL else identity[identity["transcript"].isin(chosen["transcript"])]
        corpora.append(_corpus(part, chosen[chosen["policy"] == "identity"], own))
        rows += _policy_rows(part, chosen, stages)
    return Summary(corpora, rows, len(run.manifest["skipped"]), len(run.manifest["problems"]))


def _corpus(name: str, identity: pd.DataFrame, requests: pd.DataFrame) -> Corpus:
    def total(column: str) -> int:
        return int(identity[column].sum())

    recorded = total("recorded_requests")
    return Corpus(
        name=name,
        transcripts=len(identity),
        clusters=int(identity["cluster"].nunique()),
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
        growth=growth(requests),
    )


def _policy_rows(part: str, transcripts: pd.DataFrame, stages: dict[str, str]) -> list[PolicyRow]:
    by_policy = {str(p): frame.set_index("transcript") for p, frame in transcripts.groupby("policy", observed=True)}
    reference = by_policy["identity"]
    clusters = reference["cluster"].astype(str).tolist()
    base = reference["input_tokens"].to_numpy(np.float64)
    found: list[tuple[str, pd.DataFrame, Paired]] = []
    for policy in stages:
        own = by_policy[policy].reindex(reference.index)
        found.append((policy, own, compare(own["input_tokens"].to_numpy(np.float64), base, clusters)))
    ps = corrected([p.p if policy != "identity" else None for policy, _, p in found], "fdr_bh")
    rows = []
    for (policy, own, paired), p in zip(found, ps, strict=True):
        rows.append(
            PolicyRow(
                part=part,
                policy=policy,
                stage=stages[policy],
                input_tokens=int(own["input_tokens"].sum()),
                paired=paired,
                p_corrected=p,
                recorded_ratio=_recorded_ratio(own, reference),
                cached_warm=int(own["cached_warm"].sum()),
                cached_recorded=None if own["cached_recorded"].isna().any() else int(own["cached_recorded"].sum()),
                peak_prompt=int(own["peak_prompt"].max()) if len(own) else 0,
                overflow_requests=int(own["overflow_requests"].sum()),
                changed_results=int(own["changed_results"].sum()),
                grown_results=int(own["grown_results"].sum()),
                elided_bytes=int(own["elided_bytes"].sum()),
                unreachable_bytes=int(own["unreachable_bytes"].sum()),
                not_identified_results=int(own["not_identified_results"].sum()),
            )
        )
    return rows


def _recorded_ratio(own: pd.DataFrame, reference: pd.DataFrame) -> float | None:
    """Input over recorded input, where all requests have usage: what our count does not explain stays constant."""
    known = reference["recorded_requests"].eq(reference["requests"]) & reference["requests"].gt(0)
    billed = float(reference.loc[known, "recorded_input"].sum())
    if not billed:
        return None
    saved = float((reference.loc[known, "input_tokens"] - own.loc[known, "input_tokens"]).sum())
    return 1 - saved / billed


def summary_record(summary: Summary) -> dict[str, Any]:
    """The summary for a program."""
    return asdict(summary)


def percent(ratio: float | None) -> str:
    """A ratio as a change: `-37.2 %`."""
    if ratio is None:
        return "not identified"
    return f"{100 * (ratio - 1):+.1f} %".replace("+0.0 %", "0.0 %").replace("-0.0 %", "0.0 %")


def interval(paired: Paired) -> str:
    """The interval of the ratio of totals as changes, or why there is none."""
    if paired.exact:
        return "exact"
    if paired.interval is None:
        return "no interval"
    low, high = paired.interval
    return f"{percent(low)} … {percent(high)}"


def corpus_lines(summary: Summary) -> list[str]:
    """The corpus in sentences: how large, how clipped, how much of the bill is explained, how good the counts are."""
    whole = summary.corpora[0]
    lines = [
        f"{count(whole.transcripts)} transcripts in {count(whole.clusters)} clusters (tasks or repositories), "
        f"{count(whole.requests)} requests, {count(whole.tool_calls)} tool calls, "
        f"{count(whole.results)} results of {size(whole.result_bytes)} in all",
        f"already clipped when recorded: {share(whole.clipped_results, whole.results)} of the results, "
        f"{share(whole.clipped_bytes, whole.result_bytes)} of their bytes; on these, looser policies are not "
        "identified and savings are lower bounds",
        _usage_line(whole),
    ]
    if summary.skipped or summary.quarantined:
        lines.append(f"not read: {summary.skipped} files skipped, {summary.quarantined} records or files in quarantine")
    if whole.images or whole.encrypted:
        lines.append(
            f"{count(whole.images)} images and {count(whole.encrypted)} encrypted parts: their tokens are not "
            "identified and not counted"
        )
    return lines


def _usage_line(corpus: Corpus) -> str:
    if corpus.recorded_input is None or corpus.unrecorded is None:
        return "recorded usage: not reported, so percentages are shares of visible content"
    text = (
        f"recorded usage on {share(corpus.recorded_requests, corpus.requests)} of the requests, "
        f"{count(corpus.recorded_input)} input tokens; {share(corpus.unrecorded, corpus.recorded_input)} of them are "
        "not explained by what was recorded (system prompt, tool definitions, another tokenizer)"
    )
    if corpus.growth.ratio is not None:
        g = corpus.growth
        text += (
            f"; where the bill grows by a token our count grows by {g.ratio:.2f} "
            f"(10th to 90th percentile {g.low:.2f} to {g.high:.2f}, {count(g.requests)} requests)"
        )
    return text


HEADERS = (
    "policy",
    "stage",
    "input tokens",
    "change",
    "95 % interval",
    "of recorded",
    "cached, warm",
    "peak",
    "overflow",
    "elided",
    "unreachable",
)


def policy_cells(row: PolicyRow) -> tuple[str, ...]:
    """One line of the policy table."""
    return (
        row.policy,
        row.stage,
        count(row.input_tokens),
        percent(row.paired.ratio),
        interval(row.paired),
        percent(row.recorded_ratio) if row.recorded_ratio is not None else "not reported",
        share(row.cached_warm, row.input_tokens),
        count(row.peak_prompt),
        count(row.overflow_requests),
        size(row.elided_bytes),
        size(row.unreachable_bytes),
    )


def summary_text(summary: Summary) -> str:
    """The summary for a terminal."""
    blocks = ["\n".join(f"  {line}" for line in corpus_lines(summary))]
    rows = [policy_cells(r) for r in summary.part(ALL)]
    blocks.append(f"measured, whole corpus\n{table(rows, HEADERS, right=range(2, 11))}")
    parts = [c.name for c in summary.corpora if c.name != ALL]
    if parts:
        blocks.append(_by_format(summary, parts))
    return "\n\n".join(blocks)


def _by_format(summary: Summary, parts: list[str]) -> str:
    changes = {(r.part, r.policy): percent(r.paired.ratio) for r in summary.rows}
    rows = [[r.policy, *(changes[part, r.policy] for part in parts)] for r in summary.part(ALL)]
    heading = "measured, change of input tokens by format (share of visible content)"
    return f"{heading}\n{table(rows, ['policy', *parts], right=range(1, len(parts) + 1))}"
