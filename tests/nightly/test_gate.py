"""What an engine that got worse looks like the next morning: planted changes, one a night, and quiet nights."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from harness.engines.turn import EngineFailure, TurnInput
from harness.nightly.carry_out import Options
from harness.nightly.counted import compare_readers
from harness.nightly.night import accept, nightly
from harness.nightly.read import Suite, read_suite
from harness.nightly.verdict import Verdict
from harness.runs.run import Run
from tests.bench.fake import Clock, FakeEngine, says_call, world
from tests.nightly.nights import NEW, OLD, bench_suite, replay_suite
from tests.runs.resealed import reseal

ENVELOPE = orjson.loads(says_call(TurnInput("t00/1", "light 0"), 1))


def envelope(**changes: object) -> bytes:
    return orjson.dumps(ENVELOPE | changes)


def crashes(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    return EngineFailure("crash", "gone")


def reports_an_error(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    return orjson.dumps({"type": "call", "success": False, "error": "out of memory"})


def invents(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    calls = [call | {"arguments": {"room": "the moon"}} for call in ENVELOPE["function_calls"]]
    return envelope(function_calls=calls)


def breaks_the_schema(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    calls = [call | {"arguments": {"room": 7}} for call in ENVELOPE["function_calls"]]
    return envelope(function_calls=calls)


def is_unsure(turn: TurnInput, asked: int) -> bytes | EngineFailure:
    found = dict(ENVELOPE)
    path = f"{found['function_calls'][0]['name']}.room"
    return orjson.dumps(found | {"validation": {"ungrounded": [path], "negation": False}})


def night(suite: Suite, results: Path, number: int, **new: object) -> Verdict:
    """A night in which the new engine is as it is said to be."""
    clock = Clock(1_000_000.0 + 86_400 * number)
    made = {
        label: FakeEngine(label, clock, 0.1, 0.02, random=random.Random(2 * number + place))
        for place, label in enumerate((NEW, OLD))
    }
    for name, value in new.items():
        setattr(made[NEW], name, value)
    return nightly(suite, results, Options(), world=world(clock, made))


PLANTED = [
    ("failed_share", {"behaviour": crashes}),
    ("failed_share", {"behaviour": reports_an_error}),
    ("correct_share", {"behaviour": invents}),
    ("traced_share", {"behaviour": invents}),
    ("schema_broken_share", {"behaviour": breaks_the_schema}),
    ("grounded_share", {"behaviour": is_unsure}),
    ("peak_memory", {"peak": 430_000_000}),
    ("load_seconds", {"load_seconds": 30.0}),
]


@pytest.mark.parametrize("reference", [True, False], ids=["beside a reference", "against the baseline"])
@pytest.mark.parametrize(("figure", "planted"), PLANTED, ids=[f"{f}-{n}" for n, (f, _) in enumerate(PLANTED)])
def test_what_is_planted_is_told(figure: str, planted: dict[str, object], reference: bool, tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=reference), tmp_path / "results"
    first = night(suite, results, 0)
    assert first.exit_code(strict=False) == 0
    accept(suite, results, "as it is", 1_000_100.0)
    found = night(suite, results, 1, **planted)
    assert (found.state, found.exit_code(strict=False)) == ("regression", 1)
    (judged,) = [j for j in found.judged if j.figure == figure and j.engine == NEW]
    assert (judged.state, judged.confirmed) == ("worse", True)
    assert judged.reference == (OLD if reference else "baseline")


def test_failed_turns_lead_the_line(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=False), tmp_path / "results"
    night(suite, results, 0)
    accept(suite, results, "as it is", 1_000_100.0)
    found = night(suite, results, 1, behaviour=crashes, peak=430_000_000)
    assert f"turns/{NEW}/failed_turns got worse: 0 → 40 turns" in found.line()


def test_quiet_nights_are_fine(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    states = []
    for number in range(5):
        states.append(night(suite, results, number).state)
        if number == 0:
            accept(suite, results, "as it is", 1_000_100.0)
    assert states == ["fine"] * 5


def shortened(suite: Suite, kept: int) -> Suite:
    """The suite, whose task file lost all but the first tasks."""
    place = suite.place.parent / "tasks.jsonl"
    place.write_text("\n".join(place.read_text(encoding="utf-8").splitlines()[:kept]), encoding="utf-8")
    return read_suite(suite.place)


def test_tasks_that_are_gone_make_the_night_incomplete(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    night(suite, results, 0)
    accept(suite, results, "as it is", 1_000_100.0)
    found = night(shortened(suite, 12), results, 1)
    assert (found.state, found.exit_code(strict=False)) == ("incomplete", 1)
    assert found.line().startswith("turns: incomplete: turns: 8 tasks of the baseline are gone: t12, t13, t14")


def test_a_task_that_asks_something_else_is_not_compared(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    night(suite, results, 0)
    accept(suite, results, "as it is", 1_000_100.0)
    place = suite.place.parent / "tasks.jsonl"
    place.write_text(place.read_text(encoding="utf-8").replace('"hall light 3"', '"hall lights 3"'), encoding="utf-8")
    found = night(read_suite(suite.place), results, 1)
    assert found.state == "incomplete"
    assert found.missing == ("turns: 1 task changed and was not compared: t03",)


def test_an_engine_that_is_gone_makes_the_night_incomplete(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    night(suite, results, 0)
    accept(suite, results, "as it is", 1_000_100.0)
    text = suite.place.read_text(encoding="utf-8").replace(f'"{NEW}", ', "").replace(f'\nreference = "{OLD}"', "")
    suite.place.write_text(text, encoding="utf-8")
    found = night(read_suite(suite.place), results, 1)
    assert found.state == "incomplete"
    assert found.missing == (f"turns: 1 engine of the baseline is gone: {NEW}",)


def test_a_part_that_is_gone(tmp_path: Path) -> None:
    suite, results = bench_suite(tmp_path, reference=True), tmp_path / "results"
    night(suite, results, 0)
    accept(suite, results, "as it is", 1_000_100.0)
    text = suite.place.read_text(encoding="utf-8").replace("[bench.turns]", "[bench.others]")
    suite.place.write_text(text, encoding="utf-8")
    found = night(read_suite(suite.place), results, 1)
    assert found.state == "incomplete"
    assert found.missing == ("1 part of the baseline is gone: turns",)


def test_the_loop_s_readers_are_judged_exactly(tmp_path: Path) -> None:
    place, results = tmp_path / "loops.toml", tmp_path / "results"
    part = '[loop.readers]\ndrivers = ["reader"]\npolicies = ["car"]\nfamilies = ["sql"]\n'
    place.write_text(f'name = "loops"\nreport = []\n{part}', encoding="utf-8")
    first = results / nightly(read_suite(place), results, Options(limit=2)).runs["readers"]
    same = compare_readers("readers", Run(first), Run(first), {})
    assert (same.changes, same.figures, same.comparable) == ((), 8, True)
    later = tmp_path / "later"
    shutil.copytree(first, later)
    table = pq.read_table(later / "loop.parquet")
    more = pc.add(table["requests"], pa.scalar(1, table["requests"].type))
    pq.write_table(table.set_column(table.column_names.index("requests"), "requests", more), later / "loop.parquet")
    reseal(later)
    found = compare_readers("readers", Run(first), Run(later), {})
    assert {(c.figure, c.fails, c.unexplained) for c in found.changes} == {("run_requests", True, True)}
    assert len(found.changes) == 2


def test_a_policy_that_is_gone_makes_the_night_incomplete(tmp_path: Path) -> None:
    place, results = replay_suite(tmp_path), tmp_path / "results"
    nightly(read_suite(place), results, Options())
    accept(read_suite(place), results, "as it is", 1_000_100.0)
    for text in ('"head:bytes=200"', ""):
        suite = place.read_text(encoding="utf-8").replace('"head:bytes=300"', text).replace("[, ", "[")
        changed = place.with_name("changed.toml")
        changed.write_text(suite, encoding="utf-8")
        found = nightly(read_suite(changed), results, Options())
        assert (found.state, found.exit_code(strict=False)) == ("incomplete", 1)
        assert found.missing == ("rec: 1 policy of the baseline is gone: head:bytes=300",)
