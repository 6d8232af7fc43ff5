"""mini-swe-agent trajectories (`.traj.json`) of version 1 and 2, and the bare lists of messages in its
fixtures.

Source: SWE-agent/mini-swe-agent@a83fcae `docs/usage/output_files.md`, `agents/default.py::serialize`. In
version 1 the one fenced block of an answer is the call and the next user message its result; the command is
taken out of the message's text, so that nothing counts twice. An answer without exactly one block is refused:
the reply is a user message, and no tool was called. In version 2 the calls are `tool_calls`, items of a
Responses `output` or `extra.actions`. What the submitting command printed is the patch; no model saw it. Of
version 2 no real file was found; its shapes are read from the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects import openai_responses as responses_items
from harness.formats.dialects.openai_chat import ROLES, calls_of, content_of, reasoning_of
from harness.formats.instances import repository_of
from harness.formats.json_text import Unreadable
from harness.formats.outcomes import limits_of, spent, used
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Message, Outcome, ToolCall, Totals, Transcript

TOOL = "bash"
NEW_FENCE = "mswea_bash_command"
SUBMISSIONS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_RETURN_CODE = re.compile(r"\s*<returncode>(-?\d{1,9})</returncode>")


class MiniSweAgent:
    name = "mini-swe-agent"

    def sniff(self, head: Head) -> bool:
        if head.kind == "array":
            return is_mini({"messages": list(head.records)})
        return head.kind == "object" and is_mini(head.records[0])

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if isinstance(document, list):
            document = {"messages": document}
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a trajectory belongs")
        run = _Run(Assembly(source.name), document)
        yield run.read(source.name, self.name)


def is_observation(message: dict[str, Any]) -> bool:
    """Whether a chat message is a command's result as mini-swe-agent renders it for text-based models."""
    content = message.get("content")
    return message.get("role") == "user" and isinstance(content, str) and bool(_RETURN_CODE.match(content))


def is_mini(record: dict[str, Any]) -> bool:
    """Whether an object is a trajectory, or a conversation that this agent had."""
    said = record.get("trajectory_format")
    if isinstance(said, str):
        return said.startswith("mini-swe-agent")
    messages = record.get("messages")
    start = messages[:20] if isinstance(messages, list) else []
    return any(isinstance(message, dict) and is_observation(message) for message in start)


