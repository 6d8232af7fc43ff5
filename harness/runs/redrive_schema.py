"""The table of a re-drive: one row an engine, policy and recorded request."""

from __future__ import annotations

from harness.runs.schema import Column, Kind


def _column(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning)


REDRIVE: tuple[Column, ...] = (
    _column("engine", "category", "key", "", "the engine as it is written"),
    _column("transcript", "category", "key", "", "id of the transcript"),
    _column("cluster", "category", "key", "", "task or repository, for intervals"),
    _column("policy", "category", "key", "", "the policy as it is written"),
    _column("request", "int32", "key", "", "number of the request in its transcript, from 1"),
    _column("message", "int32", "key", "", "index of its assistant message"),
    _column("tools", "int32", "measured", "tools", "tools that were declared"),
    _column("tools_from", "category", "recorded", "", "where they come from: recorded, derived, both, none"),
    _column("recorded_calls", "int32", "recorded", "calls", "calls of the recorded action; 0 for an answer"),
    _column("left_out", "int32", "recorded", "parts", "images and encrypted parts of the prompt that cannot be given"),
    _column("after_cut", "bool", "recorded", "", "the recording had compacted, cleared or rewound before"),
    _column("prompt_tokens", "int64", "measured", "tokens", "framed prompt tokens as given, by the token profile"),
    _column("bears", "bool", "measured", "", "the recorded action takes something that only a result had shown"),
    _column("at_risk", "bool", "measured", "", "some of that is not visible under the policy"),
    _column("handles_shown", "int32", "measured", "handles", "handles that stand in the prompt"),
    _column("asked", "category", "live", "", "itself; as POLICY, whose prompt was the same; no: known not to fit"),
    _column("outcome", "category", "live", "", "call, no call, overflow, failed"),
    _column("comparable", "bool", "live", "", "the prompts of this request fit under every policy"),
    _column("failure", "category", "live", "", "how it failed, empty if it did not"),
    _column("state", "category", "live", "", "state of the turn, from the raw envelope; empty if not asked"),
    _column("calls", "Int32", "live", "calls", "calls that the engine made"),
    _column("same_tools", "boolean", "live", "", "as many calls as recorded, of the same tools"),
    _column("same_arguments", "boolean", "live", "", "and with the same arguments, case and 3.0 for 3 aside"),
    _column("exact", "boolean", "live", "", "and to the letter"),
    _column("checked", "Int32", "live", "values", "arguments that the harness traced"),
    _column("ungrounded", "Int32", "live", "values", "of those, the ones without a source in the prompt"),
    _column("handles_used", "Int32", "live", "uses", "references that stand for a value, and handles that are read"),
    _column("handles_wrong", "Int32", "live", "uses", "handles with a path that is not there, or written as none"),
    _column("handles_invented", "Int32", "live", "uses", "references to handles that never were"),
    _column("seconds", "Float64", "live", "s", "the whole turn by the harness's clock"),
    _column("first_seconds", "Float64", "live", "s", "until the first token, by the harness's clock"),
    _column("engine_prompt_tokens", "Int64", "live", "tokens", "tokens read, as the engine counts them"),
    _column("engine_output_tokens", "Int64", "live", "tokens", "tokens written, as the engine counts them"),
    _column("envelope", "string", "live", "", "start of the SHA-256 of the raw envelope, empty if there is none"),
)

REDRIVE_TABLES: dict[str, tuple[Column, ...]] = {"redrive": REDRIVE}
