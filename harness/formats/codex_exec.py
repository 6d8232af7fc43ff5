"""Codex's printed events: JSONL of `codex exec --json`, as CI jobs and programs around it keep them.

Source: openai/codex `codex-rs/exec/src/exec_events.rs`, as public tools describe it (August 2026).

| what | where |
| --- | --- |
| thread | `thread.started.thread_id` |
| turn | `turn.started`; `turn.completed.usage.{input_tokens, cached_input_tokens, output_tokens}`; `turn.failed` |
| text | `item.completed.item{type: agent_message, text}`, `reasoning` likewise |
| command | `item{type: command_execution, id, command, aggregated_output, exit_code, status}`, started and completed |
| MCP call | `item{type: mcp_tool_call, server, tool, arguments, result.content[], error.message, status}` |
| others | `file_change.changes[]`, `web_search.query`, `todo_list.items[]`, `error.message` |

What the user asked is not printed, nor what Codex cut from an output before the model saw it. A turn's usage is that of
all its requests together: it is given only to a turn of one request. Calls that began before one of them had ended are
calls of one answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import Assembly
from harness.formats.json_text import compact
from harness.formats.lines import line_records
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Transcript

KINDS = (
    "thread.started",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "item.started",
    "item.updated",
    "item.completed",
)
UNKNOWN = ("what the user asked", "what of an output the model was shown", "usage of single requests")
SAID = ("agent_message", "reasoning", "error", "todo_list")


class CodexExec:
    name = "codex-exec"
    read_on = "made-up events, after a public log"

    def sniff(self, head: Head) -> bool:
        found = [record.get("type") for record in head.records]
        return head.kind in ("jsonl", "object") and any(kind in KINDS for kind in found) and not head.keys & {"payload"}

    def read(self, source: Source) -> Iterator[Transcript]:
        run = _Run(source.name)
        for event in line_records(source, run.assembly.problems.append):
            run.take(event)
        run.flush()
        if not run.assembly.messages:
            raise HoldsNothing("events without an item: nothing was done")
        yield run.assembly.transcript(source.name, self.name, unknown=UNKNOWN)


class _Run:
    """calls: of the answer that is being read, by the id of their item. ended: results of those, as far as there."""

    def __init__(self, place: str) -> None:
        self.assembly = Assembly(place)
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: dict[str, ToolCall] = {}
        self.ended: dict[str, Record] = {}
        self.answers: list[int] = []

    def take(self, event: Record) -> None:
        kind = event.string("type")
        if kind == "turn.started":
            self.answers = []
        elif kind in ("item.started", "item.completed"):
            self._item(event.record("item"), kind == "item.completed")
        elif kind == "turn.completed":
            self.flush()
            usage = event.record("usage")
            if len(self.answers) == 1:
                counts = [usage.integer(key) for key in ("input_tokens", "cached_input_tokens", "output_tokens")]
                found = contained(counts[0], counts[1], None, counts[2])
                if found is not None:
                    self.assembly.amend_last_request(usage=found)
        elif kind in ("turn.failed", "error"):
            self.flush()
        elif kind not in ("thread.started", "item.updated"):
            event.problem(f"unknown event {kind!r:.60}")

    def _item(self, item: Record, completed: bool) -> None:
        kind = item.string("type") or item.string("item_type")
        if kind in SAID:
            if completed and kind in ("agent_message", "assistant_message", "reasoning"):
                self._next_if_answered()
                (self.thoughts if kind == "reasoning" else self.texts).append(item.string("text"))
            return
        own = item.string("id") or f"item {len(self.calls)}"
        if own not in self.calls:
            self._next_if_answered()
            self.calls[own] = _call(item, kind, own)
        if completed:
            self.ended[own] = item

    def _next_if_answered(self) -> None:
        """What follows a result is the next request's."""
        if self.ended and self.ended.keys() >= self.calls.keys():
            self.flush()

    def flush(self) -> None:
        """Write the answer that was read and the results of its calls."""
        if not (self.texts or self.thoughts or self.calls):
            return
        message = Message(
            "assistant", "\n".join(self.texts), tuple(self.calls.values()), reasoning="\n".join(self.thoughts)
        )
        at = self.assembly.add(message)
        self.answers.append(at)
        for position, own in enumerate(self.calls):
            if own in self.ended:
                _answer(self.assembly, self.ended[own], (at, position))
        self.texts, self.thoughts, self.calls, self.ended = [], [], {}, {}


def _call(item: Record, kind: str, own: str) -> ToolCall:
    if kind == "command_execution":
        return ToolCall("shell", compact({"command": item.raw("command")}), own)
    if kind == "mcp_tool_call":
        return ToolCall(f"mcp__{item.string('server')}__{item.string('tool')}", compact(item.raw("arguments")), own)
    rest = {key: value for key, value in item.value.items() if key not in ("id", "type", "item_type", "status")}
    return ToolCall({"file_change": "apply_patch"}.get(kind, kind), compact(rest), own)


def _answer(assembly: Assembly, item: Record, call: tuple[int, int]) -> None:
    """The result in an item. A change of files and a search have none that is printed."""
    kind, status = item.string("type"), item.string("status")
    if kind == "command_execution":
        code = item.raw("exit_code")
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
        failed = status == "failed" if exit_code is None else exit_code != 0
        assembly.answer(item.string("aggregated_output"), call=call, is_error=failed, exit_code=exit_code)
    elif kind == "mcp_tool_call":
        parts = list(item.record("result").records("content"))
        text = "".join(part.string("text") for part in parts if "text" in part)
        error = item.raw("error")
        said = item.record("error").string("message") if isinstance(error, dict) else ""
        images = sum("text" not in part for part in parts)
        assembly.answer(said or text, call=call, is_error=status == "failed", images=images)
