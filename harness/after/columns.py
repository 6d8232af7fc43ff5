"""The tables of `harness after`: a row a result, and a row a transcript."""

from __future__ import annotations

from harness.runs.schema import Column, Kind


def _column(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning)


RESULTS: tuple[Column, ...] = (
    _column("transcript", "category", "key", "", "id of the transcript"),
    _column("cluster", "category", "key", "", "task or repository, for intervals"),
    _column("agent", "category", "recorded", "", "agent, by the format of its recording"),
    _column("model", "category", "recorded", "", "model that made the call, empty if unknown"),
    _column("tool", "category", "recorded", "", "name of the tool, empty if unknown"),
    _column("message", "int32", "key", "", "index of the message that holds the result"),
    _column("cut", "category", "recorded", "", "clipped, spilled or previewed; empty if it stands whole"),
    _column("mark", "category", "recorded", "", "the mark that it bears, empty if none"),
    _column("shown_bytes", "int64", "measured", "bytes", "UTF-8 length of what stood in the prompt"),
    _column("whole_size", "Int64", "recorded", "bytes or characters", "of the whole value, as far as it is told"),
    _column("told_by", "category", "recorded", "", "what tells it: itself, a joined file, the cut's own words"),
    _column("limited", "bool", "recorded", "", "the call limits itself: limit, range, | head"),
    _column("offered", "category", "recorded", "", "what the cut names for the rest: file, handle; empty for nothing"),
    _column("act", "category", "recorded", "", "what the agent did next"),
    _column("distance", "Int32", "recorded", "calls", "up to the first that turned back, 1 for the next"),
    _column("again", "boolean", "recorded", "", "a next call asked for the same target; empty if there was none"),
    _column("calls", "int32", "recorded", "calls", "that turned back"),
    _column("requests", "int32", "recorded", "requests", "that made those calls"),
    _column("tokens", "int64", "measured", "tokens", "content of those calls and of their results"),
    _column("seconds", "Float64", "recorded", "s", "from the result to the result of the last of those calls"),
    _column("fate", "category", "recorded", "", "of the file or handle: right, wrong, not there, ignored"),
    _column("used_after", "Int32", "recorded", "calls", "up to the first that uses it, however far"),
    _column("root", "Int32", "recorded", "", "the cut result that this chain of cut answers began with"),
)

TRANSCRIPTS: tuple[Column, ...] = (
    _column("transcript", "category", "key", "", "id of the transcript"),
    _column("cluster", "category", "key", "", "task or repository, for intervals"),
    _column("agent", "category", "recorded", "", "agent, by the format of its recording"),
    _column("model", "category", "recorded", "", "model that was recorded, empty if unknown"),
    _column("digest", "string", "measured", "", "SHA-256 of what the figures depend on"),
    _column("requests", "int64", "recorded", "requests", "model calls"),
    _column("tool_calls", "int64", "recorded", "calls", "tool calls"),
    _column("results", "int64", "recorded", "results", "tool results"),
    _column("cut_results", "int64", "recorded", "results", "clipped, spilled or previewed"),
    _column("removed_results", "int64", "recorded", "results", "taken out of the prompt later; not looked at"),
    _column("repeated_calls", "int64", "recorded", "calls", "same tool, arguments and result as an earlier one"),
    _column("repeated_groups", "int64", "recorded", "groups", "of such calls"),
    _column("longest_repeat", "int64", "recorded", "calls", "of the largest group, its first among them"),
    _column("repeated_tokens", "int64", "measured", "tokens", "content of those calls but the first, and results"),
    _column("limited_calls", "int64", "recorded", "calls", "that limit their own output: | head, limit, a range"),
    _column("thrashed", "int64", "recorded", "values", "to which three or more calls turned back"),
    _column("invented", "int64", "recorded", "handles", "and spilled files named in calls that nothing had named"),
)
AFTER_TABLES: dict[str, tuple[Column, ...]] = {"results": RESULTS, "transcripts": TRANSCRIPTS}
