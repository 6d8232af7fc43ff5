"""The tables of a run: every column with its kind, unit and meaning.

The kind (measured, estimated, live, recorded, key) goes into the heading of every table that a reader sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SCHEMA_VERSION = 3

Kind = Literal["key", "recorded", "measured", "estimated", "live"]


@dataclass(frozen=True, slots=True)
class Column:
    """dtype is a pandas dtype; a nullable one (`Int64`, `Float64`, `boolean`) where a value can be unknown.

    per_policy: whether it differs between the policies of a run.
    """

    name: str
    dtype: str
    kind: Kind
    unit: str
    meaning: str
    per_policy: bool = True


def _shared(name: str, dtype: str, kind: Kind, unit: str, meaning: str) -> Column:
    return Column(name, dtype, kind, unit, meaning, per_policy=False)


TRANSCRIPT_KEY = _shared("transcript", "category", "key", "", "id of the transcript")
POLICY_KEY = Column("policy", "category", "key", "", "the policy as it is written")

REQUESTS: tuple[Column, ...] = (
    TRANSCRIPT_KEY,
    POLICY_KEY,
    _shared("request", "int32", "key", "", "number of the request, from 1"),
    _shared("message", "int32", "key", "", "index of its assistant message"),
    _shared("prompt_messages", "int32", "measured", "messages", "messages in the prompt"),
    _shared("cuts", "int32", "recorded", "", "compactions, clearings and rewinds recorded before it"),
    _shared("started", "Float64", "recorded", "s", "when it started, seconds since the epoch"),
    _shared(
        "output_tokens",
        "int64",
        "measured",
        "tokens",
        "the answer: text, reasoning, tool names and arguments",
    ),
    _shared("tool_calls", "int32", "recorded", "calls", "tool calls in the answer"),
    _shared("recorded_input", "Int64", "recorded", "tokens", "whole prompt as billed"),
    _shared("recorded_cached", "Int64", "recorded", "tokens", "read from the cache as billed"),
    _shared("recorded_cache_write", "Int64", "recorded", "tokens", "written to the cache as billed"),
    _shared("recorded_cache_write_1h", "Int64", "recorded", "tokens", "of those, kept for an hour"),
    _shared("recorded_output", "Int64", "recorded", "tokens", "output as billed"),
    _shared("unrecorded", "Int64", "measured", "tokens", "billed input less our count under identity"),
    _shared("model", "category", "recorded", "", "model that answered, empty if unknown"),
    _shared("priced_as", "category", "measured", "", "model of the price snapshot, empty if none is known"),
    _shared("output_counted", "bool", "measured", "", "answer billed by our count, as no final one was recorded"),
    _shared("bill", "Float64", "measured", "USD", "recorded usage times price, where usage is complete"),
    _shared("cost_model", "Float64", "measured", "USD", "identity by our count, cache guessed from times"),
    _shared("lost_prefix", "Int64", "measured", "tokens", "of the prefix, not read from the cache; 0 under a half"),
    _shared("lost_cause", "category", "measured", "", "why: gap, rewrite, compaction, another model, unknown"),
    _shared("lost_cost", "Float64", "measured", "USD", "what those tokens were billed over the price of reading"),
    _shared("borne", "int32", "measured", "atoms", "taken from an earlier result and from nothing else"),
    _shared("borne_runs", "int32", "measured", "atoms", "of those, long copied runs of text"),
    _shared("unsourced", "int32", "measured", "atoms", "that occur nowhere before; left out"),
    _shared(
        "dropped", "int32", "measured", "atoms", "whose results the recorder had taken out of the prompt; left out"
    ),
    _shared("spanless", "int32", "measured", "uses", "uses of results that leave no span to find; left out"),
    Column("prompt_tokens", "int64", "measured", "tokens", "framed prompt tokens"),
    Column("kept_tokens", "int64", "measured", "tokens", "leading part unchanged since the request before"),
    Column("cached_warm", "int64", "measured", "tokens", "cached if every entry still lived"),
    Column("cached_recorded", "Int64", "measured", "tokens", "read from the cache, as recorded"),
    Column("overflow", "bool", "measured", "", "prompt and output exceed the window"),
    Column("removed_tokens", "int64", "measured", "tokens", "taken out of the kept prefix by a history policy"),
    Column("resent_tokens", "int64", "measured", "tokens", "behind its first change, read anew by the provider"),
    Column("resent_price", "Float64", "measured", "tokens", "those times (write - read) / read"),
    Column("cost_no_cache", "Float64", "measured", "USD", "price without any cache"),
    Column("cost_warm", "Float64", "measured", "USD", "price if every cache entry still lived"),
    Column("cost_recorded", "Float64", "measured", "USD", "price with the recording's reads and writes"),
    Column("visible", "int32", "measured", "atoms", "borne atoms that stand in the prompt"),
    Column(
        "reachable", "int32", "measured", "atoms", "not visible; a tool of this agent shows them, or a path it has seen"
    ),
    Column("reachable_unknown", "int32", "measured", "atoms", "reachable if a tool that is not known reads files"),
    Column("held", "int32", "measured", "atoms", "not visible; a handle holds them that cannot show them"),
    Column("held_guessed", "int32", "measured", "atoms", "of those, named by a path that would have to be guessed"),
    Column("lost", "int32", "measured", "atoms", "nothing that this agent can use holds them any more"),
    Column("runs_visible", "int32", "measured", "atoms", "long copied runs among the visible"),
    Column("at_risk", "bool", "measured", "", "bears an atom that is not visible"),
)

RESULTS: tuple[Column, ...] = (
    TRANSCRIPT_KEY,
    POLICY_KEY,
    _shared("message", "int32", "key", "", "index of the message that holds the result"),
    _shared("tool", "category", "recorded", "", "name of the tool, empty if unknown"),
    _shared("content", "category", "measured", "", "kind of content"),
    _shared("value_hash", "string", "measured", "", "first 16 hex digits of the value's blake2b"),
    _shared("value_bytes", "int64", "measured", "bytes", "UTF-8 length of the value"),
    _shared("joined_bytes", "int64", "measured", "bytes", "of those, what a file kept beside the recording adds"),
    _shared("value_tokens", "int64", "measured", "tokens", "of the result as recorded"),
    _shared("clipped", "category", "recorded", "", "truncation marker it bears, empty if none"),
    _shared("is_error", "boolean", "recorded", "", "flagged as an error"),
    Column("rendered_bytes", "int64", "measured", "bytes", "UTF-8 length of the rendering"),
    Column("rendered_tokens", "int64", "measured", "tokens", "of the rendering, without framing"),
    Column("elided_bytes", "int64", "measured", "bytes", "of what stood in the prompt, not in the rendering"),
    Column("unreachable_bytes", "int64", "measured", "bytes", "elided, and nothing lets this agent see them again"),
    Column("unreachable_unknown_bytes", "int64", "measured", "bytes", "elided; whether a tool shows them is not known"),
    Column("reach", "category", "measured", "", "how elided text can be had again"),
    Column("changed", "bool", "measured", "", "the rendering is not the recorded text"),
    Column("rewritten", "Int32", "measured", "", "request before which a history policy first changed it"),
)

TRANSCRIPTS: tuple[Column, ...] = (
    TRANSCRIPT_KEY,
    POLICY_KEY,
    _shared("source", "category", "key", "", "file that it was read from"),
    _shared("format", "category", "recorded", "", "format of the recording"),
    _shared("cluster", "category", "recorded", "", "task or repository"),
    _shared("model", "category", "recorded", "", "model that was recorded, empty if unknown"),
    _shared("sub_agent", "bool", "recorded", "", "has a parent transcript"),
    _shared("task", "string", "recorded", "", "what was to be done, empty if the source does not say"),
    _shared("repetition", "string", "recorded", "", "which of several runs of the task"),
    _shared("agent", "string", "recorded", "", "who ran"),
    _shared("version", "string", "recorded", "", "of the agent"),
    _shared("passed", "boolean", "recorded", "", "the run did its task, as its source says"),
    _shared("score", "Float64", "recorded", "", "its grade, on the source's scale"),
    _shared("ended", "string", "recorded", "", "why the run ended, in the source's words"),
    _shared("limits", "string", "recorded", "", "what the run might use at most"),
    _shared("total_requests", "Int64", "recorded", "requests", "of the whole run, as its source sums them"),
    _shared("total_input", "Int64", "recorded", "tokens", "of all its prompts, the same"),
    _shared("total_output", "Int64", "recorded", "tokens", "of all its answers, the same"),
    _shared("total_usd", "Float64", "recorded", "USD", "what it cost, the same"),
    _shared("total_seconds", "Float64", "recorded", "s", "from its start to its end, the same"),
    _shared("digest", "string", "measured", "", "SHA-256 of what the figures depend on"),
    _shared("messages", "int64", "recorded", "messages", "messages"),
    _shared("requests", "int64", "recorded", "requests", "model calls"),
    _shared("tool_calls", "int64", "recorded", "calls", "tool calls"),
    _shared("results", "int64", "recorded", "results", "tool results"),
    _shared("result_bytes", "int64", "measured", "bytes", "UTF-8 length of all results as recorded"),
    _shared("joined_bytes", "int64", "measured", "bytes", "what files kept beside the recording add to them"),
    _shared("clipped_results", "int64", "recorded", "results", "already clipped when recorded"),
    _shared("clipped_bytes", "int64", "recorded", "bytes", "bytes of the results already clipped"),
    _shared("images", "int64", "recorded", "parts", "images, whose tokens are not identified"),
    _shared("encrypted", "int64", "recorded", "parts", "encrypted parts, whose tokens are not identified"),
    _shared("cuts", "int64", "recorded", "", "compactions, clearings and rewinds"),
    _shared("problems", "int64", "recorded", "records", "records that could not be read"),
    _shared("audit", "category", "measured", "", "was it read right: audited, doubtful, not audited (no usage)"),
    _shared("doubtful", "category", "measured", "", "what is doubtful in its reading, empty if nothing is"),
    _shared("text_read", "Float64", "measured", "share", "of its source's lines of text that were read"),
    _shared("answered_calls", "int64", "recorded", "calls", "calls with a result"),
    _shared("growth", "Float64", "measured", "ratio", "growth of our prompt over that of the billed one"),
    _shared("count_over_bill", "Float64", "measured", "ratio", "our prompts over the billed ones"),
    _shared("output_tokens", "int64", "measured", "tokens", "all answers"),
    _shared("recorded_requests", "int64", "recorded", "requests", "requests with recorded usage"),
    _shared("recorded_input", "Int64", "recorded", "tokens", "billed input of the requests with usage"),
    _shared("recorded_output", "Int64", "recorded", "tokens", "billed output of the requests with usage"),
    _shared("recorded_cached", "Int64", "recorded", "tokens", "of that, read from the cache"),
    _shared("unrecorded", "Int64", "measured", "tokens", "billed input less our count under identity, over those"),
    _shared("billed_requests", "int64", "measured", "requests", "whose usage is complete and whose model has a price"),
    _shared("output_counted", "int64", "measured", "requests", "of those, with answers billed by our count"),
    _shared("bill", "Float64", "measured", "USD", "recorded usage times price, over those"),
    _shared("cost_model_of_billed", "Float64", "measured", "USD", "identity by our count, cache guessed, over those"),
    _shared("priced_requests", "int64", "measured", "requests", "whose model has a price"),
    _shared("cliffs", "int64", "measured", "requests", "that lost over half of the prefix they should have kept"),
    _shared("lost_prefix", "Int64", "measured", "tokens", "that those requests lost"),
    _shared("lost_cost", "Float64", "measured", "USD", "what those tokens were billed over the price of reading"),
    _shared("borne", "int64", "measured", "atoms", "taken from an earlier result and from nothing else"),
    _shared("borne_runs", "int64", "measured", "atoms", "of those, long copied runs of text"),
    _shared("pairs", "int64", "measured", "pairs", "of a request and a result that it depends on"),
    _shared("bearing_requests", "int64", "measured", "requests", "that bear at least one atom"),
    _shared("unsourced", "int64", "measured", "atoms", "that occur nowhere before; left out"),
    _shared(
        "dropped", "int64", "measured", "atoms", "whose results the recorder had taken out of the prompt; left out"
    ),
    _shared("spanless_requests", "int64", "measured", "requests", "with uses that leave no span to find"),
    _shared("referencable_arguments", "int64", "measured", "arguments", "a reference could have stood for"),
    _shared("reference_tokens_saved", "int64", "measured", "tokens", "of output, by those references"),
    _shared("referencable_arguments_sniffed", "int64", "measured", "arguments", "the same, JSON texts taken for JSON"),
    _shared("reference_tokens_saved_sniffed", "int64", "measured", "tokens", "of output, by those references"),
    _shared("handles_given", "int64", "recorded", "results", "that stand as a preview under a handle"),
    _shared("handles_partly_shown", "int64", "recorded", "results", "of those, not shown whole"),
    _shared("handles_size_not_stated", "int64", "recorded", "results", "of those, whose preview states no size"),
    _shared("stated_bytes", "int64", "recorded", "bytes", "of the values partly shown, as their previews state"),
    _shared("references_right", "int64", "recorded", "arguments", "a handle that was given, and a path that was shown"),
    _shared("references_untold", "int64", "recorded", "arguments", "a handle that was given, a path not shown"),
    _shared("references_wrong", "int64", "recorded", "arguments", "a path that is not there, or no reference"),
    _shared("references_invented", "int64", "recorded", "arguments", "a handle that was never given"),
    _shared("references_size_not_stated", "int64", "recorded", "arguments", "right, and no preview states a size"),
    _shared(
        "written_out_tokens", "int64", "estimated", "tokens", "of output more, had right references been written out"
    ),
    _shared("written_out_carried_tokens", "int64", "estimated", "tokens", "of input more, by those in later prompts"),
    _shared("written_out_cost", "Float64", "estimated", "USD", "of both, cache warm"),
    _shared("whole_values_tokens", "int64", "estimated", "tokens", "of input more, had the values stood whole"),
    _shared("whole_values_cost", "Float64", "estimated", "USD", "of those, cache warm"),
    Column("input_tokens", "int64", "measured", "tokens", "framed prompt tokens of all requests"),
    Column("content_tokens", "int64", "measured", "tokens", "the same without framing and tool definitions"),
    Column("peak_prompt", "int64", "measured", "tokens", "the largest prompt"),
    Column("overflow_requests", "int64", "measured", "requests", "requests over the window"),
    Column("cached_warm", "int64", "measured", "tokens", "cached if every entry still lived"),
    Column("cached_recorded", "Int64", "measured", "tokens", "read from the cache, as recorded"),
    Column("removed_by_left", "int64", "measured", "tokens", "removed tokens times the requests left, summed"),
    Column("resent_tokens", "int64", "measured", "tokens", "read anew because of a rewritten prefix"),
    Column("resent_price", "Float64", "measured", "tokens", "those times (write - read) / read"),
    Column("cost_no_cache", "Float64", "measured", "USD", "price without any cache"),
    Column("cost_warm", "Float64", "measured", "USD", "price if every cache entry still lived"),
    Column("cost_recorded", "Float64", "measured", "USD", "price with the recording's reads and writes"),
    Column("rendered_bytes", "int64", "measured", "bytes", "all renderings"),
    Column("rendered_tokens", "int64", "measured", "tokens", "all renderings"),
    Column("elided_bytes", "int64", "measured", "bytes", "of what stood in the prompts, not in the renderings"),
    Column("unreachable_bytes", "int64", "measured", "bytes", "elided, and nothing lets this agent see them again"),
    Column("unreachable_unknown_bytes", "int64", "measured", "bytes", "elided; whether a tool shows them is not known"),
    Column("changed_results", "int64", "measured", "results", "results not rendered as recorded"),
    Column("grown_results", "int64", "measured", "results", "renderings with more tokens than the recorded text"),
    Column("not_identified_results", "int64", "measured", "results", "already clipped, and the policy is looser"),
    Column("visible", "int64", "measured", "atoms", "borne atoms that stand in the prompt"),
    Column(
        "reachable", "int64", "measured", "atoms", "not visible; a tool of this agent shows them, or a path it has seen"
    ),
    Column("reachable_unknown", "int64", "measured", "atoms", "reachable if a tool that is not known reads files"),
    Column("held", "int64", "measured", "atoms", "not visible; a handle holds them that cannot show them"),
    Column("held_guessed", "int64", "measured", "atoms", "of those, named by a path that would have to be guessed"),
    Column("lost", "int64", "measured", "atoms", "nothing that this agent can use holds them any more"),
    Column("runs_visible", "int64", "measured", "atoms", "long copied runs among the visible"),
    Column("at_risk_requests", "int64", "measured", "requests", "that bear an atom that is not visible"),
    Column("placebo_visible", "float64", "measured", "atoms", "visible if as many bytes were hidden at random places"),
    Column("placebo_variance", "float64", "measured", "atoms²", "of that over 20 seeds"),
    Column("placebo_at_risk", "float64", "measured", "requests", "at risk under the placebo, mean over 20 seeds"),
    Column("windows_visible", "float64", "measured", "atoms", "visible if as many windows were kept at random places"),
    Column("windows_variance", "float64", "measured", "atoms²", "of that over 20 seeds"),
    Column("windows_at_risk", "float64", "measured", "requests", "at risk under it, mean over 20 seeds"),
    Column("added_low", "int64", "estimated", "calls", "minus the recorded calls that this policy makes needless"),
    Column("added_evidence", "int64", "estimated", "calls", "recoveries of what is not visible; not calibrated"),
    Column("added_high", "int64", "estimated", "calls", "every elided result that is mentioned, read in full"),
    Column("unrecoverable", "int64", "estimated", "pairs", "request and result it depends on: nothing brings it back"),
    Column("unrecoverable_unknown", "int64", "estimated", "pairs", "more, unless a tool that is not known reads files"),
    Column("added_tokens_low", "int64", "estimated", "tokens", "minus the input tokens of the needless calls"),
    Column("added_tokens_evidence", "int64", "estimated", "tokens", "input tokens of those calls, carried on"),
    Column("added_tokens_high", "int64", "estimated", "tokens", "input tokens of those calls, carried on"),
    Column("added_cost_evidence", "Float64", "estimated", "USD", "price of those calls, cache warm"),
    Column("added_cost_high", "Float64", "estimated", "USD", "price of those calls, cache warm"),
    Column("unrecoverable_tokens", "int64", "estimated", "tokens", "their whole values read once on arrival"),
    Column("unrecoverable_cost", "Float64", "estimated", "USD", "price of that, cache warm"),
    Column("refetch_page_calls", "int64", "estimated", "calls", "if every elided result were fetched again, a page"),
    Column("refetch_page_tokens", "int64", "estimated", "tokens", "input tokens of those calls, carried on"),
    Column("refetch_page_cost", "Float64", "estimated", "USD", "price of those calls, cache warm"),
    Column("refetch_whole_calls", "int64", "estimated", "calls", "if every elided result were fetched again, in full"),
    Column("refetch_whole_tokens", "int64", "estimated", "tokens", "input tokens of those calls, carried on"),
    Column("refetch_whole_cost", "Float64", "estimated", "USD", "price of those calls, cache warm"),
)

PROGRAMS: tuple[Column, ...] = (
    TRANSCRIPT_KEY,
    POLICY_KEY,
    Column("request", "int32", "key", "", "number of the request before which the program was asked, from 1"),
    Column("asked", "int32", "measured", "times", "that the program was asked before this request"),
    Column("seconds", "float64", "live", "s", "that it took, by the clock of the run that asked"),
    Column("failures", "int32", "measured", "times", "that it failed; the text then stands as recorded"),
    Column("failed", "category", "measured", "", "how: crash, timeout, refused, broken, ...; joined by +"),
    Column("again", "int32", "measured", "times", "that it was asked the same twice; of a proxy, whole sessions"),
    Column("different", "int32", "measured", "times", "that the two answers differ"),
    Column("noise", "float64", "measured", "tokens²", "squared difference of the two answers, summed"),
    Column("carried", "int64", "measured", "requests²", "squared number of prompts that show an answer, summed"),
    Column("told", "category", "measured", "", "what a proxy did to the request besides results; joined by +"),
    Column("told_times", "int32", "measured", "times", "that it did any of it"),
    Column("added_tokens", "int64", "measured", "tokens", "of tools, messages and text that a proxy put in"),
    Column("handles", "int32", "measured", "results", "new, shown under a handle that this agent has no tool for"),
    Column("own_seconds", "float64", "live", "s", "that the harness took to play the request"),
    Column("tried", "category", "live", "", "addresses besides loopback that were tried in the session; joined by +"),
    Column("memory", "Int64", "live", "bytes", "at the peak so far, of the program and all that it started"),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "requests": REQUESTS,
    "results": RESULTS,
    "transcripts": TRANSCRIPTS,
    "programs": PROGRAMS,
}
LATER = frozenset({"programs", "stops", "needs"})
"""Tables that a run of an older build does not have; it asked no programs, and had no budget slider."""
SORT: dict[str, list[str]] = {
    "requests": ["transcript", "policy", "request"],
    "results": ["transcript", "policy", "message"],
    "transcripts": ["transcript", "policy"],
    "programs": ["transcript", "policy", "request"],
}
