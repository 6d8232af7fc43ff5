"""The tables of a grid: a row a turn, a row a start."""

from __future__ import annotations

from harness.runs.schema import Column, Kind


def _column(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning, per_policy=False)


TURNS = (
    _column("engine", "category", "key", "", "the engine as it is written, with its point on the axes"),
    _column("what", "category", "key", "", "cell, canary or sustained"),
    _column("prompt", "int32", "key", "tokens", "tokens of the prompt that are asked for"),
    _column("repetition", "int32", "key", "", "number of the repetition, from 1; 0 of sustained turns"),
    _column("number", "int32", "key", "", "number of the turn in it, from 1; of a canary 2 is the same prompt again"),
    _column("prompt_bytes", "int64", "measured", "bytes", "UTF-8 length of the prompt"),
    _column("failure", "category", "live", "", "how it failed, empty if it did not; overflow: beyond the window"),
    _column("detail", "string", "live", "", "what is known of the failure"),
    _column("started", "float64", "live", "s", "when it began, since the run began"),
    _column("seconds", "Float64", "live", "s", "the whole turn by the harness's clock"),
    _column("first_seconds", "Float64", "live", "s", "until the first token, by the harness's clock"),
    _column("prompt_tokens", "Int64", "live", "tokens", "tokens read"),
    _column("output_tokens", "Int64", "live", "tokens", "tokens written"),
    _column("gaps", "string", "live", "ms", "times between tokens, joined by +; empty where none are seen"),
    _column("claimed_prefill", "Float64", "live", "tokens/s", "prefill rate as the engine reports it"),
    _column("claimed_decode", "Float64", "live", "tokens/s", "decode rate as the engine reports it"),
    _column("peak_bytes", "Int64", "live", "bytes", "peak memory so far, less that before loading; sizes ascend"),
    _column("joules", "Float64", "live", "J", "energy of the whole machine, as its counters show it"),
    _column("clock_mhz", "Float64", "live", "MHz", "mean clock frequency of the cores behind the turn"),
)

STARTS = (
    _column("engine", "category", "key", "", "the engine as it is written, with its point on the axes"),
    _column("start", "int32", "key", "", "number of the pair of starts, from 1"),
    _column("cold", "bool", "key", "", "its files were dropped from the system's cache first"),
    _column("failure", "category", "live", "", "how its turns failed, empty if they did not"),
    _column("load_seconds", "Float64", "live", "s", "loading, by the harness's clock"),
    _column("first_turn", "Float64", "live", "s", "to the first token of the first turn"),
    _column("second_turn", "Float64", "live", "s", "to the first token of the second turn"),
    _column("loaded_bytes", "Int64", "live", "bytes", "peak memory when loaded, less that before"),
)

TABLES = {"grid": TURNS, "grid_starts": STARTS}
