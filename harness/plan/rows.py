"""The table of a plan: one row a size that was tried."""

from __future__ import annotations

from harness.runs.schema import Column

PLANS = (
    Column("repetitions", "int32", "key", "runs", "of each task in each arm"),
    Column("tasks", "int32", "key", "tasks", "in every arm"),
    Column("power", "float64", "estimated", "share", "of simulated comparisons that show what is wanted"),
    Column("error", "float64", "estimated", "share", "standard error of the power, by the draws"),
    Column("chosen", "bool", "estimated", "", "the fewest tasks that have the power that is wanted"),
    Column("runs", "int64", "estimated", "runs", "of all arms"),
    Column("tokens", "Float64", "estimated", "tokens", "of those runs"),
    Column("usd", "Float64", "estimated", "USD", "of those runs"),
)
