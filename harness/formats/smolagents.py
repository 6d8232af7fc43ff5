"""The steps of a smolagents run: `agent.memory.get_full_steps()` as JSON, a step an object.

Source: huggingface/smolagents@e3a5b89 `src/smolagents/memory.py` (`ActionStep.dict`, `TaskStep`, `SystemPromptStep`).

| what | where |
| --- | --- |
| system, task | `{system_prompt}`, `{task}` |
| step | `{step_number, timing{start_time, end_time}, model_output, code_action, error, is_final_answer}` |
| call | `tool_calls[].{id, function{name, arguments}}` |
| result | `observations` (all calls of a step together), else `error.message` |
| usage | `token_usage.{input_tokens, output_tokens}` |

Results are one text a step: it answers the first call, and the others stay without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable
from harness.formats.lines import line_records
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, ToolCall, Transcript, Usage


class Smolagents:
    name = "smolagents"
    read_on = "its source, and made-up steps"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object":
            steps = head.records[0].get("steps")
            return isinstance(steps, list) and any(isinstance(s, dict) and _is_step(s) for s in steps[:5])
        return head.kind in ("array", "jsonl") and any(map(_is_step, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        assembly = Assembly(source.name)
        for step in _steps(source, assembly):
            _add(assembly, step)
        if not any(m.role == "assistant" for m in assembly.messages):
            raise HoldsNothing("a run without a step of the model")
        yield assembly.transcript(source.name, self.name)


def _is_step(record: dict[str, Any]) -> bool:
    return "step_number" in record and bool(record.keys() & {"model_output", "observations", "model_input_messages"})


def _steps(source: Source, assembly: Assembly) -> Iterator[Record]:
    report = assembly.problems.append
    if source.head().kind == "jsonl":
        yield from line_records(source, report)
        return
    document = source.document()
    listed = document.get("steps") if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise Unreadable(f"{kind_of(listed)} where steps belong")
    yield from records(listed, source.name, report)


def _add(assembly: Assembly, step: Record) -> None:
    if "system_prompt" in step:
        assembly.add(Message("system", step.string("system_prompt")))
        return
    if "step_number" not in step:
        if "task" in step:
            assembly.add(Message("user", step.string("task")))
        elif "plan" in step:
            assembly.add(Message("assistant", step.string("plan"), usage=_usage(step)))
        else:
            step.problem("a step of no known kind")
        return
    calls = []
    for call in step.records("tool_calls"):
        made = call.record("function") if "function" in call else call
        calls.append(ToolCall(made.string("name"), arguments_text(made.raw("arguments")), call.text("id")))
    output = step.raw("model_output")
    text = output if isinstance(output, str) else "" if output is None else arguments_text(output)
    time = step.record("timing").time("end_time")
    at = assembly.add(Message("assistant", text, tuple(calls), time=time, usage=_usage(step)))
    error = step.raw("error")
    failed = error is not None
    said = (
        step.record("error").string("message") if isinstance(error, dict) else error if isinstance(error, str) else ""
    )
    seen = "\n".join(part for part in (step.string("observations"), said) if part)
    images = len(step.array("observations_images"))
    if seen or images or (calls and not step.raw("is_final_answer")):
        if calls:
            assembly.answer(seen, call=(at, 0), call_id=calls[0].call_id, is_error=failed, images=images, time=time)
        else:
            assembly.add(Message("user", seen, images=images, time=time))


def _usage(step: Record) -> Usage | None:
    usage = step.record("token_usage")
    return contained(usage.integer("input_tokens"), None, None, usage.integer("output_tokens"))
