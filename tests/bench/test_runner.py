"""The whole bench with a clock set by hand: who runs when, what is kept, what a failure costs, how it resumes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pandas as pd
import pytest

from harness.bench.kind import BENCH
from harness.bench.record import read_envelopes, write_recording
from harness.bench.settings import BenchSettings
from harness.bench.summary import BenchSummary
from harness.bench.throughput import samples
from harness.engines.turn import EngineFailure, TurnInput
from harness.errors import HarnessError
from harness.runs import life
from harness.runs.run import Run
from tests.bench.fake import CALL, Clock, FakeEngine, lines, task, world

A, B = "command:run=a", "command:run=b"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task(f"t{n:02}", f"light in the hall, {n}") for n in range(12)]), encoding="utf-8")
    return path


def settings(tasks: Path, *engines: str, **more: int) -> BenchSettings:
    return BenchSettings(engines or (A,), (str(tasks),), **({"repetitions": 2, "stretch": 4} | more))


def text(run: Run) -> str:
    """What a terminal shows of it."""
    return run.kind.report(run).text()


def test_engines_take_turns_by_stretches_and_stand_still_between_them(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    engines = {name: FakeEngine(name, clock) for name in (A, B)}
    run = Run(life.run(BENCH, settings(tasks, A, B), tmp_path / "results", world=world(clock, engines)))
    order = run.engine.sort_values("stretch")["stretch"].astype(int).tolist()
    assert order == sorted(order)
    by_stretch = run.stretches.set_index("stretch")
    assert by_stretch["engine"].tolist() == [A, B] * 6
    assert by_stretch["repetition"].tolist() == [1] * 6 + [2] * 6
    assert by_stretch["turns"].tolist() == [4] * 12
    assert len(run.engine) == 12 * 2 * 2


def test_the_turns_before_the_times_settle_are_thrown_away(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    engine = FakeEngine(A, clock)
    run = Run(life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: engine})))
    assert run.starts["warm_seconds"].tolist() == ["1+0.1+0.1+0.1"]
    assert run.starts["stable"].tolist() == [True]
    assert run.engine["seconds"].tolist() == pytest.approx([0.1] * 24)
    assert engine.asked == 24 + 4


def test_times_and_memory_are_apart(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    run = Run(life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: FakeEngine(A, clock)})))
    summary = BenchSummary(run)
    assert summary.memory == {A: {"peak": 40.0, "loaded": 40.0}}
    found = summary.times.set_index("time")["median"]
    assert found["load"] == 0.5
    assert found["init"] == 0.25
    assert found["first"] == pytest.approx(0.025)
    assert found["turn"] == pytest.approx(0.1)
    rates = summary.throughput[summary.throughput["band"] == "all"].set_index("rate")["median"]
    assert rates["prefill"] == pytest.approx(40 / 0.025)
    assert rates["decode"] == pytest.approx(15 / 0.075)
    assert rates["whole"] == pytest.approx(16 / 0.1)


def test_tools_are_declared_again_only_when_they_change(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task("a", "x"), task("b", "y", "z"), task("c", "x", tools=3)]), encoding="utf-8")
    clock = Clock()
    run = Run(
        life.run(
            BENCH, settings(path, repetitions=1), tmp_path / "results", world=world(clock, {A: FakeEngine(A, clock)})
        )
    )
    assert [entry for entry in clock.log if "declare" in entry] == [f"{A} declare 1", f"{A} declare 3"]
    declared = run.engine.set_index(["task", "turn"])["prefix_tokens"]
    assert declared["c", 1] == 30
    assert declared.isna().sum() == 3


@pytest.mark.parametrize("kind", ["crash", "timeout", "flood", "half line", "unasked", "refused"])
def test_a_turn_that_fails_costs_that_turn(kind: str, tasks: Path, tmp_path: Path) -> None:
    def fails_once(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        return EngineFailure(kind, "so it is", b'{"type":') if turn.id == "t05/1" else CALL  # type: ignore[arg-type]

    clock = Clock()
    engine = FakeEngine(A, clock, behaviour=fails_once)
    run = Run(life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: engine})))
    states = run.engine.set_index(["task", "repetition"])["state"].astype("str")
    assert states[states == "failed"].index.tolist() == [("t05", 1), ("t05", 2)]
    assert set(states[states != "failed"]) == {"grounded"}
    assert run.engine.loc[run.engine["state"] == "failed", "failure"].tolist() == [kind, kind]
    found = BenchSummary(run).rates[A]
    assert (found.answered.count, found.answered.total) == (11, 12)
    assert (found.failed.count, found.failed.total) == (2, 24)
    assert (found.right.count, found.right.total) == (11, 12)
    kept = dict(read_envelopes(run.directory))
    assert kept[A, "t05", 1, 1] == b'{"type":'
    assert kept[A, "t06", 1, 1] == CALL
    starts = 1 if kind == "refused" else 3
    assert len(run.starts) == starts
    assert re.search(r"turns: failed +1$", text(run), re.MULTILINE)


def test_an_engine_that_dies_for_good_fails_every_turn_from_there_on(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()

    def dies(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        if turn.id in ("t00/1", "t01/1"):
            return CALL
        engine.start = cannot  # type: ignore[method-assign]
        return EngineFailure("crash", "gone")

    def cannot() -> None:  # type: ignore[misc]
        raise HarnessError("the library is gone")

    engine = FakeEngine(A, clock, behaviour=dies)
    run = Run(life.run(BENCH, settings(tasks, repetitions=1), tmp_path / "results", world=world(clock, {A: engine})))
    assert run.engine["state"].astype("str").tolist() == ["grounded"] * 2 + ["failed"] * 10
    assert run.engine["detail"].tolist()[3] == "cannot be started again: the library is gone"
    assert run.engine["detail"].tolist()[-1] == "not running: 3 starts in a row failed"


def test_an_engine_that_cannot_be_started_at_all_is_the_users_to_mend(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    engine = FakeEngine(A, clock)

    def crash() -> None:  # type: ignore[misc]
        raise EngineFailure("crash", "ended with exit code 1")

    engine.start = crash  # type: ignore[assignment, method-assign]
    with pytest.raises(HarnessError, match=r"command:run=a could not be started: crash: ended with exit code 1"):
        life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: engine}))


def test_envelopes_are_kept_byte_for_byte(tmp_path: Path) -> None:
    strange = [
        CALL + b"  ",
        b'{"type":"call","note":"\xe2\x80\xa8 \\ud800"}',
        b"\xff\xfe no text",
        b"",
        '{"type": "respond", "reasoning": "日本\\n"}'.encode(),
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task(f"t{n}", "x") for n in range(len(strange))]), encoding="utf-8")
    clock = Clock()
    engine = FakeEngine(A, clock, behaviour=lambda turn, asked: strange[int(turn.id[1])])
    directory = life.run(BENCH, settings(path, repetitions=1), tmp_path / "results", world=world(clock, {A: engine}))
    assert [envelope for _, envelope in read_envelopes(directory)] == strange


def test_a_recording_of_a_run_answers_as_the_engine_did(tasks: Path, tmp_path: Path) -> None:
    def says(turn: TurnInput, asked: int) -> bytes | EngineFailure:
        said = [CALL, b'{"type": "respond"}', EngineFailure("crash", "gone"), b"garbage"]
        return said[int(turn.id[1:3]) % 4]

    clock = Clock()
    first = life.run(
        BENCH, settings(tasks), tmp_path / "one", world=world(clock, {A: FakeEngine(A, clock, behaviour=says)})
    )
    path = tmp_path / "recording.jsonl"
    assert write_recording(first, A, path) == 9
    again = Run(life.run(BENCH, settings(tasks, f"recorded:path={path}", repetitions=1), tmp_path / "two"))
    live = Run(first).engine
    live = live[live["repetition"] == 1]
    assert again.engine["state"].astype("str").tolist() == live["state"].astype("str").tolist()
    assert again.engine["right"].tolist() == live["right"].tolist()
    assert again.engine["seconds"].isna().all()
    assert "recorded envelopes" in text(again)


class Stop(Exception):
    """Stands for whatever ends the harness in the middle of a run."""


@pytest.mark.parametrize("after", [1, 9, 17, 23, 40])
def test_a_run_that_was_interrupted_goes_on_where_it_was(after: int, tasks: Path, tmp_path: Path) -> None:
    def whole(folder: str, stop: int | None) -> Run:
        clock = Clock()
        engines = {name: FakeEngine(name, clock) for name in (A, B)}
        here = world(clock, engines)

        def progress(done: int, total: int | None) -> None:
            assert total == 48
            if done == stop:
                raise Stop

        if stop is None:
            return Run(life.run(BENCH, settings(tasks, A, B), tmp_path / folder, None, progress, world=here))
        with pytest.raises(Stop):
            life.run(BENCH, settings(tasks, A, B), tmp_path / folder, None, progress, world=here)
        (unfinished,) = (tmp_path / folder).iterdir()
        with (unfinished / "journal.jsonl").open("ab") as stream:
            stream.write(b'{"kind":"task","engine":"comm')
        clock = Clock()
        engines = {name: FakeEngine(name, clock) for name in (A, B)}
        run = Run(life.resume(BENCH, unfinished, world=world(clock, engines)))
        assert sum(engine.asked for engine in engines.values()) <= 48 - after + 8
        return run

    keys = ["engine", "task", "turn", "repetition"]
    columns = [*keys, "state", "right", "seconds", "output_tokens"]
    left, right = whole("one", None).engine[columns], whole("two", after).engine[columns]
    pd.testing.assert_frame_equal(left, right)


def test_a_finished_run_is_not_run_again(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    engine = FakeEngine(A, clock)
    directory = life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: engine}))
    asked = engine.asked
    assert life.resume(BENCH, directory, world=world(clock, {A: engine})) == directory
    assert engine.asked == asked


def test_a_run_whose_tasks_changed_is_refused(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    directory = life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, {A: FakeEngine(A, clock)}))
    (directory / "manifest.json").unlink()
    tasks.write_text(lines([task("other", "x")]), encoding="utf-8")
    with pytest.raises(HarnessError, match=r"tasks\.jsonl changed since"):
        life.resume(BENCH, directory, world=world(clock, {A: FakeEngine(A, clock)}))


def test_stretches_in_which_others_ran_are_marked(tasks: Path, tmp_path: Path) -> None:
    clock = Clock()
    engines = {A: FakeEngine(A, clock)}

    def foreign() -> float:
        return 0.6 * max(0.0, clock.now - 1_000_003.0)

    run = Run(life.run(BENCH, settings(tasks), tmp_path / "results", world=world(clock, engines, foreign)))
    marks = run.stretches["contended"].tolist()
    assert not marks[0]
    assert marks[-1]
    assert run.stretches["because"].tolist()[-1] == "others kept 0.6 of 2 cores busy"
    assert run.engine.groupby("stretch")["contended"].first().tolist() == marks
    # Every turn claims 100 tokens a second where the clock saw 200; only a clock that was not disturbed is a witness.
    assert set(run.engine["contradicted"]) == {"decode"}
    quiet = 4 * marks.count(False)
    summary = BenchSummary(run)
    assert 0 < summary.quiet_turns[A] == summary.contradicted[A]["decode"] == quiet < 24


def test_no_rate_from_few_tokens(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(lines([task("short", "x"), task("long", "y" * 100)]), encoding="utf-8")
    clock = Clock()
    run = Run(life.run(BENCH, settings(path), tmp_path / "results", world=world(clock, {A: FakeEngine(A, clock)})))
    found = samples(run.engine).set_index(["band", "repetition"])
    assert found.loc["under 64 B"]["whole"].isna().all()
    assert found.loc["all"]["whole"].tolist() == pytest.approx([32 / 0.2] * 2)
    assert found.loc["all"]["decode"].isna().all()


def test_the_same_run_prints_the_same_summary(tasks: Path, tmp_path: Path) -> None:
    def said(folder: str) -> str:
        clock = Clock()
        engines = {name: FakeEngine(name, clock, noise=0.1, random=random.Random(n)) for n, name in enumerate((A, B))}
        return text(Run(life.run(BENCH, settings(tasks, A, B), tmp_path / folder, world=world(clock, engines))))

    first = said("one")
    assert first == said("two")
    assert f"{A} is right on 100.0 % of 12 turns (95 % interval 75.8 … 100.0 %)" in " ".join(first.split())
