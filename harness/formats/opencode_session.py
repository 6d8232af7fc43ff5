"""One OpenCode session: its messages and parts in, a transcript out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from harness.formats.assembly import Assembly
from harness.formats.cuts import Cuts, Kind
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.source import Source
from harness.formats.thinking import LEFT_OUT, resends_thinking
from harness.formats.usage import additive
from harness.transcript import Message, Problem, ToolCall, Transcript, Usage

SAVED = re.compile(r"Full output saved to: [^\n]*?([\w.-]+)[ \t]*$", re.MULTILINE)
TRUNCATED = "OpenCode: cut, says its metadata"
LARGEST = 64 << 20
NOT_SHOWN = frozenset({"step-start", "step-finish", "snapshot", "patch", "agent", "retry", "subtask", "compaction"})
INLINED = ("text/", "application/x-directory")  # such files stand in parts of their own as text


@dataclass
class Part:
    id: str
    fields: Record


@dataclass
class Turn:
    """A message with its parts."""

    id: str
    fields: Record
    parts: list[Part]


@dataclass
class Step:
    """What the model made in one request."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    tools: list[Record] = field(default_factory=list)
    usage: Usage | None = None

    def __bool__(self) -> bool:
        return bool(self.texts or self.thoughts or self.tools)


class Session:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.turns: list[Turn] = []
        self.assembly = Assembly(source.name)
        self.info = Record({}, source.name, self.problem)
        self._cuts = Cuts(self.assembly)
        self._shown: list[int] = []
        self._cleared: list[tuple[float, int]] = []  # results that the client took out later, and when
        self._counts: Counter[str] = Counter()

    def problem(self, problem: Problem) -> None:
        self.assembly.problems.append(problem)

    def transcript(self, format_name: str, transcript_id: str, parent: str | None) -> Transcript:
        files = _saved_files(self.source)
        for turn in self.turns:
            self._clear_before(turn)
            if turn.fields.string("role") == "assistant":
                self._answer(turn, files)
            elif turn.fields.string("role") == "user":
                self._prompt(turn)
            else:
                turn.fields.problem(f"unknown role {turn.fields.raw('role')!r:.60}")
        answers = [m for m in self.assembly.messages if m.role == "assistant"]
        model = next((m.model for m in answers if m.model), None)
        resends = resends_thinking(model)
        thought = any(m.reasoning for m in answers)
        root = next((r for turn in self.turns if (r := turn.fields.record("path").string("root"))), "")
        return self.assembly.transcript(
            transcript_id,
            format_name,
            cluster=self.info.string("directory") or root,
            model=model,
            cuts=self._cuts.of(len(self.assembly.messages)),
            resends_reasoning=resends,
            parent=parent,
            unknown=(LEFT_OUT,) if thought and not resends else (),
            notes=tuple(f"{count} {what}" for what, count in sorted(self._counts.items())),
        )

    def _add(self, message: Message) -> int:
        at = self.assembly.add(message)
        self._shown.append(at)
        return at

    def _cut(self, kind: Kind, keep: list[int]) -> None:
        self._cuts.add(len(self.assembly.messages), keep, kind)
        self._shown = list(keep)

    def _clear_before(self, turn: Turn) -> None:
        """Leave out the results that the client had taken out of the prompt by the time of this message."""
        time = turn.fields.record("time").time("created")
        gone = {at for when, at in self._cleared if time is not None and when <= time}
        if gone:
            self._cleared = [(when, at) for when, at in self._cleared if at not in gone]
            keep = [i for i in self._shown if i not in gone]
            if len(keep) < len(self._shown):
                self._cut("cleared", keep)

    def _prompt(self, turn: Turn) -> None:
        texts: list[str] = []
        images = 0
        for part in turn.parts:
            kind = part.fields.string("type")
            if kind == "text" and part.fields.raw("ignored") is not True:
                texts.append(part.fields.string("text"))
            elif kind == "file":
                images += not part.fields.string("mime").startswith(INLINED)
            elif kind != "text" and kind not in NOT_SHOWN:
                part.fields.problem(f"unknown kind of part {kind!r:.60}")
        time = turn.fields.record("time").time("created")
        self._add(Message("user", "\n".join(texts), images=images, message_id=turn.id or None, time=time))

    def _answer(self, turn: Turn, files: dict[str, Path]) -> None:
        """An answer of the model; earlier versions put all steps up to the next prompt into one message."""
        prompt = len(self.assembly.messages) - 1
        steps = _steps(turn)
        if not steps and turn.fields.raw("error") is not None:
            self._counts["answers that failed, left out"] += 1
            return
        for number, step in enumerate(steps or [Step()]):
            last = number == len(steps) - 1
            usage = step.usage or (_usage(turn.fields.record("tokens")) if len(steps) <= 1 else None)
            time = turn.fields.record("time").time("completed" if last or not steps else "created")
            self._add(
                Message(
                    "assistant",
                    "\n".join(step.texts),
                    calls=tuple(map(_call, step.tools)),
                    reasoning="\n".join(step.thoughts),
                    message_id=turn.id or None,
                    model=turn.fields.string("modelID") or None,
                    time=time,
                    usage=usage,
                )
            )
            for tool in step.tools:
                self._result(tool, files)
        if turn.fields.raw("summary") is True:
            self._cut("compacted", list(range(max(prompt, 0), len(self.assembly.messages))))

    def _result(self, tool: Record, files: dict[str, Path]) -> None:
        state = tool.record("state")
        status = state.string("status")
        if status not in ("completed", "error"):
            return
        content = _text(state, "output" if status == "completed" else "error")
        metadata, times = state.record("metadata"), state.record("time")
        asked = tool.string("tool") == "read" and "limit" in state.record("input")
        at = self.assembly.answer(
            content,
            call_id=tool.string("callID") or None,
            name=tool.string("tool"),
            is_error=status == "error",
            clipped=TRUNCATED if metadata.raw("truncated") is True and not asked else None,
            whole=_whole(content, files),
            exit_code=metadata.integer("exit") if isinstance(metadata.raw("exit"), int) else None,
            images=sum(not f.string("mime").startswith(INLINED) for f in state.records("attachments")),
            time=times.time("end"),
        )
        self._shown.append(at)
        compacted = times.time("compacted")
        if compacted is not None:
            self._cleared.append((compacted, at))


