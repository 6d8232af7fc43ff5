"""ATIF, the trajectory format of Harbor: a JSON object of steps, version 1.5.

Source: pydantic models of harbor 0.26.0, `harbor/models/trajectories`. Results stand in the step of the call that they
answer, so one that came after a user's message moves before it, and has the step's time. The cluster is the agent's
working directory. Cannot hold: message ids; whether a result was an error, its exit code, its whole value, that it was
recorded as JSON; images and encrypted parts. Arguments are objects: a bare command is written as `{"input": ...}`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from harness import __version__
from harness.export.parts import answered_id, arguments_object, call_id, iso_time, json_line, refuse_rewritten
from harness.formats.json_text import parse
from harness.transcript import Message, Transcript, Usage

VERSION = "ATIF-v1.5"
SOURCES = {"system": "system", "user": "user", "assistant": "agent", "tool": "system"}


class AtifExporter:
    name: ClassVar[str] = "atif"
    suffix: ClassVar[str] = ".trajectory.json"

    def export(self, transcript: Transcript) -> bytes:
        refuse_rewritten(transcript, self.name)
        agent: dict[str, Any] = {"name": transcript.format, "version": __version__}
        if transcript.model is not None:
            agent["model_name"] = transcript.model
        if transcript.cluster:
            agent["extra"] = {"cwd": transcript.cluster}
        if transcript.tools is not None:
            agent["tool_definitions"] = [parse(tool) for tool in transcript.tools]
        trajectory = {
            "schema_version": VERSION,
            "session_id": transcript.id,
            "agent": agent,
            "steps": _steps(transcript),
        }
        return json_line(trajectory)


def _steps(transcript: Transcript) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    step_of: dict[int, dict[str, Any]] = {}
    last_answer: dict[str, Any] | None = None
    for index, message in enumerate(transcript.messages):
        if message.result is not None:
            call = message.result.call
            holder = step_of[call[0]] if call is not None else last_answer
            if holder is None:
                holder = {"step_id": len(steps) + 1, "source": "system", "message": ""}
                steps.append(holder)
            holder.setdefault("observation", {"results": []})["results"].append(_result(transcript, index))
            continue
        step = _step(message, index, len(steps) + 1)
        steps.append(step)
        step_of[index] = step
        if message.role == "assistant":
            last_answer = step
    return steps


def _step(message: Message, index: int, number: int) -> dict[str, Any]:
    step: dict[str, Any] = {"step_id": number, "source": SOURCES[message.role], "message": message.text}
    if message.time is not None:
        step["timestamp"] = iso_time(message.time)
    if message.copied:
        step["is_copied_context"] = True
    if message.model is not None:
        step["model_name"] = message.model
    if message.reasoning:
        step["reasoning_content"] = message.reasoning
    if message.calls:
        step["tool_calls"] = [
            {
                "tool_call_id": call_id(call, index, position),
                "function_name": call.name,
                "arguments": arguments_object(call),
            }
            for position, call in enumerate(message.calls)
        ]
    if message.usage is not None:
        step["metrics"] = _metrics(message.usage)
    return step


def _result(transcript: Transcript, index: int) -> dict[str, Any]:
    result = transcript.messages[index].result
    assert result is not None
    if result.call is None:
        return {"content": result.content}
    return {"source_call_id": answered_id(transcript, index), "content": result.content}


def _metrics(usage: Usage) -> dict[str, Any]:
    counts = {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
    }
    metrics: dict[str, Any] = {key: count for key, count in counts.items() if count is not None}
    if usage.cache_write_tokens is not None:
        metrics["extra"] = {"cache_creation_input_tokens": usage.cache_write_tokens}
    return metrics
