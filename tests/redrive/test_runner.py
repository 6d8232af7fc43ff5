"""The whole re-drive with a small program as engine: the comparison that is known to be right comes out exactly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from harness.engines.turn import EngineFailure, TurnInput
from harness.errors import HarnessError
from harness.redrive.kind import REDRIVE
from harness.redrive.sections.part import Redrive
from harness.redrive.settings import RedriveHow, RedriveSettings
from harness.redrive.tables import tables
from harness.runs import life
from harness.runs.run import Run
from tests.bench.fake import Clock, FakeEngine
from tests.redrive.recordings import LONG, TASKS, WINDOW, code, conversation, recordings, repeats, write

POLICIES = ("head:bytes=1000", "car")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("redrive")


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    paths = (str(recordings(folder / "recordings.jsonl")),)
    settings = RedriveSettings(paths, (repeats(),), POLICIES, window=WINDOW)
    return Run(life.run(REDRIVE, settings, folder / "results", RedriveHow(str(folder / "envelopes.jsonl"))))


def by_policy(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.set_index(frame["policy"].astype(str))


def test_what_does_not_fit_under_identity_is_an_outcome_and_not_compared(run: Run) -> None:
    fit = by_policy(tables(run.redrive)["fit"])
    assert fit.loc["identity", ["requests", "fit", "overflow_counted", "overflow_reported"]].tolist() == [27, 25, 2, 0]
    assert fit["fit"].tolist() == [25, 27, 27]
    assert fit["fit_under_all"].tolist() == [25, 25, 25]
    too_long = run.redrive[run.redrive["outcome"] == "overflow"]
    assert set(too_long["transcript"].astype(str).str.partition("#")[2]) == {f"t{LONG}"}
    assert too_long["request"].tolist() == [2, 3]
    assert (too_long["prompt_tokens"] > WINDOW).all()
    assert too_long["seconds"].isna().all()


def test_the_known_agreement_comes_out_exactly(run: Run) -> None:
    found = by_policy(tables(run.redrive)["agreement"])
    assert found["calls"].tolist() == [17, 17, 17]
    assert found["same_tools"].tolist() == [1, 1, 1]
    # Of eight tasks that fit, the four odd ones hide the code under both policies.
    assert found["same_arguments"].tolist() == pytest.approx([1, 13 / 17, 13 / 17])
    assert found.loc["car", "same_arguments_difference"] == pytest.approx(-4 / 17)
    assert pd.isna(found.loc["head:bytes=1000", "same_arguments_difference_low"]), "eight tasks are too few"
    # The handle is shown under car, and made up under head.
    assert found["grounded"].tolist() == pytest.approx([1, 13 / 17, 1])
    assert found["answers"].tolist() == [8, 8, 8]
    assert found["no_call"].tolist() == [1, 1, 1]
    assert pd.isna(found.loc["identity", "p"])
    assert pd.isna(found.loc["car", "p"]), "no interval, no p"


def test_where_evidence_is_hidden_and_handles(run: Run) -> None:
    found = tables(run.redrive)
    hidden = by_policy(found["hidden"])
    columns = ["at_risk", "at_risk_right_identity", "at_risk_right", "visible", "visible_right"]
    assert hidden.loc["identity", columns].tolist() == [0, 0, 0, 8, 8]
    assert hidden.loc["car", columns].tolist() == [4, 4, 0, 4, 4]
    handles = by_policy(found["handles"])
    columns = ["requests", "requests_using", "handles_used", "handles_wrong", "handles_invented"]
    assert handles.loc["car", columns].tolist() == [16, 4, 4, 0, 0]
    assert handles.loc["head:bytes=1000", columns].tolist() == [0, 0, 0, 0, 4]
    assert "identity" not in handles.index


def test_costs_are_ratios_of_what_was_given(run: Run) -> None:
    costs = by_policy(tables(run.redrive)["costs"])
    frame = run.redrive[run.redrive["comparable"]]
    totals = frame.groupby("policy", observed=True)["prompt_tokens"].sum()
    assert costs["prompt_tokens"].tolist() == totals.tolist()
    assert costs.loc["car", "tokens_ratio"] == pytest.approx(totals["car"] / totals["identity"])
    assert costs["timed"].tolist() == [25, 25, 25]


def test_equal_prompts_are_asked_once(run: Run, folder: Path) -> None:
    first = run.redrive[run.redrive["request"] == 1]
    assert (first["asked"] == "itself").sum() == TASKS
    assert first["asked"].str.startswith("as ").sum() == 2 * TASKS
    asked = (folder / "envelopes.jsonl").read_bytes().splitlines()
    assert len(asked) == (run.redrive["asked"] == "itself").sum()


def test_no_text_of_a_recording_is_in_the_run(run: Run) -> None:
    for path in run.directory.iterdir():
        data = path.read_bytes()
        assert b"orchid" not in data
        assert code(1).encode() not in data


def test_the_envelopes_can_be_played_again(run: Run, folder: Path) -> None:
    paths = (str(folder / "recordings.jsonl"),)
    engine = f"recorded:path={folder / 'envelopes.jsonl'}"
    again = Run(life.run(REDRIVE, RedriveSettings(paths, (engine,), POLICIES, window=WINDOW, seed=7), folder / "again"))
    live = [c for c in run.redrive if c not in ("engine", "asked", "seconds")]
    pd.testing.assert_frame_equal(again.redrive[live], run.redrive[live])


def test_what_is_printed(run: Run) -> None:
    text = re.sub(r"\s+", " ", Redrive(run).text())
    assert "25 of 27 requests (92.6 %) fit under all policies" in text
    assert "Window (recorded): 4,000 tokens of" in text
    assert "derived 9" in text
    assert "76.5 %" in text
    assert "so seldom" not in text
    assert json.loads(json.dumps(Redrive(run).record()))["tables"]["agreement"][1]["same_arguments"] == pytest.approx(
        13 / 17
    )


class Interrupting(FakeEngine):
    """An engine at which somebody presses Ctrl-C."""

    def complete(self, turn: TurnInput, max_tokens: int):  # type: ignore[no-untyped-def]
        if self.asked == 10:
            raise KeyboardInterrupt
        return super().complete(turn, max_tokens)


def opener(engine: FakeEngine) -> SimpleNamespace:
    return SimpleNamespace(open=lambda spec, settings: engine)


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    settings = RedriveSettings((str(recordings(tmp_path / "r.jsonl")),), ("tiny",), POLICIES, window=WINDOW)
    whole = Run(life.run(REDRIVE, settings, tmp_path / "whole", world=opener(FakeEngine("tiny", Clock()))))
    with pytest.raises(KeyboardInterrupt):
        life.run(REDRIVE, settings, tmp_path / "cut", world=opener(Interrupting("tiny", Clock())))
    (directory,) = (tmp_path / "cut").iterdir()
    asked = FakeEngine("tiny", Clock())
    gone_on = Run(life.resume(REDRIVE, directory, world=opener(asked)))
    same = [c for c in whole.redrive if not c.endswith("seconds")]
    pd.testing.assert_frame_equal(gone_on.redrive[same], whole.redrive[same])
    assert 0 < asked.asked < (whole.redrive["asked"] == "itself").sum()
    assert life.resume(REDRIVE, directory) == directory


def test_a_recording_that_changed_is_not_mixed_with_what_it_was(tmp_path: Path) -> None:
    path = recordings(tmp_path / "r.jsonl")
    settings = RedriveSettings((str(path),), ("tiny",), POLICIES, window=WINDOW)
    with pytest.raises(KeyboardInterrupt):
        life.run(REDRIVE, settings, tmp_path / "cut", world=opener(Interrupting("tiny", Clock())))
    changed = conversation(1)
    changed["messages"][0]["content"] = "You work with other tools."
    write(path, [changed])
    (directory,) = (tmp_path / "cut").iterdir()
    with pytest.raises(HarnessError, match="t1: changed since this run read it"):
        life.resume(REDRIVE, directory, world=opener(FakeEngine("tiny", Clock())))


@pytest.mark.parametrize(
    ("failure", "outcome", "kept"),
    [
        (EngineFailure("overflow", "too long"), "overflow", 0),
        (EngineFailure("crash", "gone"), "failed", 6),
        (b"no envelope", "failed", 6),
        (b'{"type": "error", "success": false, "error": "maximum context length is 8 tokens"}', "overflow", 0),
        (b'{"type": "error", "success": false, "error": "out of memory"}', "failed", 6),
    ],
)
def test_turns_that_fail_are_kept_and_overflow_is_none_of_them(
    failure: bytes | EngineFailure, outcome: str, kept: int, tmp_path: Path
) -> None:
    path = write(tmp_path / "r.jsonl", [conversation(1)])
    engine = FakeEngine("tiny", Clock(), behaviour=lambda turn, asked: failure)
    settings = RedriveSettings((str(path),), ("tiny",), ("head:bytes=100",), window=WINDOW)
    run = Run(life.run(REDRIVE, settings, tmp_path / "results", world=opener(engine)))
    assert set(run.redrive["outcome"]) == {outcome}
    assert run.redrive["comparable"].sum() == kept
    assert run.redrive["same_tools"].isna().all()
    assert Redrive(run).text()


def test_an_engine_whose_own_count_fills_the_window_has_overflowed(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [conversation(1)])
    settings = RedriveSettings((str(path),), ("tiny",), (), window=50, max_tokens=1, limit=1)
    engine = FakeEngine("tiny", Clock())
    run = Run(life.run(REDRIVE, settings, tmp_path / "results", world=opener(engine)))
    assert run.redrive["outcome"].tolist() == ["overflow"]


def test_an_engine_without_a_window_needs_one(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", [conversation(1)])
    with pytest.raises(HarnessError, match="does not say how many tokens its window holds"):
        life.run(REDRIVE, RedriveSettings((str(path),), ("tiny",)), tmp_path, world=opener(FakeEngine("tiny", Clock())))


def test_what_is_asked_can_be_limited_and_does_not_depend_on_the_rest() -> None:
    settings = RedriveSettings(("x",), ("tiny",), limit=3, seed=5)
    drawn = settings.drawn("t", 40)
    assert len(set(drawn)) == 3
    assert drawn == sorted(drawn) == settings.drawn("t", 40)
    assert drawn != RedriveSettings(("x",), ("tiny",), limit=3, seed=6).drawn("t", 40)
    assert settings.drawn("t", 2) == [0, 1]
    orders = {tuple(settings.order("t", k, ["a", "b", "c"])) for k in range(40)}
    assert len(orders) == 6
    assert settings.order("half a pair \ud800", 1, ["a"]) == ["a"]


def test_nothing_to_read_is_a_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"no recording to re-drive in .*notes\.txt: text, of no known format"):
        life.run(
            REDRIVE,
            RedriveSettings((str(tmp_path / "notes.txt"),), ("tiny",), window=100),
            tmp_path / "results",
            world=opener(FakeEngine("tiny", Clock())),
        )
