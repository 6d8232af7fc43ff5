"""What every exporter writes: the summary, the tables, and how to cite them."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from harness.reports.summary import PolicyRow, Summary, summarize
from harness.results.run import Run


@dataclass(frozen=True)
class Table:
    """name: for a file name. title: for a reader. kind: of its figures (measured, estimated, live). frame: plain
    values."""

    name: str
    title: str
    kind: str
    frame: pd.DataFrame


class Report:
    """Everything that can be said about a run; parts are computed when first asked for."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def summary(self) -> Summary:
        return summarize(self.run)

    def tables(self) -> Iterator[Table]:
        """Every table, the summary of the policies first."""
        yield Table("policies", "Policies", "measured", policy_frame(self.summary.rows))
        yield Table("corpora", "Corpus", "recorded", corpus_frame(self.summary))
        yield Table("tools", "Result bytes by tool", "measured", by_column(self.run.results, "tool"))
        yield Table("contents", "Result bytes by kind of content", "measured", by_column(self.run.results, "content"))
        yield Table("transcripts", "Transcripts", "measured", self.run.transcripts)
        yield Table("results", "Tool results", "measured", self.run.results)
        yield Table("requests", "Requests", "measured", self.run.requests)

    def citation(self) -> dict[str, str]:
        """What a reader needs to cite the report and to make it again."""
        m = self.run.manifest
        environment: dict[str, Any] = m["environment"]
        commit = environment["git"]["commit"] or "not identified"
        dirty = " with uncommitted changes" if environment["git"]["dirty"] else ""
        return {
            "run": self.run.id,
            "made": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(m["finished"])),
            "harness": f"{environment['harness']}, commit {commit}{dirty}, code {environment['code'][:16]}",
            "corpus": f"{m['corpus']['transcripts']} transcripts, sha256 {m['corpus']['sha256']}",
            "tokens": f"{m['tokens']['profile']} on {m['tokens']['encoding']}, tiktoken {m['tokens']['tiktoken']}, "
            f"vocabulary sha256 {m['tokens']['vocabulary_sha256']}",
            "cache": f"{m['cache']['name']}, as of {m['cache']['as_of']}, grade {m['cache']['grade']}: "
            f"{m['cache']['source']}",
            "python": f"{environment['python']}; "
            + ", ".join(f"{name} {version}" for name, version in environment["packages"].items()),
            "command": self.command(),
        }

    def command(self) -> str:
        """The command that makes the run again."""
        s = self.run.manifest["settings"]
        words = ["harness", "replay", *s["paths"]]
        for policy in s["policies"]:
            words += ["--policy", policy]
        words += ["--tokens", s["tokens"], "--cache", s["cache"], "--window", str(s["window"])]
        if s["format"]:
            words += ["--format", s["format"]]
        return shlex.join(words)


def policy_frame(rows: list[PolicyRow]) -> pd.DataFrame:
    """One line a part of the corpus and policy, with the parts of the comparison as columns of their own."""
    records = []
    for row in rows:
        record = {k: v for k, v in vars(row).items() if k != "paired"}
        p = row.paired
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
            "detectable_change": p.detectable,
            "exact": p.exact,
            "no_interval_because": p.why,
        }
        records.append(record)
    return pd.DataFrame.from_records(records)


def corpus_frame(summary: Summary) -> pd.DataFrame:
    """One line a part of the corpus."""
    records = []
    for corpus in summary.corpora:
        record = {k: v for k, v in vars(corpus).items() if k != "growth"}
        g = corpus.growth
        record |= {"growth_ratio": g.ratio, "growth_p10": g.low, "growth_p90": g.high, "growth_requests": g.requests}
        records.append(record)
    return pd.DataFrame.from_records(records)


def by_column(results: pd.DataFrame, column: str) -> pd.DataFrame:
    """Result bytes by a column, largest first: what was recorded and what every policy renders."""
    sums = results.groupby([column, "policy"], observed=True)["rendered_bytes"].sum().unstack("policy")
    identity = results[results["policy"] == "identity"].groupby(column, observed=True)
    sums.insert(0, "results", identity.size())
    sums.insert(1, "value_bytes", identity["value_bytes"].sum())
    sums.columns = [str(c) for c in sums.columns]
    return sums.sort_values("value_bytes", ascending=False).reset_index()