class _Run:
    def __init__(self, assembly: Assembly, document: dict[str, Any]) -> None:
        self.assembly = assembly
        self.record = Record(document, assembly.place, assembly.problems.append)
        self.messages = list(self.record.records("messages"))
        self.info = self.record.record("info")
        prompts = "".join(content_of(m)[0] for m in self.messages[:2] if "content" in m)
        self.fence = NEW_FENCE if NEW_FENCE in prompts else TOOL
        self.pending = False
        self.refused = 0

    def read(self, name: str, format_name: str) -> Transcript:
        for position, message in enumerate(self.messages):
            self._message(message, is_last=position == len(self.messages) - 1)
        notes = (f"{self.refused} refused answers are not in the recording",) if self.refused else ()
        model = self.info.record("config").record("model").text("model_name")
        return self.assembly.transcript(
            name,
            format_name,
            cluster=repository_of(self.record.string("instance_id")),
            model=model,
            notes=notes,
            task=self.record.string("instance_id"),
            agent="mini-swe-agent",
            version=self.info.string("mini_version"),
            outcome=Outcome(None, None, self.info.string("exit_status"), self._limits()),
            totals=Totals(
                used(self.info.record("model_stats").raw("api_calls")),
                usd=spent(self.info.record("model_stats").raw("instance_cost")),
            ),
        )

    def _limits(self) -> tuple[tuple[str, float], ...]:
        agent = self.info.record("config").record("agent")
        return limits_of({"steps": agent.raw("step_limit"), "usd": agent.raw("cost_limit")})

    def _message(self, message: Record, is_last: bool) -> None:
        said = message.raw("role")
        role = ROLES.get(said) if isinstance(said, str) else None
        if message.raw("object") == "response":
            items = list(message.records("output"))
            responses_items.add_answer(self.assembly, items, self._framed(message, Message("assistant")))
            self.pending = False
        elif message.raw("type") == "function_call_output" or role == "tool":
            self._result(message)
        elif role == "assistant":
            self._answer(message)
        elif said == "exit" or (is_last and self._is_submission(message)):
            return
        elif role == "user" and self._is_reply_to_call(message):
            self._result(message)
        elif role in ("system", "user"):
            text, images = content_of(message)
            self.assembly.add(Message(role, text, images=images, time=_time(message)))
        else:
            message.problem(f"unknown role {said!r:.60}")

    def _answer(self, message: Record) -> None:
        text, images = content_of(message)
        calls = calls_of(message)
        self.pending = not calls
        if not calls:
            text, calls = self._calls_in_text(message, text)
            self.pending = bool(calls)
        answer = Message("assistant", text, calls=calls, reasoning=reasoning_of(message), images=images)
        self.assembly.add(self._framed(message, answer))

    def _calls_in_text(self, message: Record, text: str) -> tuple[str, tuple[ToolCall, ...]]:
        extra = message.record("extra")
        if "actions" in extra:
            commands = [action.string("command") for action in extra.records("actions")]
        else:
            commands = fenced(text, self.fence)
            if len(commands) != 1:
                return text, ()
        for command in commands:
            at = text.rfind(command)
            if at >= 0:
                before = text[:at].removesuffix(f"{TOOL}\n") + "\n" * text[:at].endswith(f"{TOOL}\n")
                text = before + text[at + len(command) :]
        return text, tuple(ToolCall(TOOL, command) for command in commands)

    def _framed(self, message: Record, answer: Message) -> Message:
        response = message.record("extra").record("response")
        choice = next(iter(response.records("choices")), None)
        thought = reasoning_of(choice.record("message")) if choice is not None else ""
        return replace(
            answer,
            reasoning=answer.reasoning or thought,
            message_id=response.text("id") or message.text("id"),
            model=response.text("model") or message.text("model"),
            time=_time(message),
            usage=usage_of(response.record("usage")) or usage_of(message.record("usage")),
        )

    def _result(self, message: Record) -> None:
        body = message
        if "output" in message:
            body = Record({"content": message.raw("output")}, message.place, message.report)
        text, images = content_of(body)
        extra = message.record("extra")
        code = extra.raw("returncode")
        found = _RETURN_CODE.match(text)
        at = self.assembly.answer(
            text,
            call_id=message.text("tool_call_id") or message.text("call_id"),
            images=images,
            exit_code=code if isinstance(code, int) else int(found[1]) if found else None,
            time=_time(message),
        )
        raw = extra.text("raw_output")
        result = self.assembly.messages[at].result
        if raw is not None and result is not None and result.clipped is not None and len(raw) > len(text):
            self.assembly.messages[at] = replace(self.assembly.messages[at], result=replace(result, whole=raw))

    def _is_reply_to_call(self, message: Record) -> bool:
        extra = message.record("extra")
        if extra.raw("interrupt_type") is not None:
            self.refused += "response" in extra
            return False
        found, self.pending = self.pending, False
        return found

    def _is_submission(self, message: Record) -> bool:
        if not self.assembly.messages or is_observation(message.value):
            return False
        last = self.assembly.messages[-1]
        submits = any(word in call.arguments for call in last.calls for word in SUBMISSIONS)
        return self.info.raw("exit_status") == "Submitted" or submits


def fenced(text: str, fence: str) -> list[str]:
    """The commands in a text's blocks of that fence, stripped, as the agent finds them."""
    opening = re.compile(rf"```{re.escape(fence)}\s*\n")
    found: list[str] = []
    at = 0
    while start := opening.search(text, at):
        first_line = text.index("\n", start.start()) + 1
        end = text.find("\n```", max(start.end() - 1, first_line))
        if end < 0:
            break
        found.append(text[start.end() : end].strip())
        at = end + 4
    return found


def _time(message: Record) -> float | None:
    extra = message.record("extra")
    return extra.time("timestamp") or extra.record("response").time("created")
