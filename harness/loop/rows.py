"""One task and one driver under all policies: the rows that go into a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness import Policy
from harness.loop.driver import Driver
from harness.loop.episode import Counting, Episode, run
from harness.loop.estimate import Estimate
from harness.loop.task import Task
from harness.money.bill import Tariff

Recorder = Callable[[Task, Episode], None]


def task_rows(
    task: Task, driver: Driver, policies: Sequence[Policy], counting: Counting, tariff: Tariff, record: Recorder
) -> list[dict[str, Any]]:
    """A row a policy. The first policy must be `identity`: the estimate is taken from its recording."""
    recording = run(task, policies[0], driver, counting)
    estimate = Estimate(recording, counting, tariff)
    rows = []
    for number, policy in enumerate(policies):
        episode = recording if number == 0 else run(task, policy, driver, counting)
        record(task, episode)
        own = _columns(episode) | estimate.columns(policy)
        rows.append(
            {
                "task": task.id,
                "driver": driver.label,
                "policy": policy.label,
                "family": task.family,
                "template": task.template,
                "need": task.need,
                "seed": task.seed,
                "temperament": driver.temperament,
            }
            | own
            | {
                "handles_ignored": bool(own["handles_needed"] and not own["handles_used"]),
                "added": own["requests"] - len(recording.layout.requests),
                "added_tokens": own["input_tokens"] - own["replayed_tokens"],
                "identity_passed": recording.passed,
            }
        )
    return rows


def _columns(episode: Episode) -> dict[str, Any]:
    prompt = episode.account.prompt
    billed = [m.usage for m in episode.transcript.messages if m.usage is not None]
    whole = len(billed) == len(prompt)
    return {
        "passed": episode.passed,
        "stopped": episode.stopped,
        "requests": len(prompt),
        "tool_calls": sum(len(message.calls) for message in episode.transcript.messages),
        "input_tokens": int(prompt.sum()),
        "output_tokens": int(episode.layout.output.sum()),
        "peak_prompt": int(prompt.max()),
        "retries": episode.retries,
        "billed_input": sum(usage.input_tokens or 0 for usage in billed) if whole else None,
        "billed_cached": sum(usage.cached_tokens or 0 for usage in billed) if whole else None,
        "billed_output": sum(usage.output_tokens or 0 for usage in billed) if whole else None,
        "handles_offered": episode.uptake.offered,
        "handles_needed": episode.uptake.needed,
        "handles_used": episode.uptake.used,
        "handles_wrong": episode.uptake.wrong,
        "handles_invented": episode.uptake.invented,
    }
