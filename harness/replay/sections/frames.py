"""Tables of a replay as frames, for programs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from harness.replay.sections.readings import Reading
from harness.replay.sections.summary import PolicyRow, Summary
from harness.report.units import NOT_REPORTED
from harness.runs.run import Run

EXACT = "exact"
NESTED = frozenset({"paired", "evidence", "money", "added", "reading", "unrecoverable"})


def policy_frame(rows: list[PolicyRow]) -> pd.DataFrame:
    """One line a part of the corpus and policy, with the parts of the comparison as columns of their own; those that
    begin with `_` are for a reader alone."""
    records = []
    for row in rows:
        record = {k: v for k, v in vars(row).items() if k not in NESTED}
        p, e, m = row.paired, row.evidence, row.money
        record |= {
            "transcripts": p.n,
            "clusters": p.clusters,
            "ratio": p.ratio,
            "ratio_low": p.interval[0] if p.interval else None,
            "ratio_high": p.interval[1] if p.interval else None,
            "typical_ratio": p.typical,
            "typical_low": p.typical_interval[0] if p.typical_interval else None,
            "typical_high": p.typical_interval[1] if p.typical_interval else None,
            "p": p.p,
            "detectable_saving": p.detectable,
            "exact": p.exact,
            "no_interval_because": p.why,
            "_stage": f"{row.stage} policies",
            "_exact": EXACT if p.exact else "",
            "_not_billed": "" if row.reading and row.reading.requests else NOT_REPORTED,
        }
        if e:
            record |= {k: v for k, v in vars(e).items() if k not in ("transcripts", "interval")}
            record |= {
                "bearing_transcripts": e.transcripts,
                "all_visible_low": e.interval[0] if e.interval else None,
                "all_visible_high": e.interval[1] if e.interval else None,
                "_all_visible_exact": EXACT if e.interval and e.interval[0] == e.interval[1] else "",
                "_short_visible": e.short_visible,
            }
        if m:
            record |= {
                "cost_no_cache": m.no_cache,
                "cost_warm": m.warm,
                "cost_warm_ratio": m.paired.ratio,
                "cost_warm_low": m.paired.interval[0] if m.paired.interval else None,
                "cost_warm_high": m.paired.interval[1] if m.paired.interval else None,
                "cost_recorded": m.recorded,
                "cost_recorded_ratio": m.recorded_ratio,
                "priced_transcripts": m.priced,
                "timed_transcripts": m.timed,
                "_no_cache_ratio": m.no_cache_ratio,
                "_cost_exact": EXACT if m.paired.exact else "",
            }
        if row.reading:
            record |= _reading_record(row.reading)
        if u := row.unrecoverable:
            record |= {
                "pairs": u.of,
                "unrecoverable": u.pairs,
                "unrecoverable_unknown": u.unknown,
                "unrecoverable_share": u.bill.value,
                "unrecoverable_typical": u.typical.value,
            }
        if a := row.added:
            record |= {f"estimated_{k}": v for k, v in vars(a).items() if k != "saved"}
            record |= {"_break_even_page": a.break_even_page, "_break_even_whole": a.break_even_whole}
        records.append(record)
    return pd.DataFrame.from_records(records)


def _reading_record(reading: Reading) -> dict[str, Any]:
    tokens, usd = reading.tokens or (None, None), reading.usd or (None, None)
    return {
        "billed_requests": reading.requests,
        "billed_of": reading.of,
        "billed_doubtful": reading.doubtful,
        "billed_ratio_constant": tokens[0],
        "billed_ratio_stretched": tokens[1],
        "bill_ratio_constant": usd[0],
        "bill_ratio_stretched": usd[1],
    }


def corpus_frame(summary: Summary) -> pd.DataFrame:
    """One line a part of the corpus."""
    records = []
    for corpus in summary.corpora:
        record = {k: v for k, v in vars(corpus).items() if k not in ("growth", "left_out", "bill")}
        record |= vars(corpus.left_out) if corpus.left_out else {}
        if corpus.bill:
            record |= vars(corpus.bill) | {"model_over_bill": corpus.bill.error}
        g = corpus.growth
        record |= {"growth_ratio": g.ratio, "growth_p10": g.low, "growth_p90": g.high, "growth_requests": g.requests}
        records.append(record)
    return pd.DataFrame.from_records(records)


def skipped_frame(run: Run) -> pd.DataFrame:
    """Place and reason of every file that no format claims."""
    return pd.DataFrame(run.manifest["skipped"], columns=["place", "reason"])


def quarantine_frame(run: Run) -> pd.DataFrame:
    """Place, reason and number of lost records of everything that could not be read."""
    return pd.DataFrame(run.manifest["problems"], columns=["place", "reason", "lost"])


def pairs_frame(run: Run) -> pd.DataFrame:
    """Transcripts with answers that another one has: of which, how they came about, how many, and what was counted."""
    found = pd.DataFrame(run.manifest.get("copies") or [], columns=["copy", "original", "kind", "answers", "left"])
    return found.assign(counted=[_counted(*row) for row in zip(found["kind"], found["left"], strict=True)])


def _counted(kind: str, left: bool) -> str:
    if left:
        return "left out"
    return "both" if kind in ("alike", "same work") else "its other answers"
