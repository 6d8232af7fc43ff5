"""One run of Claude Code: its lines in, messages and cuts out.

What the model was shown is not the lines one by one. The blocks of one answer are lines of their own, with the
results of its first calls between them; lines are repeated; a compaction, or a user who goes back, takes lines
out of every later prompt.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Literal

from harness.formats.assembly import Assembly
from harness.formats.branch_path import Path
from harness.formats.claude_attachments import attachment_text
from harness.formats.cuts import Cuts, Kind
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.formats.usage import usage_of
from harness.transcript import Message, ToolCall, Usage

PROVIDERS_ID = 20  # "msg_" and 24 letters; a shorter id is made by hand and may stand for several answers
SYNTHETIC = "<synthetic>"
EXIT_CODE = re.compile(r"\A(?:Error: )?Exit code (\d{1,3})(?=\n|\Z)")
MOST_BYTES_PER_TOKEN = 16


@dataclass
class Draft:
    """A message whose lines are still coming in. `role`, and for a result `call_id`, say what it is."""

    role: Literal["user", "assistant", "tool"]
    group: str
    copied: bool = False
    message_id: str | None = None
    model: str | None = None
    texts: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    blocks: set[str] = field(default_factory=set)
    images: int = 0
    encrypted: int = 0
    call_id: str | None = None
    is_json: bool = False
    is_error: bool | None = None
    whole: str | None = None
    time: float | None = None
    usage: Usage | None = None
    stopped: bool = False

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


class Thread:
    """The messages of one run, put together line by line."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.drafts: list[Draft] = []
        self.cuts = Cuts(assembly)
        self.counts: Counter[str] = Counter()
        self.cwd = ""
        self.sessions: dict[str, None] = {}  # in the order in which they were last seen
        self._shown: list[int] = []
        self._start = 0  # of what hangs together: the latest compaction
        self._path = Path()
        self._seen: set[tuple[str, int]] = set()
        self._groups_of_calls: dict[str, str] = {}
        self._answer: Draft | None = None
        self._answers: dict[str, Draft] = {}  # by the provider's id, the latest
        self._prompted = False
        self._chained = False  # whether lines name the lines that they hang on, which files made by hand do not
        self._latest = 0.0

    def line(self, record: Record) -> None:
        """Take in one line."""
        uuid = record.string("uuid")
        kind = record.string("type")
        if uuid:
            mark = (uuid, hash(compact(record.raw("message"))))
            if mark in self._seen:
                self.counts["repeated lines left out"] += 1
                return
            self._seen.add(mark)
            self._follow(uuid, record, kind)
        self.cwd = self.cwd or record.string("cwd")
        before = len(self.drafts)
        if kind == "assistant":
            self._take_answer(record, record.record("message"))
        elif kind == "user":
            self._take_user(record, record.record("message"))
        elif kind == "attachment":
            self._take_attachment(record)
        elif kind == "system":
            self._take_system(record)
        session = record.string("sessionId")
        for draft in self.drafts[before:]:
            draft.time = record.time("timestamp")
        if len(self.drafts) > before:
            self.sessions.pop(session, None)
            self.sessions[session] = None
            self._watch(self.drafts[-1].time)

    def replace_results(self, replacements: dict[str, str]) -> None:
        """Put in what stood in the prompt instead of results that the client had taken out before it sent
        them."""
        for draft in self.drafts:
            shown = replacements.get(draft.call_id or "")
            if draft.role == "tool" and shown is not None and shown != draft.text:
                draft.whole, draft.texts = draft.text, [shown]

    def finish(self) -> None:
        """Write the messages into the assembly."""
        partial = self._partial_outputs()
        for number, draft in enumerate(self.drafts):
            if draft.role == "tool":
                self._finish_result(draft)
                continue
            usage = draft.usage
            if usage is not None and number in partial:
                usage = replace(usage, output_tokens=None)
            self.assembly.add(
                Message(
                    draft.role,
                    draft.text,
                    calls=tuple(draft.calls),
                    reasoning="\n".join(draft.reasoning),
                    images=draft.images,
                    encrypted=draft.encrypted,
                    copied=draft.copied,
                    message_id=draft.message_id,
                    model=draft.model,
                    time=draft.time,
                    usage=usage,
                )
            )
        if partial:
            self.counts["output counts that are only the first event's, left out"] = len(partial)

    def _finish_result(self, draft: Draft) -> None:
        code = EXIT_CODE.match(draft.text) if draft.is_error else None
        self.assembly.answer(
            draft.text,
            call_id=draft.call_id,
            is_json=draft.is_json,
            is_error=draft.is_error,
            exit_code=int(code[1]) if code else None,
            whole=draft.whole,
            images=draft.images,
            encrypted=draft.encrypted,
            copied=draft.copied,
            time=draft.time,
        )

    def _partial_outputs(self) -> set[int]:
        """Answers whose output count cannot be: some versions record it when the answer has just begun. If most
        are so, then all."""
        sized = [
            (number, draft.usage.output_tokens, _written_bytes(draft), draft.stopped)
            for number, draft in enumerate(self.drafts)
            if draft.usage is not None and draft.usage.output_tokens is not None
        ]
        impossible = {n for n, tokens, size, _ in sized if tokens * MOST_BYTES_PER_TOKEN < size}
        telling = sum(size >= 10 * MOST_BYTES_PER_TOKEN for _, _, size, _ in sized)
        if 2 * len(impossible) > telling:
            return {n for n, _, _, stopped in sized if not stopped or n in impossible}
        return impossible

    def _watch(self, time: float | None) -> None:
        if time is not None:
            self.counts["times that go backwards"] += time < self._latest
            self._latest = max(self._latest, time)

    def _follow(self, uuid: str, record: Record, kind: str) -> None:
        """Find out whether the user had gone back before this line."""
        parent = record.string("parentUuid") or None
        results = self._call_ids(record) if kind == "user" else []
        group: str | None = None
        if kind == "assistant":
            answer = self._open_answer(record.record("message"))
            group = answer.group if answer else uuid
        elif results:
            group = self._groups_of_calls.get(results[0])
        elif kind == "user" and not record.raw("isMeta"):
            group = uuid
            if self._chained and parent is None and "parentUuid" in record and self._shown:
                self._path.restart()
                self._cut("rewound", [])
        self._chained = self._chained or parent in self._path.nodes
        turn = self._path.step(uuid, parent, group)
        if (turn.gone or turn.back) and not self.cuts.full:
            shown = set(self._shown)
            known = shown.union(range(self._start, len(self.drafts)))
            keep = [
                i
                for i in sorted(known)
                if (i in shown and self.drafts[i].group not in turn.gone) or self.drafts[i].group in turn.back
            ]
            if keep != self._shown:
                self._cut("rewound", keep)

    def _cut(self, kind: Kind, keep: list[int]) -> None:
        self.cuts.add(len(self.drafts), keep, kind)
        self._start = len(self.drafts) if kind == "compacted" else self._start
        self._shown = list(keep)
        self._answer = None

    def _call_ids(self, record: Record) -> list[str]:
        content = record.record("message").raw("content")
        blocks = content if isinstance(content, list) else []
        results = (b for b in blocks if isinstance(b, dict) and b.get("type") == "tool_result")
        return [b["tool_use_id"] for b in results if isinstance(b.get("tool_use_id"), str)]

    def _group_of(self, record: Record) -> str:
        node = self._path.nodes.get(record.string("uuid"))
        return node.group if node else ""

    def _new(self, role: Literal["user", "assistant", "tool"], group: str) -> Draft:
        draft = Draft(role, group)
        self._shown.append(len(self.drafts))
        self.drafts.append(draft)
        return draft

    def _open_answer(self, message: Record) -> Draft | None:
        """The answer that a line goes on with: the latest, if it has the same id; or, by a provider's id, an earlier
        one that still lacks what the line says. (A line that says it again belongs to a copy.)"""
        said = message.string("id")
        answer = self._answer
        if answer is not None and said and answer.message_id == said:
            return None if self._prompted and len(said) < PROVIDERS_ID else answer
        earlier = self._answers.get(said) if len(said) >= PROVIDERS_ID else None
        content = message.raw("content")
        if earlier is None or not isinstance(content, list):
            return None
        return None if any(compact(block) in earlier.blocks for block in content) else earlier

    def _take_answer(self, record: Record, message: Record) -> None:
        if record.raw("isApiErrorMessage") is True:
            self.counts["error messages of the client left out"] += 1
            return
        answer = self._open_answer(message)
        if answer is None:
            answer = self._new("assistant", self._group_of(record))
            answer.message_id = message.string("id") or None
            answer.model = message.string("model") or None
            answer.copied = answer.model == SYNTHETIC
            self._answer, self._prompted = answer, False
            self._answers[message.string("id")] = answer
        answer.time = record.time("timestamp") or answer.time
        usage = usage_of(message.record("usage"))
        if usage is not None:
            answer.usage = usage
            answer.model = message.string("model") or answer.model
        answer.stopped = answer.stopped or bool(message.raw("stop_reason"))
        if isinstance(message.raw("content"), str):
            answer.texts.append(message.string("content"))
            return
        for block in message.records("content"):
            written = compact(block.value)
            if written not in answer.blocks:
                answer.blocks.add(written)
                self._take_block(answer, block)

    def _take_block(self, answer: Draft, block: Record) -> None:
        kind = block.string("type")
        if kind == "text":
            answer.texts.append(block.string("text"))
        elif kind == "thinking":
            thought = block.string("thinking")
            answer.encrypted += not thought
            answer.reasoning += [thought] if thought else []
        elif kind == "redacted_thinking":
            answer.encrypted += 1
        elif kind.endswith("tool_use"):
            call_id = block.string("id") or None
            answer.calls.append(ToolCall(block.string("name"), compact(block.raw("input")), call_id))
            if call_id:
                self._groups_of_calls[call_id] = answer.group
        elif kind.endswith("tool_result"):
            self._take_result(block, answer.group)
        elif kind == "image":
            answer.images += 1
        else:
            block.problem(f"unknown kind of block {kind!r:.60}")

    def _take_user(self, record: Record, message: Record) -> None:
        group = self._group_of(record)
        if record.raw("isCompactSummary") is True and not self._just_cut():
            self._cut("compacted", [])
        if isinstance(message.raw("content"), str):
            self._new("user", group).texts.append(message.string("content"))
            self._prompted = self._prompted or not record.raw("isMeta")
            return
        texts: list[str] = []
        images = 0
        for block in message.records("content"):
            kind = block.string("type")
            if kind.endswith("tool_result"):
                self._take_result(block, self._groups_of_calls.get(block.string("tool_use_id"), group))
            elif kind == "text":
                texts.append(block.string("text"))
            else:
                images += 1
        if texts or images:
            draft = self._new("user", group)
            draft.texts, draft.images = texts, images
            self._prompted = self._prompted or not record.raw("isMeta")

    def _take_result(self, block: Record, group: str) -> None:
        draft = self._new("tool", group)
        draft.call_id = block.string("tool_use_id") or None
        draft.is_error = block.boolean("is_error")
        content = block.raw("content")
        if isinstance(content, str):
            draft.texts.append(content)
            return
        if isinstance(content, dict):
            draft.texts, draft.is_json = [compact(content)], True
            return
        draft.is_json = bool(content)
        for part in block.records("content"):
            kind = part.string("type")
            draft.is_json = draft.is_json and kind not in ("text", "image", "document")
            if kind == "text":
                draft.texts.append(part.string("text"))
            elif kind in ("image", "document"):
                draft.images += 1
            elif "encrypted_content" in part:
                draft.encrypted += 1
            else:
                draft.texts.append(compact(part.value))

    def _take_attachment(self, record: Record) -> None:
        text = attachment_text(record.record("attachment"))
        if text is None:
            self.counts["attachments whose text is not recorded"] += 1
        elif text:
            self._new("user", self._group_of(record)).texts.append(text)

    def _take_system(self, record: Record) -> None:
        subtype = record.string("subtype")
        if subtype == "compact_boundary":
            self._compact(record)
        elif subtype == "microcompact_boundary":
            cleared = set(map(str, record.record("microcompactMetadata").array("compactedToolIds")))
            keep = [i for i in self._shown if self.drafts[i].call_id not in cleared]
            if len(keep) < len(self._shown):
                self._cut("cleared", keep)
        elif subtype == "local_command":
            self._new("user", self._group_of(record)).texts.append(record.string("content"))

    def _compact(self, record: Record) -> None:
        """A compaction. Newer versions keep a stretch of lines as they are, behind the summary."""
        kept = record.record("compactMetadata").record("preservedSegment")
        head, anchor, tail = (kept.string(f"{end}Uuid") for end in ("head", "anchor", "tail"))
        groups = self._path.segment(head, tail)
        keep = [i for i in self._shown if self.drafts[i].group in groups]
        self._path.restart()
        self._path.step(record.string("uuid"), None, None)
        if groups and anchor:
            self._path.hang(head, anchor)
        self._cut("compacted", keep)

    def _just_cut(self) -> bool:
        return not self.drafts or self.cuts.latest_at() == len(self.drafts)


def _written_bytes(draft: Draft) -> int:
    return len(draft.text.encode("utf-8", "replace")) + sum(len(call.arguments) for call in draft.calls)
