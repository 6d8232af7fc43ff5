"""The tables of a run of engines: one row a turn, one a start of an engine, one a stretch in which one engine ran."""

from __future__ import annotations

from harness.runs.schema import Column, Kind


def _column(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning, per_policy=False)


ENGINE: tuple[Column, ...] = (
    _column("engine", "category", "key", "", "the engine as it is written"),
    _column("task", "category", "key", "", "id of the task"),
    _column("turn", "int32", "key", "", "number of the turn in its task, from 1"),
    _column("repetition", "int32", "key", "", "number of the repetition, from 1"),
    _column("stretch", "int32", "key", "", "number of the stretch in which it ran"),
    _column("family", "category", "key", "", "what the task is about"),
    _column("case", "category", "key", "", "what the turn tests"),
    _column("policy", "category", "key", "", "policy under which a value was shown in the context, empty if none"),
    _column("value", "category", "key", "", "which value that was, empty if none"),
    _column("hidden", "boolean", "key", "", "whether that policy hides what the call needs"),
    _column("band", "category", "key", "", "length of the input, UTF-8 bytes"),
    _column("input_bytes", "int64", "measured", "bytes", "UTF-8 length of the input with its context"),
    _column("tools", "int32", "recorded", "tools", "tools declared"),
    _column("started", "float64", "live", "s", "when it began, since the run began"),
    _column("state", "category", "live", "", "what became of the turn, from the raw envelope"),
    _column("failure", "category", "live", "", "how it failed, empty if it did not"),
    _column("detail", "string", "live", "", "what is known of the failure"),
    _column("type", "category", "live", "", "type as reported, empty if not"),
    _column("calls", "Int32", "live", "calls", "calls in the envelope"),
    _column("suppressed", "Int32", "live", "calls", "calls that the engine held back"),
    _column("flagged", "Int32", "live", "values", "arguments that the engine calls ungrounded; absent if not reported"),
    _column("negation", "boolean", "live", "", "the engine saw a negation; absent if not reported"),
    _column("confidence", "Float64", "live", "", "confidence as reported"),
    _column("init_seconds", "Float64", "live", "s", "declaring the tools, where it was done before this turn"),
    _column("prefix_tokens", "Int64", "live", "tokens", "tokens of system prompt and tools, where they were declared"),
    _column("seconds", "Float64", "live", "s", "the whole turn by the harness's clock"),
    _column("first_seconds", "Float64", "live", "s", "until the first token, by the harness's clock"),
    _column("prompt_tokens", "Int64", "live", "tokens", "tokens read in this turn"),
    _column("output_tokens", "Int64", "live", "tokens", "tokens written"),
    _column("pieces", "Int64", "live", "pieces", "pieces in which the words came; absent where no stream is seen"),
    _column("retries", "Int32", "live", "attempts", "attempts that failed before the one that was answered"),
    _column("claimed_prefill", "Float64", "live", "tokens/s", "prefill rate as the engine reports it"),
    _column("claimed_decode", "Float64", "live", "tokens/s", "decode rate as the engine reports it"),
    _column("claimed_memory", "Float64", "live", "MB", "peak memory as the engine reports it"),
    _column("claimed_first", "Float64", "live", "s", "time to the first token as the engine reports it"),
    _column("claimed_seconds", "Float64", "live", "s", "time of the whole turn as the engine reports it"),
    _column("claimed_prompt_tokens", "Int64", "live", "tokens", "tokens read, as the engine counts them"),
    _column("claimed_output_tokens", "Int64", "live", "tokens", "tokens written, as the engine counts them"),
    _column("contradicted", "string", "live", "", "claims that the clock or the system contradict, joined by +"),
    _column("needs_call", "bool", "recorded", "", "a call is right"),
    _column("exact", "boolean", "live", "", "all calls right to the letter"),
    _column("right", "boolean", "live", "", "all calls right, case and 3.0 for 3 aside"),
    _column("matched_calls", "Int32", "live", "calls", "calls that agree in name and arguments"),
    _column("matched_names", "Int32", "live", "calls", "calls that agree in name"),
    _column("expected_calls", "Int32", "recorded", "calls", "calls that there should be"),
    _column("right_arguments", "Int32", "live", "values", "arguments that agree, over calls that agree in name"),
    _column("expected_arguments", "Int32", "live", "values", "arguments there should be, over the same calls"),
    _column("missing_arguments", "Int32", "live", "values", "arguments that are not given"),
    _column("extra_arguments", "Int32", "live", "values", "arguments that no right call has"),
    _column("confusions", "string", "live", "", "expected>called names of the calls that disagree, joined by |"),
    _column("checked", "Int32", "live", "values", "arguments that the harness traced, held back calls too"),
    _column("ungrounded", "Int32", "live", "values", "of those, the ones without a source in the input"),
    _column("both", "Int32", "live", "values", "of those, the ones that the engine flags too"),
    _column("sources", "string", "live", "values", "source:arguments:flagged by the engine, joined by |"),
    _column("grounded_calls", "Int32", "live", "calls", "calls that `grounded_calls()` of the reference lets through"),
    _column("ungrounded_let_through", "Int32", "live", "values", "ungrounded arguments of calls not held back"),
    _column("schema_breaks", "Int32", "live", "calls", "calls whose arguments break the tool's schema"),
    _column("contended", "boolean", "live", "", "something else used the machine during the stretch"),
)

