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
from harness.tune.paste import toml_table
from harness.tune.patch import reference_patch
from harness.tune.rows import trial_of
from harness.tune.settings import TuneSettings
from harness.tune.tune import run_trial
from harness.tune.verdict import judge, record


def write_recording(folder: Path, number: int, project: str) -> None:
    """A run that passes on a name from line 30 of what it read: 1 kB of head shows it, 100 bytes do not."""
    lines = [f"line {n} is about nothing much at all" for n in range(60 + 7 * number)]
    lines[30] = f"the key is KEY_{number}_{'abcd'[number % 4]}x9{number}77"
    messages = [{"role": "user", "content": "find the key"}]
    for step in range(3):
        arguments = json.dumps({"path": lines[30].split()[-1] if step == 2 else f"f{step}"})
        call = {"id": f"c{step}", "type": "function", "function": {"name": "read", "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})  # type: ignore[dict-item]
        messages.append({"role": "tool", "tool_call_id": f"c{step}", "content": "\n".join(lines) if not step else "ok"})
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
    chosen = verdict.recommended.settings["text_head_bytes"]
    assert 1000 <= chosen <= 1300
    assert verdict.reaches
    assert verdict.evidence[0] == 0
    held = verdict.held_out
    assert held is not None
    assert held.evidence == 1
    assert held.default_evidence == 0
    assert held.not_worse is True
    assert (held.cost.interval, held.cost.why) == (None, "10 clusters, fewer than 12")
    assert held.cost.ratio is not None
    assert held.cost.ratio > 1
    assert held.identity.ratio is not None
    assert held.identity.ratio < 1
    cheap = verdict.at_default
    assert cheap is not None
    assert cheap.default_costs is not None
    assert cheap.default_costs > 0
    assert verdict.at_default_setting.label == "car:text_head_bytes=100"
    assert [p.policy.label for p in verdict.front] == ["car:text_head_bytes=100", verdict.recommended.label]


def test_the_report_and_what_can_be_pasted(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = ("--vary", "text_head_bytes=100:3000", "--vary", "text_tail_bytes=0:300")
    given = ["tune", str(corpus), *vary, "--metric", "money", "--settings", "16", "--prices", "gpt-5.4"]
    given += ["--results", str(tmp_path / "results"), "--report-dir", str(tmp_path / "reports")]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 0, done.output
    assert "held out, chosen for 98.0 %" in " ".join(done.stdout.split())
    assert "+const TEXT_HEAD_BYTES: usize = " in done.stdout
    (folder,) = (tmp_path / "reports").iterdir()
    assert done.stdout.splitlines()[-1] == f"report  {folder / 'index.html'}"
    run = Run(tmp_path / "results" / folder.name)
    found = json.loads(json.dumps(run.kind.report(run).record()))
    table = tomllib.loads((folder / "tuned.toml").read_text(encoding="utf-8"))
    assert make_policy(table).label == found["recommended"]["policy"]
    patch = (folder / "value_store.patch").read_text(encoding="utf-8")
    assert patch == reference_patch(make_policy(table))
    assert found["tried"] == 16
    assert found["held_out"]["cost"]["clusters"] == 10
    with (folder / "csv" / "front.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][:3] == ["setting", "cost", "against_default"]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([point["cost"] for point in found["front"]])
    assert found["columns"]["cost"] == {"heading": "USD", "unit": "USD", "kind": "measured", "meaning": ""}
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
    assert trial.searched
    assert 20 < len(trial.policies) <= 51
    assert len(set(trial.values)) == len(trial.values)
    assert record(judge(trial)) == record(judge(again))
    assert judge(trial).reaches


def test_without_the_library_it_says_what_to_install(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(HarnessError, match=r"pip install 'context-policy-harness\[tune\]'"):
        run_trial(settings(corpus, "text_head_bytes=1:900", "text_tail_bytes=1:900", "element_bytes=1:900"))


def test_one_cluster_holds_nothing_out_and_no_setting_may_reach(corpus: Path) -> None:
    trial = run_trial(settings(corpus / "project-1", "text_head_bytes=10:90:10"))
    found = record(judge(trial))
    assert found["held_out"] is None
    assert found["recommended"]["reaches"] is False
    assert found["front"][0]["against_default"]["interval"] is None


def test_another_policy_as_the_default(corpus: Path) -> None:
    trial = run_trial(settings(corpus, "budget=100:3000:100", policy="auto", against="car"))
    verdict = judge(trial)
    assert trial.policies[0].label == "car"
    assert verdict.recommended.label.startswith("auto:budget=")
    assert reference_patch(verdict.recommended) == ""


@pytest.mark.parametrize("bad", [{"evidence": 1.0}, {"evidence": -0.1}, {"folds": 1}, {"settings": 1}])
def test_mistakes(bad: dict[str, float], corpus: Path) -> None:
    with pytest.raises(HarnessError):
        settings(corpus, "seq_head=1:2", **bad)


def test_an_empty_corpus(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="harness inspect"):
        run_trial(settings(tmp_path, "seq_head=1:2"))


@pytest.mark.parametrize(
    "spec",
    [
        "car:text_head_bytes=9,parse=sniff",
        "head:lines=7,exempt=Read+mcp__*",
        'mask_last_n:n=3,admission="head:bytes=3"',
    ],
)
def test_a_table_means_the_same_policy(spec: str) -> None:
    policy = make_policy(spec)
    assert make_policy(tomllib.loads(toml_table(policy, ["a remark\nof two lines"]))).label == policy.label
