"""The scripted agent: its calls really run, and it records what it says, calls and sees."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.loop.environment import tools
from harness.loop.environment.dice import Dice
from harness.loop.environment.workspace import FILES_DATE, Workspace
from harness.transcript import Message, ToolCall, ToolResult, Transcript
from tasks.transcripts.maker.dialects import DIALECTS, Kind
from tasks.transcripts.maker.needs import Need, Seen, found_in, stands_in

SYSTEM = (
    "You are a careful engineer who works in {folder} through the tools given to you. Look before you change "
    "anything, change as little as possible, and end with a short report of what you found and did."
)
MODEL = "scripted"
START = 1_742_200_000
"""First second of the simulated clock: March 2025."""


@dataclass(frozen=True)
class Call:
    """One tool call to make."""

    kind: Kind
    arguments: Mapping[str, Any]


def sh(command: str) -> Call:
    return Call("sh", {"command": command})


def read(path: str, offset: int | None = None, limit: int | None = None) -> Call:
    window = {"offset": offset, "limit": limit}
    return Call("read", {"path": path, **{k: v for k, v in window.items() if v is not None}})


def write(path: str, content: str) -> Call:
    return Call("write", {"path": path, "content": content})


def edit(path: str, old: str, new: str) -> Call:
    return Call("edit", {"path": path, "old": old, "new": new})


def sql(database: str, statement: str) -> Call:
    return Call("sql", {"database": database, "sql": statement})


def get(path: str) -> Call:
    return Call("get", {"path": path})


def post(path: str, body: Mapping[str, Any]) -> Call:
    return Call("post", {"path": path, "body": body})


@dataclass(frozen=True)
class Planted:
    """A need, and the request (from 1) whose action bears it. also_in: other results, by number, that hold it too."""

    request: int
    action: str
    need: Need
    also_in: tuple[int, ...]


@dataclass
class Agent:
    """One run in the making. `service` is the address of the JSON service, where the run has one."""

    run: str
    task: str
    format: str
    workspace: Workspace
    kinds: Sequence[Kind]
    service: str = ""
    messages: list[Message] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)
    clock: float = START

    def __post_init__(self) -> None:
        self.dialect = DIALECTS[self.format]
        self.dice = Dice(self.run)
        self.requests = 0
        self.results: list[str] = []
        self.types: list[str] = []
        self.said: list[str] = [self.dialect.definition(kind) for kind in self.kinds]
        self.clock += Dice(f"start {self.run}").below(90 * 86_400)
        self.timed = self.format == "claude-code"
        if self.format != "claude-code":
            system = SYSTEM.format(folder=self.workspace.shown_as)
            self.said.append(system)
            self._add(Message(role="system", text=system))

    def user(self, text: str, after_seconds: float = 0) -> None:
        """The user speaks, `after_seconds` after the last message."""
        self.clock += after_seconds
        self.said.append(text)
        self._add(Message(role="user", text=text))

    def do(self, call: Call, say: str = "", uses: Sequence[Need] = ()) -> Seen:
        """One step with one call."""
        return self.do_all([call], say, uses)[0]

    def do_all(self, calls: Sequence[Call], say: str = "", uses: Sequence[Need] = ()) -> list[Seen]:
        """One step: text, and calls made in parallel. `uses` is what the arguments take from earlier results."""
        if not self.requests:
            self.workspace.settle(FILES_DATE)
        self.requests += 1
        given = [self.dialect.arguments(c.kind, c.arguments) for c in calls]
        names = [self.dialect.names[c.kind] for c in calls]
        for need in uses:
            bearers = [n for n, arguments in zip(names, given, strict=True) if stands_in(need, arguments)]
            if need.kind == "aggregate":
                bearers = names
            assert bearers, f"{self.run}: no call of request {self.requests} carries {need}"
            self._plant(bearers[0], need)
        texts = [json.dumps(arguments, ensure_ascii=False, separators=(",", ":")) for arguments in given]
        made = tuple(
            ToolCall(name, text, self._id("toolu_" if self.timed else "call_", f"{self.requests}.{n}"))
            for n, (name, text) in enumerate(zip(names, texts, strict=True))
        )
        self._answer_begins(say, texts)
        self._add(self._assistant(say, made))
        at = len(self.messages) - 1
        return [self._run(call, made[n], (at, n)) for n, call in enumerate(calls)]

    def answer(self, text: str, uses: Sequence[Need] = ()) -> None:
        """The last step, or the last before the user speaks again: text alone."""
        self.requests += 1
        for need in uses:
            assert need.kind == "aggregate" or stands_in(need, text), f"{self.run}: the answer lacks {need}"
            self._plant("answer", need)
        self._answer_begins(text, [])
        self._add(self._assistant(text, ()))

    def _plant(self, action: str, need: Need) -> None:
        if need.kind == "aggregate":
            self.planted.append(Planted(self.requests, action, need, ()))
            return
        for earlier in self.said:
            assert not found_in(need.text, earlier), f"{self.run}: {need.text!r} is no evidence, it was said before"
        also = (n for n, text in enumerate(self.results, 1) if n != need.result and found_in(need.text, text))
        self.planted.append(Planted(self.requests, action, need, tuple(also)))

    def _answer_begins(self, text: str, arguments: Sequence[str]) -> None:
        self.clock += round(1.5 + (len(text) + sum(map(len, arguments))) / 250, 3)
        self.said += [text, *arguments, *(v for a in arguments for v in _strings(json.loads(a)))]

    def _assistant(self, text: str, calls: tuple[ToolCall, ...]) -> Message:
        name = self._id("msg_", str(self.requests)) if self.timed else None
        return Message(role="assistant", text=text, calls=calls, message_id=name, model=MODEL if self.timed else None)

    def _run(self, call: Call, made: ToolCall, at: tuple[int, int]) -> Seen:
        output = self._output(call)
        self.workspace.settle(self.clock)
        self.clock += round(0.1 + len(output.text) / 100_000, 3)
        result = ToolResult(
            content=output.text,
            name=made.name,
            call_id=made.call_id,
            call=at,
            is_error=output.is_error if self.timed else None,
        )
        self._add(Message(role="tool", result=result))
        self.results.append(output.text)
        self.types.append(result_type(call, output))
        return Seen(len(self.results), output.text, output.is_error)

    def _output(self, call: Call) -> tools.Output:
        root, given = self.workspace.root, call.arguments
        match call.kind:
            case "sh":
                return tools.shell(root, given["command"], self.workspace.shown_as)
            case "read":
                return tools.read_file(root, given["path"], given.get("offset", 1), given.get("limit"))
            case "write":
                return tools.write_file(root, given["path"], given["content"])
            case "edit":
                return tools.edit_file(root, given["path"], given["old"], given["new"])
            case "sql":
                return tools.query(root, given["database"], given["sql"])
            case "get":
                return tools.http_get(self.service, given["path"])
            case "post":
                return tools.http_post(self.service, given["path"], given["body"])

    def _add(self, message: Message) -> None:
        self.messages.append(replace(message, time=round(self.clock, 3)) if self.timed else message)

    def _id(self, prefix: str, what: str) -> str:
        return prefix + hashlib.sha256(f"{self.run} {what}".encode()).hexdigest()[:24]

    def transcript(self) -> Transcript:
        """The run as data."""
        coding = self.format == "claude-code"
        return Transcript(
            id=self.run,
            format=self.format,
            messages=tuple(self.messages),
            cluster=self.task,
            model=MODEL,
            tools=None if coding else tuple(self.dialect.definition(kind) for kind in self.kinds),
            unknown=("usage", "system prompt", "tool definitions") if coding else ("usage", "time"),
            notes=("times come from a simulated clock",) if coding else (),
        )


_TYPES_OF_COMMANDS = (
    (r"^ls -l", "listing"),
    (r"^(find|grep -\w*[lL])\b", "paths"),
    (r"\bdiff\b", "diff"),
    (r"^grep -c|grep -c ''$|tail -n 1$", "text"),
    (r"^cat \S+\.log", "log"),
    (r"run_tests|build\.py", "log"),
    (r"^cat \S+\.csv|count\.py", "table"),
    (r"^cat \S+\.json", "json"),
    (r"^(grep|ls days)", "grep"),
)


def result_type(call: Call, output: tools.Output) -> str:
    """What kind of text a result is, told by the call that made it."""
    if not output.text:
        return "empty"
    if call.kind == "sh":
        found = (name for pattern, name in _TYPES_OF_COMMANDS if re.search(pattern, call.arguments["command"]))
        return next(found, "text")
    if output.is_error:
        return "error"
    if call.kind in ("sql", "get", "post"):
        return "json"
    return "numbered" if call.kind == "read" else "text"


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for v in value.values() for text in _strings(v)]
    return [text for v in value for text in _strings(v)] if isinstance(value, list) else []
