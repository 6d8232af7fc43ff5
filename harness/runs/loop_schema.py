"""The table of a run of the live loop: one row a task, driver and policy."""

from __future__ import annotations

from harness.runs.schema import Column, Kind


def _column(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning)


LOOP: tuple[Column, ...] = (
    _column("task", "category", "key", "", "id of the task"),
    _column("driver", "category", "key", "", "the driver as it is written"),
    _column("policy", "category", "key", "", "the policy as it is written"),
    _column("family", "category", "key", "", "family of the task"),
    _column("template", "category", "key", "", "template of the task"),
    _column("need", "category", "key", "", "what the task needs of its first result"),
    _column("seed", "int32", "key", "", "seed of the task"),
    _column("temperament", "category", "key", "", "temperament of a reader, empty for a model"),
    _column("passed", "bool", "live", "", "the end state or the answer is right"),
    _column("stopped", "category", "live", "", "answered, limit, circle, or why the driver gave no answer"),
    _column("requests", "int32", "live", "requests", "requests of the run"),
    _column("tool_calls", "int32", "live", "calls", "tool calls of the run"),
    _column("input_tokens", "int64", "live", "tokens", "framed prompt tokens over all requests"),
    _column("output_tokens", "int64", "live", "tokens", "tokens that the driver wrote"),
    _column("peak_prompt", "int64", "live", "tokens", "the largest prompt"),
    _column("retries", "int32", "live", "requests", "requests to a server that failed and were asked again"),
    _column("billed_input", "Int64", "live", "tokens", "of all prompts, as the server reports them"),
    _column("billed_cached", "Int64", "live", "tokens", "of those, taken from the server's cache"),
    _column("billed_output", "Int64", "live", "tokens", "of all answers, as the server reports them"),
    _column("usd", "Float64", "live", "USD", "what these cost at the model's price"),
    _column("handles_offered", "int32", "live", "results", "results that came with a handle"),
    _column("handles_needed", "int32", "live", "results", "those of them that hid what the task needs of them"),
    _column("handles_used", "int32", "live", "uses", "references that stood for a value, and handles that were read"),
    _column("handles_wrong", "int32", "live", "uses", "handles with a path that is not there, or not written as one"),
    _column("handles_invented", "int32", "live", "uses", "references to handles that never were"),
    _column("handles_ignored", "bool", "live", "", "a handle would have brought what the task needs, none was used"),
    _column("low", "int32", "estimated", "calls", "lower end of the estimate of added calls"),
    _column("evidence", "int32", "estimated", "calls", "the estimate of added calls by evidence"),
    _column("high", "int32", "estimated", "calls", "upper end of the estimate of added calls"),
    _column("losses", "int32", "estimated", "pairs", "request and result: unrecoverable by the estimate"),
    _column("evidence_tokens", "int64", "estimated", "tokens", "tokens of the calls estimated by evidence"),
    _column("high_tokens", "int64", "estimated", "tokens", "tokens of the calls at the upper end"),
    _column("at_risk", "int32", "measured", "requests", "requests of the recording whose evidence is hidden"),
    _column("elided_bytes", "int64", "measured", "bytes", "bytes of the recording's results that are left out"),
    _column("replayed_tokens", "int64", "measured", "tokens", "input tokens of the recording under the policy"),
    _column("added", "int32", "live", "requests", "requests more than under identity"),
    _column("added_tokens", "int64", "live", "tokens", "input tokens more than the replayed recording"),
    _column("identity_passed", "bool", "live", "", "the same driver passes the task under identity"),
)

LOOP_TABLES: dict[str, tuple[Column, ...]] = {"loop": LOOP}
