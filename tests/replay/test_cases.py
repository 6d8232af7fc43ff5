"""Recordings whose figures were wrong once, with the right ones (made up)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.replay.measure import measure
from harness.replay.settings import ReplaySettings

CASES = Path(__file__).parents[1] / "cases"


def rows(case: str, *policies: str) -> dict[str, dict[str, Any]]:
    """Per policy, its row of the transcript table."""
    (transcript,) = read_transcripts([CASES / case], Intake())
    measures = ReplaySettings((), policies=policies).measures()
    found = measure(transcript, measures)
    shared = {name: value for name, (value,) in found.shared["transcripts"].items()}
    own = {label: tables["transcripts"] for label, tables in found.policies.items()}
    return {label: shared | {name: value for name, (value,) in row.items()} for label, row in own.items()}


def test_identity_shows_what_was_recorded_and_so_avoids_no_call() -> None:
    found = rows("identity-avoids-calls", "claude_code", "head:bytes=100000")
    assert found["identity"]["added_low"] == 0
    assert found["claude_code"]["elided_bytes"] == 0
    assert found["claude_code"]["added_low"] == 0
    assert found["head:bytes=100000"]["added_low"] == -4


@pytest.mark.parametrize("policy", ["deepagents", "claude_code", "opencode"])
def test_the_middle_of_a_long_line_is_out_of_reach_for_readers_that_cut_lines(policy: str) -> None:
    row = rows("long-lines-called-reachable", policy)[policy]
    hidden = row["borne"] - row["visible"]
    assert hidden
    assert row["reachable"] == 0
    assert row["lost"] + row["reachable_unknown"] == hidden


def test_what_is_taken_out_of_a_prompt_is_no_more_than_stood_there() -> None:
    for row in rows("spill-counts-more-than-all", "head:bytes=1000", "mask_last_n:n=1").values():
        assert 0 <= row["unreachable_bytes"] <= row["elided_bytes"] <= row["result_bytes"]
        assert row["joined_bytes"] > row["result_bytes"]
