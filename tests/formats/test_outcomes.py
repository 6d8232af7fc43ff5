"""How runs ended: from recordings, and from files that benchmarks write beside them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from harness.formats.corpus import Intake, read_transcripts
from harness.transcript import Outcome, Totals, Transcript
from tests.formats import test_atif, test_inspect_ai, test_mini_swe_agent, test_swe_agent, test_tau2, test_tau_bench

INSTANCE = "django__django-1"


def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def read(path: Path) -> list[Transcript]:
    intake = Intake()
    found = list(read_transcripts([path], intake))
    assert intake.problems == []
    return found


def mini(folder: Path, **info: Any) -> Path:
    """A trajectory of mini-swe-agent in a folder of its instance, as a batch writes it."""
    messages = json.loads(next(iter(test_mini_swe_agent.SAMPLES.values())))
    messages = messages["messages"] if isinstance(messages, dict) else messages
    document = {"instance_id": INSTANCE, "info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1"}
    return put(folder / INSTANCE / f"{INSTANCE}.traj.json", document)


@pytest.mark.parametrize(("reward", "passed"), [(1.0, True), (1, True), (0.99999999, True), (0.5, False), (0.0, False)])
def test_a_reward_of_tau_bench_passes_from_one_on(tmp_path: Path, reward: float, passed: bool) -> None:
    (one,) = read(put(tmp_path / "r.json", [test_tau_bench.run(3, 1) | {"reward": reward}]))
    assert (one.task, one.repetition, one.outcome) == ("3", "1", Outcome(passed, float(reward)))


@pytest.mark.parametrize("reward", [None, "1", True, [1]])
def test_what_is_no_reward_is_not_reported(tmp_path: Path, reward: Any) -> None:
    (one,) = read(put(tmp_path / "r.json", [test_tau_bench.run(3, 1) | {"reward": reward}]))
    assert one.outcome == Outcome()


def test_a_run_of_tau_bench_that_crashed_says_so(tmp_path: Path) -> None:
    (one,) = read(put(tmp_path / "r.json", [test_tau_bench.run(3, 1) | {"info": {"error": "x", "traceback": "y"}}]))
    assert one.outcome == Outcome(False, 0.0, "error")


def test_tau2_says_how_a_run_ended_and_what_it_might_use(tmp_path: Path) -> None:
    document = json.loads(test_tau2.SAMPLE)
    document["info"] |= {"max_steps": 30, "max_errors": 0, "git_commit": "abc", "agent_info": {"implementation": "a"}}
    document["simulations"][0] |= {
        "reward_info": {"reward": 1.0}, "termination_reason": "user_stop", "agent_cost": 0.25, "duration": 70.5,
        "task_id": "8", "trial": 2,
    }  # fmt: skip
    one = read(put(tmp_path / "r.json", document))[0]
    assert (one.task, one.repetition, one.agent, one.version) == ("8", "2", "a", "abc")
    assert one.outcome == Outcome(True, 1.0, "user_stop", (("steps", 30.0),))
    assert one.totals == Totals(usd=0.25, seconds=70.5)


def inspect_log(**sample: Any) -> dict[str, Any]:
    messages = [test_inspect_ai.SYSTEM, {"role": "user", "content": "Go."}, test_inspect_ai.DONE]
    head = {"task": "t", "solver": "react", "config": {"message_limit": 30, "token_limit": None}}
    return {"status": "success", "eval": head, "samples": [{"id": 7, "epoch": 2, "messages": messages, **sample}]}


@pytest.mark.parametrize(
    ("scores", "passed", "score"),
    [
        ({"a": {"value": "C"}}, True, 1.0),
        ({"a": {"value": "I"}}, False, 0.0),
        ({"a": {"value": "N"}}, False, 0.0),
        ({"a": {"value": "P"}}, None, 0.5),
        ({"a": {"value": 1}}, True, 1.0),
        ({"a": {"value": 0.75}}, None, 0.75),
        ({"a": {"value": "C"}, "b": {"value": 1.0}}, True, 1.0),
        ({"a": {"value": "C"}, "b": {"value": "I"}}, None, None),
        ({"a": {"value": {"x": 1}}}, None, None),
        ({}, None, None),
    ],
)
def test_scores_of_inspect(tmp_path: Path, scores: dict[str, Any], passed: bool | None, score: float | None) -> None:
    (one,) = read(put(tmp_path / "log.json", inspect_log(scores=scores, total_time=12.5)))
    assert one.outcome == Outcome(passed, score, "", (("message", 30.0),))
    assert (one.task, one.repetition, one.agent, one.totals.seconds) == ("7", "2", "react", 12.5)


def test_a_sample_of_inspect_that_reached_a_limit_or_failed_says_so(tmp_path: Path) -> None:
    (one,) = read(put(tmp_path / "a.json", inspect_log(limit={"type": "message", "limit": 30}, scores={})))
    (other,) = read(put(tmp_path / "b.json", inspect_log(error={"message": "boom"})))
    assert (one.outcome.reason, other.outcome.reason) == ("message limit", "error")


def test_mini_swe_agent_says_why_it_ended_and_a_report_beside_it_whether_it_solved(tmp_path: Path) -> None:
    info = {
        "exit_status": "Submitted", "mini_version": "1.15.0",
        "model_stats": {"api_calls": 24, "instance_cost": 0.5},
        "config": {"agent": {"step_limit": 250, "cost_limit": 0}},
    }  # fmt: skip
    path = mini(tmp_path, **info)
    alone = read(path)[0]
    assert (alone.task, alone.agent, alone.version) == (INSTANCE, "mini-swe-agent", "1.15.0")
    assert alone.outcome == Outcome(None, None, "Submitted", (("steps", 250.0),))
    assert alone.totals == Totals(requests=24, usd=0.5)
    put(tmp_path / "model.run.json", {"total_instances": 2, "resolved_ids": [INSTANCE], "unresolved_ids": ["x"]})
    assert read(path)[0].outcome == Outcome(True, None, "Submitted", (("steps", 250.0),))


@pytest.mark.parametrize(
    ("name", "report", "wanted"),
    [
        ("report.json", {INSTANCE: {"resolved": False, "patch_exists": True}}, Outcome(False, None, "unresolved")),
        ("m.r.json", {"total_instances": 1, "resolved_ids": [], "error_ids": [INSTANCE]},
         Outcome(False, None, "error in the evaluation")),
        ("m.r.json", {"total_instances": 1, "resolved_ids": [], "unresolved_ids": []}, Outcome()),
        ("preds.json", {INSTANCE: {"model_patch": ""}}, Outcome(False, None, "empty patch")),
        ("preds.json", {INSTANCE: {"model_patch": "diff"}}, Outcome()),
        ("m.r.json", {"total_instances": 1, "resolved_ids": 7}, Outcome()),
        ("report.json", ["no report"], Outcome()),
    ],
)  # fmt: skip
def test_reports_of_swe_bench(tmp_path: Path, name: str, report: Any, wanted: Outcome) -> None:
    path = mini(tmp_path)
    put(tmp_path / name, report)
    assert read(path)[0].outcome == wanted


def test_a_report_that_changed_is_read_again(tmp_path: Path) -> None:
    path = mini(tmp_path)
    for resolved in (True, False):
        put(tmp_path / "report.json", {INSTANCE: {"resolved": resolved}})
        assert read(path)[0].outcome.passed is resolved


def test_a_broken_report_and_one_over_a_link_are_not_reported(tmp_path: Path) -> None:
    path = mini(tmp_path / "a")
    (tmp_path / "a" / "report.json").write_text("{", encoding="utf-8")
    assert read(path)[0].outcome == Outcome()
    put(tmp_path / "elsewhere.txt", {INSTANCE: {"resolved": True}})
    (tmp_path / "a" / "report.json").unlink()
    (tmp_path / "a" / "report.json").symlink_to(tmp_path / "elsewhere.txt")
    assert read(path)[0].outcome == Outcome()


def test_swe_agent_sums_its_model_and_keeps_its_limits_as_text(tmp_path: Path) -> None:
    document = json.loads(next(iter(test_swe_agent.SAMPLES.values())))
    stats = {"instance_cost": 0.25, "tokens_sent": 1570, "tokens_received": 79, "api_calls": 17}
    document["info"] = {"exit_status": "exit_cost", "model_stats": stats, "swe_agent_version": "1.0.1"}
    config = {"agent": {"model": {"per_instance_cost_limit": 2.0, "per_instance_call_limit": 0}}}
    document["replay_config"] = json.dumps(config)
    one = read(put(tmp_path / f"{INSTANCE}.traj", document))[0]
    assert (one.task, one.cluster, one.agent, one.version) == (INSTANCE, "django/django", "SWE-agent", "1.0.1")
    assert one.outcome == Outcome(None, None, "exit_cost", (("usd", 2.0),))
    assert one.totals == Totals(17, 1570, 79, 0.25)


@pytest.mark.parametrize("where", ["report", "test_result"])
def test_openhands_has_its_report_in_the_run(tmp_path: Path, where: str) -> None:
    report = {"resolved": True, "empty_generation": False}
    document = {
        "instance_id": INSTANCE,
        "history": [{"id": 1, "action": "message", "source": "user", "args": {"content": "Go."}},
                    {"id": 2, "action": "finish", "source": "agent", "args": {"final_thought": "Done."}}],
        "test_result": {"git_patch": "", **({"report": report} if where == "test_result" else {})},
        "metadata": {"max_iterations": 50, "agent_class": "CodeActAgent"},
        "metrics": {"accumulated_cost": 0.0, "accumulated_token_usage": {"prompt_tokens": 100, "completion_tokens": 9}},
        "error": "RuntimeError: Agent reached maximum iteration\ntrace",
        **({"report": report} if where == "report" else {}),
    }  # fmt: skip
    path = tmp_path / "output.jsonl"
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    (one,) = read(path)
    reason = "RuntimeError: Agent reached maximum iteration"
    assert one.outcome == Outcome(True, None, reason, (("steps", 50.0),))
    assert one.totals == Totals(None, 100, 9, None), "a price of 0 is one that nobody knew"


def trial(**more: Any) -> dict[str, Any]:
    return {
        "task_name": "hello", "trial_name": "hello__x1", "verifier_result": {"rewards": {"reward": 1.0}},
        "exception_info": None, "agent_info": {"name": "codex", "version": "2"},
        "agent_result": {"n_input_tokens": 500, "n_output_tokens": 20, "cost_usd": None},
        "agent_execution": {"started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:30Z"},
        **more,
    }  # fmt: skip


def test_harbor_says_beside_the_trajectory_how_the_trial_ended(tmp_path: Path) -> None:
    path = put(tmp_path / "hello__x1" / "agent" / "trajectory.json", json.loads(next(iter(test_atif.SAMPLES.values()))))
    put(tmp_path / "hello__x1" / "result.json", trial())
    one = read(path)[0]
    assert (one.task, one.repetition, one.outcome) == ("hello", "hello__x1", Outcome(True, 1.0))
    assert (one.totals.input_tokens, one.totals.seconds) == (500, 90.0)
    timeout = {"exception_type": "AgentTimeoutError", "exception_message": "…"}
    put(tmp_path / "hello__x1" / "result.json", trial(verifier_result=None, exception_info=timeout))
    assert read(path)[0].outcome == Outcome(None, None, "AgentTimeoutError")


def test_two_rewards_of_other_names_are_no_outcome(tmp_path: Path) -> None:
    path = put(tmp_path / "t" / "agent" / "trajectory.json", json.loads(next(iter(test_atif.SAMPLES.values()))))
    put(tmp_path / "t" / "result.json", trial(verifier_result={"rewards": {"a": 1.0, "b": 0.0}}))
    assert read(path)[0].outcome == Outcome()


def test_terminal_bench_says_whether_a_trial_is_resolved(tmp_path: Path) -> None:
    path = put(tmp_path / "t" / "agent-logs" / "trajectory.json", json.loads(next(iter(test_atif.SAMPLES.values()))))
    record = {"task_id": "t", "trial_name": "t.1", "is_resolved": False, "failure_mode": "agent_timeout"}
    put(tmp_path / "t" / "results.json", record | {"total_input_tokens": 0})
    one = read(path)[0]
    assert (one.task, one.outcome) == ("t", Outcome(False, None, "agent_timeout"))


def test_the_files_are_named_where_they_are_skipped(tmp_path: Path) -> None:
    put(tmp_path / "result.json", trial())
    put(tmp_path / "m.r.json", {"total_instances": 1, "submitted_ids": [], "resolved_ids": []})
    intake = Intake()
    assert list(read_transcripts([tmp_path], intake)) == []
    assert {name: why.partition(";")[0] for name, why in intake.skipped} == {
        "result.json": "Harbor's result of a trial", "m.r.json": "SWE-bench's report of a run",
    }  # fmt: skip


def test_nothing_beside_an_archive_is_taken_for_what_is_in_it(tmp_path: Path) -> None:
    path = mini(tmp_path / "in")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.write(path, f"{INSTANCE}.traj.json")
    (tmp_path / "runs.zip").write_bytes(data.getvalue())
    put(tmp_path / "report.json", {INSTANCE: {"resolved": True}})
    (one,) = read(tmp_path / "runs.zip")
    assert one.outcome == Outcome()


def test_the_digest_changes_with_the_outcome_and_stays_without(tmp_path: Path) -> None:
    path = mini(tmp_path)
    before = read(path)[0].digest()
    put(tmp_path / "report.json", {INSTANCE: {"resolved": True}})
    assert read(path)[0].digest() != before


def test_recordings_in_corpora(corpora: Path) -> None:
    """31 of 100 runs of tau-bench passed, as a plain count of its rewards has it."""
    runs = read(corpora / "tau-bench-split")
    file = next((corpora / "tau-bench-split").glob("*.json"))
    rewards = [one["reward"] for one in json.loads(file.read_text(encoding="utf-8"))]
    assert [run.outcome.score for run in runs] == rewards
    assert sum(bool(run.outcome.passed) for run in runs) == rewards.count(1.0) == 31
    assert {run.repetition for run in runs} == {"0", "1", "2", "3"}
