"""One run: a task, a policy, a driver. What the policy shows is what the driver sees, and nothing else.

Before every request the policy is run over the transcript so far by the same code that replays recordings
(`harness.replay.ledger`), so that the tokens of the finished transcript are those of the prompts that were shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import orjson

from harness import Policy
from harness.loop.driver import SYSTEM, Brief, Driver, Move, Seen
from harness.loop.task import Step, Task
from harness.loop.tools import GREP, READ_FILE, READ_HANDLE, LoopTool, call_tool
from harness.loop.uptake import Uptake
from harness.loop.world import World, open_world
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.preview import JsonValue, serialize
from harness.replay.ledger import Account, Counter, Framing, Layout, account_of, lay_out
from harness.transcript import Message, ToolCall, ToolResult, Transcript

MOST_REQUESTS = 64
MOST_SAME = 3
"""So many times in a row the same calls, and the run is stopped: its driver goes round in a circle."""
START = 1_742_200_000
PROBE = "probe line 1234\n" * 20_000


@dataclass(frozen=True)
class Episode:
    """stopped: `answered`, `limit`, `circle` or why the driver gave no answer. account: of the transcript under the
    policy. retries: requests that failed and were asked again."""

    transcript: Transcript
    layout: Layout
    account: Account
    passed: bool
    stopped: str
    uptake: Uptake
    retries: int


@dataclass(frozen=True)
class Counting:
    """How tokens are counted."""

    counter: Counter
    framing: Framing


@lru_cache(maxsize=256)
def offered_tools(label: str) -> tuple[LoopTool, ...]:
    """The tools that a policy's renderings speak of, told from how it renders a large result."""
    transcript = Transcript("probe", "loop", ())
    view = make_policy(label).start(transcript).admit(0, ToolResult(PROBE, "sql_query", "call-0"), None)
    return {"file": (READ_FILE, GREP), "handle-read": (READ_HANDLE,)}.get(view.reach, ())


def run(task: Task, policy: Policy, driver: Driver, counting: Counting) -> Episode:
    """Drive a task to its end under a policy. Deterministic if the driver is."""
    tools = tuple({tool.name: tool for tool in (*task.tools, *offered_tools(policy.label))}.values())
    name = f"{task.id}@{driver.label}@{policy.label}"
    brief = Brief(task.id, task.question, task.procedure, tuple(tool.declaration() for tool in tools), name)
    with open_world(task.prepare, policy.page_bytes) as world:
        running = _Running(name, task, policy, counting, tools, world)
        session = driver.begin(brief)
        while True:
            move = session.next(running.context())
            if (stopped := running.carry_out(move)) is not None:
                break
        transcript = running.transcript()
        layout, account = _accounts(transcript, policy, counting)
        answer = transcript.messages[-1].text if stopped == "answered" else ""
        passed = task.check(world, answer)
        return Episode(transcript, layout, account, passed, stopped, running.uptake, running.retries)


def _accounts(transcript: Transcript, policy: Policy, counting: Counting) -> tuple[Layout, Account]:
    layout = lay_out(transcript, counting.counter, counting.framing)
    return layout, account_of(layout, policy, counting.counter)


class _Running:
    def __init__(
        self, name: str, task: Task, policy: Policy, counting: Counting, tools: tuple[LoopTool, ...], world: World
    ) -> None:
        self.name, self.task, self.policy, self.counting = name, task, policy, counting
        self.tools, self.world, self.uptake = tools, world, Uptake()
        self.messages = [Message("system", SYSTEM, time=START), Message("user", task.question, time=START)]
        self.requests = self.retries = 0
        self.account: Account | None = None
        self.moves: list[tuple[Step, ...]] = []

    def transcript(self, *more: Message) -> Transcript:
        declared = tuple(serialize(tool.declaration()).decode() for tool in self.tools)
        cluster = f"{self.task.family}/{self.task.template}"
        return Transcript(self.name, "loop", (*self.messages, *more), cluster, "loop", declared)

    def context(self) -> list[Seen]:
        """The prompt of the next request as the policy shows it."""
        views: Mapping[int, Rendering] = self.account.views_at(self.requests) if self.account else {}
        seen = []
        for i, message in enumerate(self.messages):
            if message.result is None:
                text = views[i].text if i in views else message.text
                seen.append(Seen(message.role, text, message.calls))
            else:
                name, call_id = message.result.name, message.result.call_id or ""
                seen.append(Seen("tool", views[i].text, tool=name, call_id=call_id))
        return seen

    def carry_out(self, move: Move) -> str | None:
        """What the driver asked for, done; why the run is over, if it is."""
        self.requests += 1
        calls = tuple(
            ToolCall(step.name, serialize(_plain(step.arguments)).decode(), f"call-{len(self.messages)}-{n}")
            for n, step in enumerate(move.calls)
        )
        at = len(self.messages)
        self.retries += move.retries
        said = Message(
            "assistant",
            move.text,
            calls,
            message_id=f"{self.name}/{self.requests}",
            usage=move.usage,
            time=START + self.requests,
        )
        self.messages.append(said)
        if move.failed or not calls:
            return move.failed or "answered"
        for n, step in enumerate(move.calls):
            output = call_tool(self.tools, self.world, step.name, self.uptake.resolve(self.world, step))
            tool = next((t for t in self.tools if t.name == step.name), None)
            is_json = tool is not None and tool.returns_json and not output.is_error
            result = ToolResult(
                output.text, step.name, calls[n].call_id, (at, n), is_json, output.is_error, exit_code=output.exit_code
            )
            self.messages.append(Message("tool", result=result, time=START + self.requests))
        self._keep(at + 1)
        self.moves.append(move.calls)
        if self.moves[-MOST_SAME:] == [move.calls] * MOST_SAME:
            return "circle"
        return "limit" if self.requests >= MOST_REQUESTS else None

    def _keep(self, start: int) -> None:
        """The account with the results that have just arrived, and what the policy holds of them."""
        _, self.account = _accounts(self.transcript(Message("assistant")), self.policy, self.counting)
        parse = str(self.policy.settings.get("parse", "recorded"))
        for i in range(start, len(self.messages)):
            result = self.messages[i].result
            assert result is not None
            view = self.account.admitted[i]
            self.uptake.offer(view, self.task.need)
            self.world.keep(view, i, result, parse)


def _plain(value: object) -> JsonValue:
    return orjson.loads(orjson.dumps(value))
