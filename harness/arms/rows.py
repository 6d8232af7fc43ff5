"""The tables of a comparison: one row a run, and what a replay says of it."""

from __future__ import annotations

from harness.runs.schema import Column

FACTS = ("model", "agent", "version", "prompt", "tools", "limits")
"""What may differ between arms besides what is compared; with `date`."""

COSTS = ("requests", "calls", "input_tokens", "output_tokens", "usd", "seconds")

RUNS = (
    Column("arm", "category", "key", "", "the arm"),
    Column("task", "category", "key", "", "the task"),
    Column("repetition", "string", "key", "", "which of the runs of the task in the arm"),
    Column("cluster", "category", "recorded", "", "the repository, or what the task belongs to"),
    Column("transcripts", "int32", "recorded", "", "recordings of the run, summed; 0 from a table"),
    Column("passed", "boolean", "measured", "", "whether the run succeeded"),
    Column("score", "Float64", "measured", "", "its score"),
    Column("reason", "string", "recorded", "", "why it ended"),
    Column("requests", "Float64", "measured", "requests", "to the model"),
    Column("calls", "Float64", "measured", "calls", "of tools"),
    Column("input_tokens", "Float64", "measured", "tokens", "of all prompts, as recorded"),
    Column("output_tokens", "Float64", "measured", "tokens", "of all answers, as recorded"),
    Column("usd", "Float64", "measured", "USD", "as recorded, or by recorded usage"),
    Column("seconds", "Float64", "measured", "s", "from its start to its end"),
    Column("date", "Float64", "recorded", "s", "when it began, seconds since the epoch"),
    Column("model", "string", "recorded", "", "that answered"),
    Column("agent", "string", "recorded", "", "that ran"),
    Column("version", "string", "recorded", "", "of the agent"),
    Column("prompt", "string", "recorded", "", "the system prompt, or a digest of it"),
    Column("tools", "string", "recorded", "", "the tool definitions, or a digest of them"),
    Column("limits", "string", "recorded", "", "of turns, tokens, time or money"),
)

PREDICTIONS = (
    Column("arm", "category", "key", "", "the arm whose policy is replayed"),
    Column("task", "category", "key", "", "the task"),
    Column("repetition", "string", "key", "", "which run of the first arm"),
    Column("requests", "int64", "recorded", "requests", "of the first arm's run"),
    Column("prompt_tokens", "int64", "measured", "tokens", "of all its prompts, as they were"),
    Column("predicted_tokens", "int64", "measured", "tokens", "of the same under the arm's policy"),
    Column("bearing_requests", "int64", "measured", "requests", "that depend on an earlier result"),
    Column("at_risk_requests", "int64", "measured", "requests", "of those, with a dependency out of sight"),
    Column("added_low", "int64", "estimated", "calls", "added under the arm's policy, at least"),
    Column("added_evidence", "int64", "estimated", "calls", "by evidence"),
    Column("added_high", "int64", "estimated", "calls", "at most"),
)
