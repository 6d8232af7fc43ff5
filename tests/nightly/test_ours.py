"""The project's own nightly suite and the baseline that is committed with it."""

from __future__ import annotations

from harness.nightly.baseline import read_pinned
from harness.nightly.read import read_suite
from tests.conftest import ROOT


def test_the_committed_baseline_is_whole_and_of_this_suite() -> None:
    suite = read_suite(ROOT / "tasks" / "suites" / "nightly.toml")
    baseline = read_pinned(ROOT / "results" / "baseline" / suite.name)
    assert {part.name for part in suite.parts} == set(baseline.places)
    replayed = next(part.settings for part in suite.parts if part.kind == "replay")
    run = baseline.run("samples")
    assert run is not None
    assert list(run.transcripts["policy"].unique()) == ["identity", *map(str, replayed.policies)]


def test_the_committed_baseline_names_no_folder_of_a_machine() -> None:
    for place in (ROOT / "results" / "baseline").rglob("*.json"):
        assert '"cwd"' not in place.read_text(encoding="utf-8")
