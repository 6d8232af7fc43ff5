"""One Codex run: its lines in, messages and cuts out."""

from __future__ import annotations

from collections import Counter

from harness.formats.assembly import Assembly
from harness.formats.codex_items import Made, add_made, content_of, is_made, output_of
from harness.formats.cuts import Cuts, Kind
from harness.formats.record import Record
from harness.formats.usage import contained
from harness.transcript import Message, Role, Transcript, Usage

ITEM_KINDS = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "local_shell_call"}
    | {"custom_tool_call_output", "web_search_call", "tool_search_call", "tool_search_output", "agent_message"}
    | {"image_generation_call", "compaction", "compaction_summary", "context_compaction"}
)
NOT_SENT = frozenset({"ghost_snapshot", "other"})
ROLES: dict[str, Role] = {"user": "user", "developer": "system", "system": "system"}


class CodexRun:
    """Messages in their order. `_made` collects the items of the request that is open."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.assembly = Assembly(name)
        self.cuts = Cuts(self.assembly)
        self.counts: Counter[str] = Counter()
        self._shown: list[int] = []
        self._made: Made | None = None
        self._time: float | None = None
        self._usage: Usage | None = None
        self._total = 0
        self._model: str | None = None
        self._turns: list[int] = []
        self._meta: Record | None = None
        self._replayed = False  # whether items are those that a compaction kept, which no request made

    @property
    def holds_messages(self) -> bool:
        return self._made is not None or any(m.role != "system" for m in self.assembly.messages)

    def line(self, record: Record) -> None:
        """Take in one line."""
        time = record.time("timestamp")
        if not isinstance(record.raw("payload"), dict):
            if record.string("type") in ITEM_KINDS:
                self._item(record, time)
            elif "instructions" in record and self._meta is None:
                self._begin(record, record, time)
            return
        kind, payload = record.string("type"), record.record("payload")
        if kind == "session_meta":
            if self._meta is None:
                self._begin(record, payload, time)
        elif kind == "response_item":
            self._item(payload, time)
        elif kind == "turn_context":
            self._model = payload.string("model") or self._model
        elif kind == "event_msg":
            self._event(payload)
        elif kind == "compacted":
            self._compacted(payload, time)

    def transcript(self, format_name: str, parent: str | None) -> Transcript:
        self._close()
        requests = sum(m.role == "assistant" and not m.copied for m in self.assembly.messages)
        told = self.counts.pop("usage events", 0)
        if told and told != requests:
            self.counts[f"usage events for {requests} requests"] = told
        meta = self._meta
        git = meta.record("git").string("repository_url") if meta else ""
        sealed = any(m.encrypted for m in self.assembly.messages)
        return self.assembly.transcript(
            self.name,
            format_name,
            cluster=git or (meta.string("cwd") if meta else ""),
            cuts=self.cuts.of(len(self.assembly.messages)),
            parent=parent,
            unknown=("tokens of encrypted reasoning",) if sealed else (),
            notes=tuple(f"{count} {what}" for what, count in sorted(self.counts.items()) if count),
            session=meta.string("id") if meta else "",
            forked_from=self._origin(),
        )

    def _begin(self, record: Record, meta: Record, time: float | None) -> None:
        self._meta = meta
        base = meta.raw("base_instructions")
        text = meta.string("base_instructions") if isinstance(base, str) else ""
        text = text or (meta.record("base_instructions").string("text") if isinstance(base, dict) else "")
        if text:
            self._add(Message("system", text, time=time))

    def _spawn(self) -> Record | None:
        source = self._meta.raw("source") if self._meta else None
        if not isinstance(source, dict) or "subagent" not in source or self._meta is None:
            return None
        agent = self._meta.record("source")
        return agent.record("subagent") if isinstance(agent.raw("subagent"), dict) else agent

    def parent_thread(self) -> str | None:
        """The id of the thread that started this one; a file's name ends with its thread's id."""
        spawn = self._spawn()
        if spawn is None or self._meta is None:
            return None
        parent = self._meta.string("parent_thread_id")
        return parent or spawn.record("thread_spawn").string("parent_thread_id") or None

    def _origin(self) -> str:
        """The id of the thread whose history this one began with."""
        if self._meta is None:
            return ""
        return self._meta.string("forked_from_id") or self.parent_thread() or ""

    def _item(self, item: Record, time: float | None) -> None:
        kind = item.string("type")
        if is_made(item):
            if self._made is None:
                self._made, self._time, self._usage = Made(copied=self._replayed, model=self._model), None, None
            self._time = self._time if time is None else time
            add_made(self._made, item)
        elif kind.endswith("_output"):
            self._close()
            output = output_of(item)
            self._shown.append(
                self.assembly.answer(
                    output.content,
                    call_id=output.call_id,
                    is_json=output.is_json,
                    is_error=output.is_error,
                    exit_code=output.exit_code,
                    images=output.images,
                    copied=self._replayed,
                    time=time,
                )
            )
        elif kind in ("message", "agent_message"):
            self._close()
            role = ROLES.get(item.string("role") or "user")
            if role is None:
                item.problem(f"unknown role {item.string('role')!r:.60}")
                return
            text, images = content_of(item, "content")
            self._add(Message(role, text, images=images, copied=self._replayed, time=time))
        elif kind in ITEM_KINDS:
            self._close()
            self._add(Message("user", encrypted=1, copied=self._replayed, time=time))
        elif kind not in NOT_SENT:
            self.counts[f"items of the unknown kind {kind!r:.60}"] += 1

    def _event(self, event: Record) -> None:
        kind = event.string("type")
        if kind == "token_count" and isinstance(event.raw("info"), dict):
            self._count(event.record("info"))
        elif kind == "user_message":
            self._turns.append(self._latest_prompt())
        elif kind == "turn_aborted":
            self.counts["turns that the user broke off"] += 1
        elif kind == "thread_rolled_back":
            self._roll_back(event.integer("num_turns") or 0)

    def _count(self, info: Record) -> None:
        """Usage of the latest request. An event that repeats the total, as after a resume, tells nothing new."""
        total = info.record("total_token_usage").integer("total_tokens") or 0
        last = info.record("last_token_usage")
        if total == self._total or self._replayed:
            self._total = total
            return
        if self._total + (last.integer("total_tokens") or 0) != total:
            self.counts["usage events whose parts do not add up to the total"] += 1
        self._total = total
        self.counts["usage events"] += 1
        usage = contained(
            last.integer("input_tokens"),
            last.integer("cached_input_tokens"),
            last.integer("cache_write_input_tokens"),
            last.integer("output_tokens"),
        )
        if usage is None:
            return
        if self._made is not None:
            self._usage = usage
        elif self.assembly.messages and self.assembly.messages[-1].usage is None:
            self.assembly.amend_last_request(usage=usage)

    def _close(self) -> None:
        """The open request is over: its message."""
        made = self._made
        if made is None:
            return
        self._made = None
        self._add(
            Message(
                "assistant",
                "\n".join(made.texts),
                calls=tuple(made.calls),
                reasoning="\n".join(made.reasoning),
                images=made.images,
                encrypted=made.encrypted,
                copied=made.copied,
                model=made.model,
                time=self._time,
                usage=self._usage,
            )
        )

    def _add(self, message: Message) -> None:
        self._shown.append(self.assembly.add(message))

    def _cut(self, kind: Kind, keep: list[int]) -> None:
        self.cuts.add(len(self.assembly.messages), keep, kind)
        self._shown = list(keep)

    def _compacted(self, payload: Record, time: float | None) -> None:
        """A compaction: what stands in the prompt from here on is recorded as items; before, it was the
        instructions, the user's own messages and the summary."""
        self._close()
        if self.cuts.full:
            return
        messages = self.assembly.messages
        if isinstance(payload.raw("replacement_history"), list):
            base = [i for i in self._shown[:1] if messages[i].role == "system" and i == 0]
            self._cut("compacted", base)
            copied, self._replayed = self._replayed, True
            for item in payload.records("replacement_history"):
                self._item(item, time)
            self._close()
            self._replayed = copied
            return
        self._cut("compacted", [i for i in self._shown if messages[i].role in ("system", "user")])
        if payload.string("message"):
            self._add(Message("user", payload.string("message"), copied=self._replayed, time=time))

    def _latest_prompt(self) -> int:
        """Where the latest turn begins: the user's message, recorded just before the event that announces it."""
        messages = self.assembly.messages
        last = len(messages) - 1
        return last if self._made is None and messages and messages[last].role == "user" else len(messages)

    def _roll_back(self, turns: int) -> None:
        """The user took back turns."""
        self._close()
        if self.cuts.full or not 0 < turns <= len(self._turns):
            return
        start = self._turns[-turns]
        del self._turns[-turns:]
        self._cut("rewound", [i for i in self._shown if i < start])
