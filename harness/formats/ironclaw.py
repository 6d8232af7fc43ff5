"""IronClaw's recorded traces: one JSON object with the model's `steps` and the `http_exchanges` of its tools.

Source: a recording of nearai/ironclaw@01ded0e; no specification was found. A call of the tool `http` is answered by the
next exchange with its address: the body is the result, and what the tool puts around it is not recorded. Other tools
leave no results. The prompt that the usage counts is not recorded but for what the user said.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, ToolCall, Transcript

UNKNOWN = ("results of tools other than http", "what the http tool puts around a body")
FAILED = 400


class IronClaw:
    name = "ironclaw"

    def sniff(self, head: Head) -> bool:
        if head.kind != "object" or not {"model_name", "steps"} <= head.keys:
            return False
        steps = head.records[0]["steps"]
        first = steps[0] if isinstance(steps, list) and steps else None
        return isinstance(first, dict) and isinstance(first.get("response"), dict)

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a trace belongs")
        assembly = Assembly(source.name)
        trace = Record(document, source.name, assembly.problems.append)
        exchanges = list(trace.records("http_exchanges"))
        for step in trace.records("steps"):
            response = step.record("response")
            kind = response.raw("type")
            if kind == "user_input":
                assembly.add(Message("user", response.string("content")))
            elif kind in ("text", "tool_calls"):
                _answer(assembly, response, exchanges)
            else:
                response.problem(f"unknown type of step {kind!r:.60}")
        yield assembly.transcript(source.name, self.name, model=trace.text("model_name"), unknown=UNKNOWN)


def _answer(assembly: Assembly, response: Record, exchanges: list[Record]) -> None:
    calls = list(response.records("tool_calls"))
    made = tuple(ToolCall(c.string("name"), arguments_text(c.raw("arguments")), c.text("id")) for c in calls)
    assembly.add(Message("assistant", response.string("content"), calls=made, usage=usage_of(response)))
    at = len(assembly.messages) - 1
    for position, call in enumerate(calls):
        if call.raw("name") != "http":
            continue
        wanted = call.record("arguments").raw("url")
        found = next((e for e in exchanges if e.record("request").raw("url") == wanted), None)
        if found is not None:
            exchanges.remove(found)
            reply = found.record("response")
            status = reply.integer("status")
            failed = None if status is None else status >= FAILED
            assembly.answer(reply.string("body"), call=(at, position), call_id=call.text("id"), is_error=failed)
