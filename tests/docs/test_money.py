"""The figures of docs/money.md, recomputed: on the made-up cases always, on the public recordings where they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.replay.measure import measure
from harness.replay.settings import ReplaySettings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "money.md").read_text(encoding="utf-8")
CORPORA = ROOT.parent / "shared" / "corpora"
PLACES = {
    "pi/large-session": "pi",
    "codex/codemie-rollout": "codex",
    "claude-code/codemie": "claude-code/codemie-session-196820da.jsonl",
    "claude-code/ccl-sample": "claude-code/ccl-sample",
    "claude-code/ccl-experiments": "claude-code/ccl-experiments-worktrees",
    "atif-derived/codex": "atif-derived",
    "mini-swe-agent/scikit-learn": "mini-swe-agent/scikit-learn__scikit-learn-25102.traj.json",
    "mini-swe-agent/django": "mini-swe-agent/django__django-14238.traj.json",
    "gemini-cli/agentcmd": "gemini-cli",
    "tau2-bench": "tau2-bench",
}


@dataclass
class Sums:
    """Over the transcripts of a recording."""

    transcripts: int = 0
    requests: int = 0
    billed: int = 0
    bill: float = 0.0
    model: float = 0.0
    recorded: float = 0.0
    cliffs: int = 0
    lost: int = 0
    lost_usd: float = 0.0
    growth: list[float] = field(default_factory=list)


def summed(*paths: Path) -> Sums:
    found = Sums()
    measures = ReplaySettings(tuple(map(str, paths)), ("identity",)).measures()
    for transcript in read_transcripts(list(paths), Intake()):
        found.transcripts += 1
        rows = measure(transcript, measures)
        shared, own = rows.shared["requests"], rows.policies["identity"]["requests"]
        paid = [usd is not None for usd in shared["bill"]]
        found.requests += len(paid)
        found.billed += sum(paid)
        found.bill += sum(usd or 0.0 for usd in shared["bill"])
        found.model += sum(usd for usd, p in zip(shared["cost_model"], paid, strict=True) if p)
        found.recorded += sum(usd for usd, p in zip(own["cost_recorded"], paid, strict=True) if p)
        found.cliffs += sum(1 for lost in shared["lost_prefix"] if lost)
        found.lost += sum(lost or 0 for lost in shared["lost_prefix"])
        found.lost_usd += sum(usd or 0.0 for usd in shared["lost_cost"])
        found.growth += growths(own["prompt_tokens"], shared["recorded_input"], shared["cuts"])
    return found


def growths(counted: list[int], billed: list[int | None], cuts: list[int]) -> list[float]:
    """Our growth over the billed one since the first request with usage, from 1,000 billed tokens on."""
    first: dict[int, tuple[int, int]] = {}
    found = []
    for ours, theirs, cut in zip(counted, billed, cuts, strict=True):
        if theirs:
            start = first.setdefault(cut, (ours, theirs))
            if theirs - start[1] >= 1000:
                found.append((ours - start[0]) / (theirs - start[1]))
    return found


def table(heading: str) -> Iterable[list[str]]:
    """The rows of the first table below a heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0].split("| recordings |")[0]
    rows = re.findall(r"^\| (.*) \|$", section, flags=re.MULTILINE)
    return [row.split(" | ") for row in rows if not row.startswith(("recording", "---"))]


@pytest.mark.parametrize("row", table("On made-up recordings"), ids=lambda row: row[0])
def test_made_up_recordings(row: list[str]) -> None:
    s = summed(ROOT / "tests" / "cases" / row[0])
    assert row[1:] == [
        f"{s.billed}", f"{s.bill:.3f}", f"{s.model / s.bill:.2f}", f"{s.cliffs}", f"{s.lost:,}", f"{s.lost_usd:.3f}",
    ]  # fmt: skip


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared recordings are not here")
@pytest.mark.parametrize("row", table("On public recordings"), ids=lambda row: row[0])
def test_public_recordings(row: list[str]) -> None:
    s = summed(CORPORA / PLACES[row[0]])
    assert row[2:4] == [f"{s.billed} of {s.requests}", f"{s.bill:.3f}"]
    assert row[5:] == [
        f"{s.recorded / s.bill:.2f}", f"{s.model / s.bill:.2f}", f"{median(s.growth):.2f}", f"{s.cliffs}",
        f"{s.lost_usd:.2f}",
    ]  # fmt: skip


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the shared recordings are not here")
@pytest.mark.parametrize("back", [1, -1], ids=["in order", "turned round"])
def test_of_a_recording_and_its_conversion_the_fuller_one_is_billed(back: int) -> None:
    (row,) = re.findall(r"^\| (codex/\S+, .*) \|$", PAGE, flags=re.MULTILINE)
    names, *figures = row.split(" | ")
    s = summed(*[CORPORA / PLACES[name] for name in names.split(", ")][::back])
    assert figures == [f"{s.transcripts}", f"{s.billed} of {s.requests}", f"{s.bill:.3f}"]


def test_the_sums_in_the_words_are_those_of_the_table() -> None:
    rows = list(table("On public recordings"))
    assert f"the {sum(float(row[3]) for row in rows):.2f} USD of these bills" in PAGE.replace("\n  ", " ")
    assert f"Of {sum(int(row[8]) for row in rows)} such requests" in PAGE