def _steps(turn: Turn) -> list[Step]:
    steps = [Step()]
    for part in turn.parts:
        kind = part.fields.string("type")
        if kind == "step-start" and steps[-1]:
            steps.append(Step())
        elif kind == "text":
            if part.fields.raw("ignored") is not True:
                steps[-1].texts.append(part.fields.string("text"))
        elif kind == "reasoning":
            steps[-1].thoughts.append(part.fields.string("text"))
        elif kind == "tool":
            steps[-1].tools.append(part.fields)
        elif kind == "step-finish":
            steps[-1].usage = _usage(part.fields.record("tokens"))
        elif kind not in NOT_SHOWN and kind != "file":
            part.fields.problem(f"unknown kind of part {kind!r:.60}")
    return [step for step in steps if step]


def _call(tool: Record) -> ToolCall:
    return ToolCall(tool.string("tool"), compact(tool.record("state").raw("input")), tool.string("callID") or None)


def _text(state: Record, key: str) -> str:
    value = state.raw(key)
    return value if isinstance(value, str) else "" if value is None else compact(value)


def _usage(tokens: Record) -> Usage | None:
    """`input` is what the cache neither gave nor took, and `output` what was not reasoning, unless the total says that
    it holds it."""
    fresh, made, thought, total = (tokens.integer(key) for key in ("input", "output", "reasoning", "total"))
    read, written = (tokens.record("cache").integer(key) for key in ("read", "write"))
    if made is not None and total != (fresh or 0) + (read or 0) + (written or 0) + made:
        made += thought or 0
    return additive(fresh, read, written, made)


def _saved_files(source: Source) -> dict[str, Path]:
    """The files in which the client kept whole results, by name."""
    for folder in (source.sibling("tool-output"), source.sibling("..", "tool-output")):
        if folder is not None and folder.is_dir():
            return {f.name: f for f in sorted(folder.iterdir()) if f.is_file() and not f.is_symlink()}
    return {}


def _whole(content: str, files: dict[str, Path]) -> str | None:
    """The whole value of a result that names one of the client's own files. The path in it is never opened."""
    named = SAVED.search(content) if files else None
    file = files.get(named[1]) if named else None
    if file is None or file.stat().st_size > LARGEST:
        return None
    return file.read_bytes().decode("utf-8", "replace")