STARTS: tuple[Column, ...] = (
    _column("engine", "category", "key", "", "the engine as it is written"),
    _column("start", "int32", "key", "", "number of the start, from 1"),
    _column("why", "string", "live", "", "what ended the process before, empty for the first"),
    _column("load_seconds", "Float64", "live", "s", "loading, by the harness's clock"),
    _column("init_seconds", "Float64", "live", "s", "declaring the first tools"),
    _column("prefix_tokens", "Int64", "live", "tokens", "tokens of system prompt and these tools"),
    _column("warm_turns", "int32", "live", "turns", "turns thrown away before the first that counts"),
    _column("warm_seconds", "string", "live", "s", "their times, joined by +"),
    _column("stable", "boolean", "live", "", "whether their times had settled; absent where there was no warm-up"),
    _column("baseline_bytes", "Int64", "live", "bytes", "peak memory of the process before anything was loaded"),
    _column("loaded_bytes", "Int64", "live", "bytes", "peak memory when loaded, less the baseline"),
)

STRETCHES: tuple[Column, ...] = (
    _column("stretch", "int32", "key", "", "number of the stretch, in the order in which they ran"),
    _column("engine", "category", "key", "", "the engine that ran, alone"),
    _column("repetition", "int32", "key", "", "number of the repetition"),
    _column("turns", "int32", "live", "turns", "turns in it"),
    _column("seconds", "float64", "live", "s", "how long it took"),
    _column("load_before", "Float64", "live", "", "load average of one minute before it"),
    _column("load_after", "Float64", "live", "", "the same after it"),
    _column("foreign_cores", "Float64", "live", "cores", "cores kept busy by other processes, on average"),
    _column("steal", "Float64", "live", "", "share of the machine's time taken by its host"),
    _column("switched_out", "Int64", "live", "", "involuntary context switches of the engine"),
    _column("cpu_seconds", "Float64", "live", "s", "CPU time of the engine"),
    _column("peak_bytes", "Int64", "live", "bytes", "peak memory of the engine's process so far, less its baseline"),
    _column("contended", "boolean", "live", "", "something else used the machine"),
    _column("because", "string", "live", "", "what was seen, joined by ;"),
)

ENGINE_TABLES: dict[str, tuple[Column, ...]] = {"engine": ENGINE, "starts": STARTS, "stretches": STRETCHES}
