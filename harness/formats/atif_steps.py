"""The steps of one ATIF trajectory in, a transcript out."""

from __future__ import annotations

from collections import Counter
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.json_text import compact
from harness.formats.outcomes import spent, used
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, Role, ToolCall, Totals, Transcript, Usage

ROLES: dict[str, Role] = {"system": "system", "user": "user", "agent": "assistant"}
INFLATED = ("\n[metadata] {", "\n[stdout]\n", "\n[stderr]\n")
ADDED = "results hold what the converter added to them (stdout, metadata); their original is not kept"


class AtifRun:
    def __init__(self, name: str) -> None:
        self.assembly = Assembly(name)
        self.own_name: str | None = None
        self._agent = Record({}, name, self.assembly.problems.append)
        self._totals = Totals()
        self._counts: Counter[str] = Counter()

    def read(self, root: Record) -> None:
        """Take in a trajectory."""
        self.own_name = root.string("trajectory_id") or root.string("session_id") or None
        self._agent = root.record("agent")
        metrics = root.record("final_metrics")
        self._totals = Totals(
            None,
            used(metrics.raw("total_prompt_tokens")),
            used(metrics.raw("total_completion_tokens")),
            spent(metrics.raw("total_cost_usd")),
        )
        for step in root.records("steps"):
            self._step(step)

    def transcript(self, format_name: str, transcript_id: str, parent: str | None) -> Transcript:
        extra = self._agent.record("extra")
        definitions = self._agent.raw("tool_definitions")
        return self.assembly.transcript(
            transcript_id,
            format_name,
            cluster=extra.record("git").string("repository_url") or extra.string("cwd"),
            tools=tuple(map(compact, definitions)) if isinstance(definitions, list) else None,
            parent=parent,
            notes=tuple(f"{count} {what}" for what, count in sorted(self._counts.items()) if count),
            session=self.own_name or "",
            agent=self._agent.string("name"),
            version=self._agent.string("version"),
            totals=self._totals,
        )

    def _step(self, step: Record) -> None:
        source = step.string("source")
        role = ROLES.get(source)
        if role is None:
            step.problem(f"unknown source {source!r:.60}")
            return
        time = step.time("timestamp")
        text, images = _content(step, "message")
        calls_made = step.integer("llm_call_count")
        copied = step.raw("is_copied_context") is True or (role == "assistant" and calls_made == 0)
        if calls_made is not None and calls_made > 1:
            self._counts["steps that hold several requests"] += 1
        if role != "assistant":
            self.assembly.add(Message(role, text, images=images, copied=copied, time=time))
        else:
            self.assembly.add(
                Message(
                    "assistant",
                    text,
                    calls=tuple(_call(call, step) for call in step.records("tool_calls")),
                    reasoning=step.string("reasoning_content"),
                    images=images,
                    copied=copied,
                    model=step.string("model_name") or self._agent.string("model_name") or None,
                    time=time,
                    usage=_usage(step.record("metrics")),
                )
            )
        for result in step.record("observation").records("results"):
            self._result(result, copied, time)

    def _result(self, result: Record, copied: bool, time: float | None) -> None:
        """A result: the block that the agent had recorded, where the converter kept it; else what it made of it."""
        original = result.record("extra").record("tool_result_metadata").raw("raw_tool_result")
        call_id = result.string("source_call_id") or None
        failed = None
        if original is None:
            text, images = _content(result, "content")
            self._counts[ADDED] += any(mark in text for mark in INFLATED)
            self._counts["results without content"] += result.raw("content") is None
            if text == "" and images == 0 and result.raw("subagent_trajectory_ref") is None and call_id is None:
                return
        elif isinstance(original, dict):
            block = Record(original, result.at("extra"), result.report)
            text, images = _content(block, "content")
            failed = block.boolean("is_error")
        else:
            text, images = original if isinstance(original, str) else compact(original), 0
        self.assembly.answer(text, call_id=call_id, is_error=failed, images=images, copied=copied, time=time)


def _call(call: Record, step: Record) -> ToolCall:
    """A call; its arguments as the model wrote them, where the converter kept that."""
    call_id = call.string("tool_call_id") or None
    details = step.record("extra").record("tool_call_details")
    raw: Any = details.record(call_id).raw("raw_arguments") if call_id and call_id in details else None
    if not isinstance(raw, str):
        if raw is not None:
            call.wrong("raw_arguments", raw, "a string")
        value = call.raw("arguments")
        raw = value if isinstance(value, str) else "" if value is None else compact(value)
    return ToolCall(call.string("function_name"), raw, call_id)


def _content(record: Record, key: str) -> tuple[str, int]:
    """The text of a string or a list of parts, and how many parts are no text."""
    value = record.raw(key)
    if isinstance(value, dict):
        return compact(value), 0
    if value is None or isinstance(value, str):
        return value or "", 0
    texts: list[str] = []
    others = 0
    for part in record.records(key):
        if isinstance(part.raw("text"), str) or part.raw("type") == "text":
            texts.append(part.string("text"))
        elif part.raw("type") in (None, "tool_reference"):
            texts.append(compact(part.value))
        else:
            others += 1
    return "\n".join(texts), others


def _usage(metrics: Record) -> Usage | None:
    """`prompt_tokens` is the whole prompt."""
    given, made = metrics.integer("prompt_tokens"), metrics.integer("completion_tokens")
    written = metrics.record("extra").integer("cache_creation_input_tokens")
    return contained(given, metrics.integer("cached_tokens"), written, made)
