"""tau2-bench results: one JSON object with `simulations`, each a conversation of an agent with a simulated user.

Source: sierra-research/tau2-bench@a2c0247 `src/tau2/data_model/message.py`, `simulation.py`. The simulated user calls
tools of its own (`requestor: user`): neither those calls nor their results are in the agent's prompt. A greeting that
opens a run without usage was written by the framework, not asked of the model. The recorded policy is a part of the
agent's system prompt. Voice runs hold ticks and no messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import arguments_text, content_of
from harness.formats.json_text import Unreadable, compact
from harness.formats.outcomes import amount, rewarded, spent
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, ToolCall, Totals, Transcript

UNKNOWN = ("the instructions around the policy",)


class Tau2:
    name = "tau2-bench"

    def sniff(self, head: Head) -> bool:
        return head.kind == "object" and isinstance(head.records[0].get("simulations"), list)

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where results belong")
        results = Record(document, source.name, source.problems.append)
        info = results.record("info")
        names = own_names(source.name)
        found = silent = 0
        for number, simulation in enumerate(results.records("simulations"), 1):
            if not isinstance(simulation.raw("messages"), list) or not simulation.raw("messages"):
                silent += 1
                continue
            found += 1
            run = _Run(source.name, simulation, info)
            yield run.read(names(run.name, number), self.name)
        if silent and not found:
            raise HoldsNothing(f"{silent} simulations without messages (voice runs keep sound and ticks only)")


class _Run:
    def __init__(self, place: str, simulation: Record, info: Record) -> None:
        self.assembly = Assembly(place)
        self.simulation = Record(simulation.value, simulation.place, self.assembly.problems.append)
        self.info = info
        self.environment = info.record("environment_info")
        self.task = _label(self.simulation, "task_id")

    @property
    def name(self) -> str:
        return f"task-{self.task}-trial-{_label(self.simulation, 'trial')}"

    def read(self, name: str, format_name: str) -> Transcript:
        policy = self.simulation.string("policy") or self.environment.string("policy")
        if policy:
            self.assembly.add(Message("system", policy))
        for message in self.simulation.records("messages"):
            several = message.raw("tool_messages")
            for one in message.records("tool_messages") if isinstance(several, list) else [message]:
                self._take(one)
        self._unask_greeting()
        tools = self.environment.raw("tool_defs")
        return self.assembly.transcript(
            name,
            format_name,
            cluster=f"{self.environment.string('domain_name')} {self.task}".strip(),
            tools=tuple(compact(tool) for tool in tools) if isinstance(tools, list) else None,
            unknown=UNKNOWN if policy else (),
            run=self.name,
            task=self.task,
            repetition=_label(self.simulation, "trial"),
            agent=self.info.record("agent_info").string("implementation"),
            version=self.info.string("git_commit"),
            outcome=rewarded(
                self.simulation.record("reward_info").raw("reward"),
                self.simulation.string("termination_reason"),
                {"steps": self.info.raw("max_steps"), "errors": self.info.raw("max_errors")},
            ),
            totals=Totals(
                usd=spent(self.simulation.raw("agent_cost")), seconds=amount(self.simulation.raw("duration"))
            ),
        )

    def _take(self, message: Record) -> None:
        role = message.raw("role")
        text, images = content_of(message)
        time = message.time("timestamp")
        if role == "assistant":
            self._answer(message, text, images, time)
        elif role == "tool":
            if message.raw("requestor") != "user":
                failed = message.boolean("error")
                self.assembly.answer(text, call_id=message.text("id"), is_error=failed, images=images, time=time)
        elif role == "user":
            if not message.raw("tool_calls"):
                self.assembly.add(Message("user", text, images=images, time=time))
        elif role == "system":
            self.assembly.add(Message("system", text, images=images, time=time))
        else:
            message.problem(f"unknown role {role!r:.60}")

    def _answer(self, message: Record, text: str, images: int, time: float | None) -> None:
        response = message.record("raw_data")
        spent = message.raw("generation_time_seconds")
        started = time - spent if time is not None and isinstance(spent, (int, float)) else None
        calls = tuple(
            ToolCall(call.string("name"), arguments_text(call.raw("arguments")), call.text("id"))
            for call in message.records("tool_calls")
        )
        self.assembly.add(
            Message(
                "assistant",
                text,
                calls=calls,
                images=images,
                message_id=response.text("id"),
                model=response.text("model"),
                time=time,
                started=started,
                usage=usage_of(response.record("usage")) or usage_of(message.record("usage")),
            )
        )

    def _unask_greeting(self) -> None:
        messages = self.assembly.messages
        first = next((i for i, m in enumerate(messages) if m.role != "system"), None)
        answers = [m for m in messages if m.role == "assistant"]
        if first is None or not any(m.usage for m in answers):
            return
        if messages[first].role == "assistant" and messages[first].usage is None:
            messages[first] = replace(messages[first], copied=True)


def _label(record: Record, key: str) -> str:
    value = record.raw(key)
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    record.wrong(key, value, "a number or a name")
    return "unknown"
