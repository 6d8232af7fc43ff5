"""The whole command over small recordings."""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import HarnessError
from harness.policies.spec import make_policy
from harness.runs import life
from harness.runs.run import Run
from harness.tune.kind import TUNE
from harness.tune.patch import reference_patch
from harness.tune.rows import trial_of
from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import judge, record
from harness.tune.words import heading


def write_recording(folder: Path, number: int, project: str, lines: int = 60) -> None:
    """A run that passes on a name from line 30 of what it read: 1 kB of head shows it, 100 bytes do not."""
    text = [f"line {n} is about nothing much at all" for n in range(lines + 7 * number)]
    text[lines // 2] = f"the key is KEY_{number}_{'abcd'[number % 4]}x9{number}77"
    messages = [{"role": "user", "content": "find the key"}]
    for step in range(3):
        arguments = json.dumps({"path": text[lines // 2].split()[-1] if step == 2 else f"f{step}"})
        call = {"id": f"c{step}", "type": "function", "function": {"name": "read", "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})  # type: ignore[dict-item]
        messages.append({"role": "tool", "tool_call_id": f"c{step}", "content": "\n".join(text) if not step else "ok"})
    messages.append({"role": "assistant", "content": "done"})
    (folder / project).mkdir(exist_ok=True)
    (folder / project / f"run-{number}.json").write_text(json.dumps({"messages": messages}), encoding="utf-8")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune")
    for number in range(10):
        write_recording(folder, number, f"project-{number}")
    return folder


def settings(corpus: Path, *vary: str, **more: object) -> TuneSettings:
    return TuneSettings((str(corpus),), vary, **more)  # type: ignore[arg-type]


def test_it_finds_the_budget_that_shows_what_is_needed(corpus: Path) -> None:
    trial = run_trial(settings(corpus, "text_head_bytes=100:3000:100"))
    verdict = judge(trial)
    assert len(trial.clusters) == len(set(trial.clusters)) == 10
    assert trial.borne.tolist() == [1.0] * 10
    assert verdict.tuned is not None
    assert verdict.tuned.policy.settings["text_head_bytes"] in (1200, 1300)
    assert verdict.tuned.seen is not None
    assert verdict.tuned.seen.bill.value == 1
    assert verdict.default.seen is not None
    assert verdict.default.seen.bill.value == 0
    assert not verdict.identified
    held = verdict.by_cluster
    assert held is not None
    assert held.seen is not None
    assert held.seen.typical.value == 1
    assert held.against.ratio is not None
    assert held.against.ratio < 1
    assert verdict.by_source is None
    assert trial.found["error"]["requests_different"] == 0
    assert [e["setting"] for e in trial.found["effects"] if e["dependencies"]] == [
        "min_bytes",
        "text_head_bytes",
        "text_tail_bytes",
    ]


def test_nothing_is_recommended_that_cutting_or_doing_nothing_beats(corpus: Path) -> None:
    verdict = judge(run_trial(settings(corpus)))
    cheapest = min(p.cost for p in verdict.points if p.seen and p.seen.bill.value == p.seen.typical.value == 1)
    assert verdict.chosen.cost == cheapest
    assert verdict.tuned is not None
    assert verdict.chosen.cost <= verdict.tuned.cost
    # A preview costs its description and its hint, so a plain cut shows the same for less.
    assert verdict.chosen.role == "plain cut"
    assert "Nothing of car beats a plain cut" in heading(verdict)


def test_doing_nothing_wins_where_all_is_needed(tmp_path: Path) -> None:
    """What is used stands at the very end of the only result."""
    for number in range(3):
        write_recording(tmp_path, number, f"p{number}", lines=6)
    verdict = judge(run_trial(settings(tmp_path, "text_head_bytes=1:150", "text_tail_bytes=1:90")))
    assert verdict.chosen.policy.label in (
        "identity",
        *(p.policy.label for p in verdict.points if p.role == "plain cut"),
    )
    nothing = judge(run_trial(settings(tmp_path / "p0", "text_head_bytes=500:900", evidence=1.0)))
    assert nothing.tuned is None or nothing.chosen.cost <= nothing.points[0].cost


def test_the_answer_does_not_depend_on_how_many_are_tried(corpus: Path) -> None:
    answers = {judge(run_trial(settings(corpus, settings=n))).chosen.policy.label for n in (2, 50)}
    assert len(answers) == 1


def test_the_report_and_what_can_be_pasted(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = ("--vary", "text_head_bytes=100:3000", "--vary", "text_tail_bytes=0:300")
    given = ["tune", str(corpus), *vary, "--metric", "money", "--settings", "16", "--prices", "gpt-5.4"]
    given += ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports")]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 0, done.output
    assert "held out by cluster (5 parts" in " ".join(done.stdout.split())
    assert "value_store.patch" in done.stdout
    assert len(done.stdout.splitlines()) < 40
    assert max(map(len, done.stdout.splitlines()[:-2])) <= 80
    (folder,) = (tmp_path / "reports").iterdir()
    assert done.stdout.splitlines()[-1] == f"report  {folder / 'index.html'}"
    run = Run(tmp_path / "results" / folder.name)
    found = json.loads(json.dumps(run.kind.report(run).record()))
    table = tomllib.loads((folder / "tuned.toml").read_text(encoding="utf-8"))
    assert make_policy(table).label == found["recommended"]["policy"]
    patch = (folder / "value_store.patch").read_text(encoding="utf-8")
    assert patch == reference_patch(make_policy(found["best_of_policy"]["policy"]))
    assert patch.rstrip() in run.kind.report(run).whole_text()
    assert found["floor"] == 0.95
    assert found["held_out_by_cluster"]["against_identity"]["clusters"] == 10
    with (folder / "csv" / "front.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:4] == ["setting", "mark", "role", "cost"]
    costs = [float(row[3]) for row in rows[1:]]
    assert costs == sorted(costs)
    assert any(cost == pytest.approx(found["recommended"]["cost"]) for cost in costs)
    assert found["columns"]["front"]["cost"] == {
        "heading": "USD, warm cache",
        "unit": "USD",
        "kind": "measured",
        "meaning": "",
    }
    assert "+const TEXT_HEAD_BYTES" in (folder / "report.md").read_text(encoding="utf-8")
    assert Run(life.resume(TUNE, run.directory)).id == run.id


def test_a_trial_is_read_back_as_it_was(corpus: Path, tmp_path: Path) -> None:
    asked = settings(corpus, "text_head_bytes=100:3000:500")
    run = Run(life.run(TUNE, asked, tmp_path))
    assert record(judge(trial_of(run))) == record(judge(run_trial(asked)))


def test_many_settings_are_searched(corpus: Path) -> None:
    pytest.importorskip("optuna")
    vary = ("text_head_bytes=100:3000", "text_tail_bytes=0:300", "seq_head=0:3", "row_keys=1:4")
    trial = run_trial(settings(corpus, *vary, settings=50))
    again = run_trial(settings(corpus, *vary, settings=50))
    assert trial.found["searched"]
    assert not trial.found["exact"]
    assert 20 < trial.found["points"]["tuned"] <= 51
    assert record(judge(trial)) == record(judge(again))
    assert judge(trial).tuned is not None


def test_without_the_library_it_says_what_to_install(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(HarnessError, match=r"pip install 'context-policy-harness\[tune\]'"):
        run_trial(settings(corpus, "text_head_bytes=1:900", "text_tail_bytes=1:900", "element_bytes=1:900"))


def test_one_cluster_holds_nothing_out_and_no_setting_may_reach(corpus: Path) -> None:
    trial = run_trial(settings(corpus / "project-1", "text_head_bytes=10:90:10"))
    found = record(judge(trial))
    assert found["held_out_by_cluster"] is None
    assert found["best_of_policy"] is None
    assert found["recommended"]["against_identity"]["interval"] is None


def test_another_policy_as_the_default(corpus: Path) -> None:
    trial = run_trial(settings(corpus, "budget=100:3000:100", policy="auto", against="car"))
    verdict = judge(trial)
    assert verdict.default.policy.label == "car"
    assert verdict.tuned is not None
    assert verdict.tuned.policy.label.startswith("auto:budget=")
    assert reference_patch(verdict.tuned.policy) == ""


@pytest.mark.parametrize("bad", [{"evidence": 0.02}, {"evidence": -0.1}, {"folds": 1}, {"settings": 1}])
def test_mistakes(bad: dict[str, float], corpus: Path) -> None:
    with pytest.raises(HarnessError):
        settings(corpus, "seq_head=1:2", **bad)
