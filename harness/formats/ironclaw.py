"""IronClaw's recorded traces: one JSON object with the model's `steps` and the `http_exchanges` of its tools.

Source: nearai/ironclaw@01ded0e `crates/domains/ironclaw_llm/src/recording.rs` (`LlmTrace`, `TraceStep`), and its
recordings in `tests/fixtures/llm_traces/`.

| field | what |
| --- | --- |
| `steps[].response.{type,content}` | `user_input`, or an answer of type `text` |
| `steps[].response.tool_calls[].{id,name,arguments}` | an answer of type `tool_calls` |
| `steps[].response.{input_tokens,output_tokens}` | usage |
| `steps[].request_hint.min_message_count` | how many messages the prompt held, the system prompt among them |
| `steps[].request_hint.last_user_message_contains` | how the last message of the user began: tells threads apart |
| `steps[].expected_tool_results[].{tool_call_id,name,content}` | results that are new in the prompt |
| `http_exchanges[].{request.url,response.{status,body}}` | what the `http` tool got, where its result is not recorded |

Steps of several threads (a routine that runs beside the chat) stand in one list. A step belongs to the thread whose
user spoke so and whose prompt is not longer; after a change of threads the recorder lists earlier results again, and
those stay one. A result that holds a reference (`result_reference`) is what the model was shown; its value is kept
elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, ToolCall, Transcript

HTTP = ("http", "builtin__http")
UNKNOWN = ("results that are not recorded", "what the http tool puts around a body")
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
        threads = _Threads(source, document)
        trace = Record(document, source.name, threads.main.assembly.problems.append)
        for step in trace.records("steps"):
            threads.take(step)
        for thread in threads.all:
            threads.finish(thread)
        names = own_names(source.name)
        for number, thread in enumerate(threads.all, 1):
            yield thread.assembly.transcript(
                source.name if len(threads.all) == 1 else names(None, number),
                self.name,
                model=trace.text("model_name"),
                unknown=UNKNOWN,
            )


@dataclass
class _Thread:
    assembly: Assembly
    begins: str = ""  # how its user's last message begins
    prompt: int = 0  # messages in its latest prompt
    given: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    waiting: list[tuple[int, int, Record]] = field(default_factory=list)  # calls of http without a result


class _Threads:
    def __init__(self, source: Source, document: dict[str, object]) -> None:
        self.place = source.name
        self.main = _Thread(Assembly(source.name))
        self.all = [self.main]
        self.current = self.main
        exchanges = Record(document, source.name, self.main.assembly.problems.append).records("http_exchanges")
        self.exchanges = list(exchanges)

    def take(self, step: Record) -> None:
        response = step.record("response")
        kind = response.raw("type")
        if kind == "user_input":
            self.current = self.main
            self.finish(self.main)
            self.main.assembly.add(Message("user", response.string("content")))
            self.main.begins = ""
        elif kind in ("text", "tool_calls"):
            self.current = self._thread_of(step.record("request_hint"))
            self._results(self.current, step)
            self._answer(self.current, response)
        else:
            response.problem(f"unknown type of step {kind!r:.60}")

    def _thread_of(self, hint: Record) -> _Thread:
        begins, count = hint.string("last_user_message_contains"), hint.integer("min_message_count")
        if count is None:
            return self.current
        for thread in reversed(self.all):
            known = not thread.begins or not begins or thread.begins == begins
            if known and count >= thread.prompt:
                thread.begins, thread.prompt = begins or thread.begins, count
                return thread
        thread = _Thread(Assembly(self.place), begins, count)
        thread.assembly.add(Message("user", begins))
        self.all.append(thread)
        return thread

    def _results(self, thread: _Thread, step: Record) -> None:
        listed: Counter[tuple[str | None, str]] = Counter()
        for result in step.records("expected_tool_results"):
            call_id, content = result.text("tool_call_id"), arguments_text(result.raw("content"))
            listed[call_id, content] += 1
            if listed[call_id, content] <= thread.given[call_id, content]:
                continue
            thread.given[call_id, content] += 1
            thread.waiting = [w for w in thread.waiting if w[2].raw("id") != call_id]
            is_json = result.raw("content") is not None and not isinstance(result.raw("content"), str)
            thread.assembly.answer(content, call_id=call_id, name=result.string("name"), is_json=is_json)
        self.finish(thread)

    def finish(self, thread: _Thread) -> None:
        """Answer the calls of http that have no recorded result by the exchange with their address."""
        for at, position, call in thread.waiting:
            wanted = call.record("arguments").raw("url")
            found = next((e for e in self.exchanges if e.record("request").raw("url") == wanted), None)
            if found is not None:
                self.exchanges.remove(found)
                reply = found.record("response")
                status = reply.integer("status")
                failed = None if status is None else status >= FAILED
                body, call_id = reply.string("body"), call.text("id")
                thread.assembly.answer(body, call=(at, position), call_id=call_id, is_error=failed)
        thread.waiting = []

    def _answer(self, thread: _Thread, response: Record) -> None:
        calls = list(response.records("tool_calls"))
        made = tuple(ToolCall(c.string("name"), arguments_text(c.raw("arguments")), c.text("id")) for c in calls)
        thread.assembly.add(Message("assistant", response.string("content"), calls=made, usage=usage_of(response)))
        at = len(thread.assembly.messages) - 1
        thread.waiting = [(at, i, call) for i, call in enumerate(calls) if call.raw("name") in HTTP]
