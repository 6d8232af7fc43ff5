"""Whole nights in this process: every planted change is found with its cause, nothing else is."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from pathlib import Path
from types import MappingProxyType

import pandas as pd
import pytest

from harness.bench.runner import REAL, World
from harness.errors import HarnessError
from harness.nightly.carry_out import Options
from harness.nightly.night import accept, nightly
from harness.nightly.read import read_suite
from harness.nightly.verdict import Verdict
from harness.nightly.verdicts import verdicts
from harness.policies import presets as preset_module
from harness.runs.annotations import read_annotations
from harness.runs.groups import read_groups
from tests.bench.fake import Clock
from tests.nightly.nights import NEW, add_transcript, bench_suite, engines, replay_suite, ticking
from tests.runs.resealed import reseal

WHOLE = Options()


def night(place: Path, results: Path, world: World = REAL) -> Verdict:
    return nightly(read_suite(place), results, WHOLE, world=world)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture
def accepted(tmp_path: Path, results: Path) -> Path:
    """A suite with an accepted night."""
    place = replay_suite(tmp_path)
    first = night(place, results)
    assert (first.state, first.baseline, first.exit_code(False), first.exit_code(True)) == ("inconclusive", None, 0, 1)
    accept(read_suite(place), results, "the first night", 0.0)
    return place


def plant_constant(patch: pytest.MonkeyPatch, name: str = "swe_agent", limit: int = 500) -> None:
    """A preset's constant is another one, as if someone had edited the data."""
    known = preset_module.presets()
    changed = dataclasses.replace(known[name], settings={**known[name].settings, "limit": limit})
    patch.setattr(preset_module, "presets", lambda: MappingProxyType({**known, name: changed}))
    patch.setattr("harness.policies.spec.presets", preset_module.presets)
    patch.setattr("harness.replay.shards._prepared", None)  # a process keeps what it made of settings


def test_the_same_again_changes_nothing(accepted: Path, results: Path) -> None:
    again = night(accepted, results)
    assert again.state == "fine"
    assert again.changes == []
    assert again.compared[0].figures > 60
    assert again.baseline == read_groups(results, "small")[0].name
    assert again.line().startswith("small: fine:")


def test_a_constant_of_one_policy_is_named_and_no_other_policy_moves(
    accepted: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_constant(monkeypatch)
    found = night(accepted, results)
    assert found.state == "regression"
    assert {c.policy for c in found.changes} == {"swe_agent"}
    assert {"input_tokens", "rendered_bytes"} <= {c.figure for c in found.changes}
    assert all("limit" in c.causes[0] and "500" in c.causes[0] for c in found.changes)
    worse = {c.figure for c in found.changes if c.fails}
    assert worse
    assert "visible_share" in worse
    assert found.changes[0].movers
    assert found.exit_code(False) == 1


def test_another_tokenizer_is_named(accepted: Path, results: Path) -> None:
    text = accepted.read_text(encoding="utf-8")
    accepted.write_text(text + 'tokens = "openai-chat-3-3-cl100k"\n', encoding="utf-8")
    found = night(accepted, results)
    tokens = [c for c in found.changes if c.figure == "input_tokens"]
    assert {c.policy for c in tokens} == {"identity", "head:bytes=300", "swe_agent", "car"}
    assert all(c.causes[0].startswith("tokenizer: ") and "cl100k" in c.causes[0] for c in tokens)
    assert not [c for c in found.changes if c.figure in ("rendered_bytes", "visible_share", "at_risk_requests")]


def test_a_new_transcript_is_no_regression_and_a_lost_one_is(accepted: Path, results: Path) -> None:
    added = add_transcript(accepted.parent / "rec", 77)
    found = night(accepted, results)
    assert found.state == "fine"
    assert found.compared[0].corpus.added == ("run-77.json",)
    assert {c.scope for c in found.changes} == {"corpus"}
    assert "1 added" in found.line()
    added.unlink()
    (accepted.parent / "rec" / "run-0.json").unlink()
    lost = night(accepted, results)
    assert lost.state == "regression"
    assert [(c.figure, c.before, c.after) for c in lost.changes if c.fails] == [("transcripts", 3.0, 2.0)]


def test_a_changed_transcript_is_left_out_of_the_comparison(accepted: Path, results: Path) -> None:
    place = accepted.parent / "rec" / "run-1.json"
    record = json.loads(place.read_text(encoding="utf-8"))
    record["messages"][2]["content"] += " and more"
    place.write_text(json.dumps(record), encoding="utf-8")
    found = night(accepted, results)
    assert found.state == "fine"
    assert found.compared[0].corpus.changed == ("run-1.json",)
    assert {c.scope for c in found.changes} == {"corpus"}


def test_nothing_in_common_is_incomplete(accepted: Path, results: Path) -> None:
    for place in (accepted.parent / "rec").iterdir():
        text = place.read_text(encoding="utf-8").replace('"go"', '"go on"')
        place.write_text(text, encoding="utf-8")
    found = night(accepted, results)
    assert (found.state, found.exit_code(strict=False)) == ("incomplete", 1)
    assert any("nothing was compared" in note for note in found.notes)


def test_what_nothing_explains_fails(accepted: Path, results: Path) -> None:
    """Equal inputs that give other figures, be they better."""
    table = results / read_groups(results, "small")[0].runs["rec"] / "transcripts.parquet"
    frame = pd.read_parquet(table)
    frame.loc[frame["policy"] == "car", "input_tokens"] += 1
    frame.to_parquet(table)
    reseal(table.parent)
    found = night(accepted, results)
    assert [(c.key, c.worse < 0, c.fails) for c in found.changes] == [("rec/car/input_tokens", True, True)]
    assert found.changes[0].causes[0].startswith("unexplained")


def test_a_tolerance_lets_pass_and_a_mute_hushes(
    tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = replay_suite(tmp_path)
    night(place, results)
    accept(read_suite(place), results, "first", 0.0)
    plant_constant(monkeypatch, limit=700)
    failing = {c.figure for c in night(place, results).changes if c.fails}
    assert failing
    text = place.read_text(encoding="utf-8")
    place.write_text(text + "[tolerance]\n" + "".join(f"{name} = 9.0\n" for name in sorted(failing)), encoding="utf-8")
    allowed = night(place, results)
    from_zero = {c.figure for c in allowed.changes if c.fails}
    assert from_zero == {c.figure for c in allowed.changes if c.worse == float("inf")}
    place.write_text(text, encoding="utf-8")
    with (results / "annotations.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n# ours\n[[muted]]\nfigure = "rec/swe_agent/*"\nwhy = "being changed"\n')
    muted = night(place, results)
    assert muted.state == "fine"
    assert {c.muted for c in muted.changes} == {"being changed"}


def test_a_regression_stays_one_until_it_is_accepted(
    accepted: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_constant(monkeypatch)
    assert [night(accepted, results).state for _ in range(2)] == ["regression", "regression"]
    accept(read_suite(accepted), results, 'the limit is "500" now\n\x7f', 1.0)
    assert read_annotations(results).accepted[-1]["why"] == 'the limit is "500" now\n\x7f'
    assert night(accepted, results).state == "fine"
    assert [r["state"] for r in verdicts(results)] == ["inconclusive", "regression", "regression", "fine"]


def test_the_nearest_ancestor_with_a_good_run(tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = replay_suite(tmp_path)
    place.write_text('baseline = "ancestor"\n' + place.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]

    def commit() -> None:
        subprocess.run(["git", *identity, "commit", "-q", "--allow-empty", "-m", "x"], check=True)

    subprocess.run(["git", "init", "-q"], check=True)
    commit()
    first = night(place, results)
    commit()
    commit()
    with monkeypatch.context() as patch:
        plant_constant(patch)
        bad = night(place, results)
    assert (bad.state, bad.baseline, bad.chosen) == (
        "regression",
        first.group,
        "the nearest ancestor with a run, 2 commits back",
    )
    commit()
    assert night(place, results).baseline == first.group


def test_a_clock_that_goes_backwards_keeps_the_order_of_nights(tmp_path: Path, results: Path) -> None:
    place = replay_suite(tmp_path)
    backwards = ticking(2_000_000_000.0, -3600.0)
    made = [night(place, results, dataclasses.replace(REAL, now=backwards)) for _ in range(3)]
    assert made[0].finished < made[0].started
    assert [g.name for g in read_groups(results)] == [v.group for v in made]
    assert len({v.group for v in made}) == 3
    assert any("the clock went backwards" in note for note in made[-1].notes)
    still = dataclasses.replace(REAL, now=lambda: 1_900_000_000.0)
    same = [night(place, results, still).group for _ in range(2)]
    assert same[1] == f"{same[0]}-2"


def test_a_slower_engine_is_told_from_its_reference_and_confirmed(tmp_path: Path, results: Path) -> None:
    suite = bench_suite(tmp_path, reference=True)
    fine = nightly(suite, results, WHOLE, world=engines(Clock()))
    assert {j.state for j in fine.judged} == {"fine"}
    assert (fine.state, fine.baseline, fine.exit_code(True)) == ("fine", None, 0), "a reference is all it needs"
    assert (
        fine.line()
        == "turns: fine: no measured figures; 11 timings and live figures, 0 inconclusive (against the reference)"
    )
    found = nightly(suite, results, WHOLE, world=engines(Clock(), slower=1.2, seed=1))
    slow = {j.figure: j for j in found.judged}
    assert found.state == "regression"
    assert slow["turn_seconds"].state == "worse"
    assert slow["turn_seconds"].confirmed
    assert slow["turn_seconds"].effect == pytest.approx(0.2, abs=0.03)
    low, high = slow["turn_seconds"].interval or (0.0, 0.0)
    assert low < 0.2 < high
    assert slow["correct_share"].state == "fine"
    assert "turns (again)" in found.runs


def test_a_suspect_that_is_not_seen_again_raises_no_alarm(tmp_path: Path, results: Path) -> None:
    suite = bench_suite(tmp_path, reference=True)
    clock = Clock()
    slow, normal = engines(clock, slower=1.2), engines(clock, seed=3)
    opened: list[str] = []

    def open_engine(spec, settings):  # type: ignore[no-untyped-def]
        opened.append(spec.label)
        return (slow if len(opened) <= 2 else normal).open(spec, settings)

    found = nightly(suite, results, WHOLE, world=World(open_engine, slow.look, slow.now))
    assert len(opened) == 4
    turn = next(j for j in found.judged if j.figure == "turn_seconds")
    assert (turn.state, turn.confirmed) == ("inconclusive", False)
    assert turn.why.startswith("not confirmed")
    assert found.state == "inconclusive"


def test_without_a_reference_the_history_tells(tmp_path: Path, results: Path) -> None:
    pytest.importorskip("ruptures")
    suite = bench_suite(tmp_path, reference=False)
    states = []
    for n in range(9):
        clock = Clock(1_000_000.0 + 86_400 * n)
        world = engines(clock, slower=1.2 if n >= 6 else 1.0, seed=n)
        found = nightly(suite, results, WHOLE, world=world)
        states.append(next(j for j in found.judged if j.figure == "turn_seconds").state)
    assert states == ["inconclusive"] * 5 + ["fine", "inconclusive"] + ["worse"] * 2
    assert found.state == "regression"
    turn = next(j for j in found.judged if j.figure == "turn_seconds")
    assert (turn.confirmed, turn.reference, turn.engine) == (True, "history", NEW)


def test_what_cannot_be_accepted(tmp_path: Path, results: Path) -> None:
    suite = read_suite(replay_suite(tmp_path))
    with pytest.raises(HarnessError, match="no whole run of suite small"):
        accept(suite, results, "why", 0.0)
    results.mkdir(exist_ok=True)
    (results / "annotations.toml").write_text('[[accepted]]\nsuite = "small"\n', encoding="utf-8")
    with pytest.raises(HarnessError, match=r"annotations.toml: no 'group' in \[\[accepted\]\]"):
        nightly(suite, results, WHOLE)
