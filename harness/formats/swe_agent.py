"""SWE-agent trajectories (`.traj`), of function-calling and of text-only models.

Source: SWE-agent/SWE-agent@3ea751c `docs/usage/trajectories.md`, `sweagent/types.py`. `history` is what the
model saw; the copies of it in every step are used only to learn which earlier messages the agent shortened
before a request. Demonstrations (`is_demo`) are prompt: their answers were no requests and their observations
are plain text. A text-only model's command is taken out of the answer's text, so that nothing counts twice;
its first word is the tool where SWE-agent has one of that name, else the tool is `bash`. The observation that
ends a run stands in no prompt and is left out unless `history` has it. Only the run's total usage is
recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import calls_of, content_of, reasoning_of
from harness.formats.instances import repository_of
from harness.formats.json_text import Unreadable, parse
from harness.formats.outcomes import limits_of, spent, used
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.transcript import Cut, Message, Outcome, ToolCall, Totals, Transcript

SHELL = "bash"
COMMANDS = {
    "connect_exec", "connect_sendline", "connect_start", "connect_stop", "create", "debug_add_breakpoint",
    "debug_continue", "debug_exec", "debug_start", "debug_step", "debug_stop", "decompile", "disassemble",
    "edit", "exit_forfeit", "filemap", "find_file", "goto", "image_view", "insert", "open", "scroll_down",
    "scroll_up", "search_dir", "search_file", "str_replace_editor", "submit", "undo_edit", "view_image",
}  # fmt: skip
NO_PREFIXES = "which earlier results later prompts left out"


class SweAgent:
    name = "swe-agent"

    def sniff(self, head: Head) -> bool:
        if head.kind != "object" or not {"trajectory", "history"} <= head.keys:
            return False
        return isinstance(head.records[0]["trajectory"], list) and isinstance(head.records[0]["history"], list)

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where a trajectory belongs")
        problems = Assembly(source.name)
        record = Record(document, source.name, problems.problems.append)
        history = list(record.records("history"))
        agents = list(dict.fromkeys(item.string("agent") for item in history))
        names = own_names(source.name)
        for number, agent in enumerate(agents, 1):
            run = _Run(source.name, record)
            run.assembly.problems += problems.problems if number == 1 else []
            for item in history:
                if item.string("agent") == agent:
                    run.take(item)
            name = source.name if len(agents) == 1 else names(agent, number)
            yield run.finish(name, self.name, _instance(source.base))


class _Run:
    def __init__(self, place: str, document: Record) -> None:
        self.assembly = Assembly(place)
        self.document = document
        self.cuts: list[Cut] = []
        self.steps = list(document.records("trajectory"))
        self.prompts = [_prompt_of(self.steps, k) for k in range(len(self.steps))]
        self.history: list[int] = []
        self.shown: list[int] = []
        self.shortened: dict[tuple[int, str], int] = {}
        self.requests = 0
        self.pending = False

    def take(self, item: Record) -> None:
        role = item.string("role")
        text, images = content_of(item)
        demo = item.boolean("is_demo") is True
        if role == "assistant" and not demo:
            self._answer(item, text, images)
        elif role == "assistant":
            shown = "\n".join([text, *(f"{call.name} {call.arguments}" for call in calls_of(item))])
            self._put(self.assembly.add(Message("assistant", shown, images=images, copied=True)))
        elif not demo and (role == "tool" or (role == "user" and self.pending)):
            ids = [i for i in item.array("tool_call_ids") if isinstance(i, str)]
            call_id = ids[0] if ids else item.text("tool_call_id")
            self._put(self.assembly.answer(text, call_id=call_id, images=images))
            self.pending = False
        elif role in ("system", "user", "tool"):
            kind = Message("system" if role == "system" else "user", text, images=images)
            self._put(self.assembly.add(kind))
        else:
            item.problem(f"unknown role {role!r:.60}")

    def _put(self, index: int) -> None:
        self.history.append(index)
        self.shown.append(index)

    def _answer(self, item: Record, text: str, images: int) -> None:
        calls = calls_of(item)
        action = item.string("action").strip()
        self.pending = not calls and bool(action)
        if self.pending:
            text, calls = _apart(text, action)
        thoughts = "".join(block.string("thinking") for block in item.records("thinking_blocks"))
        self._see_what_was_shown()
        answer = Message("assistant", text, calls=calls, reasoning=thoughts or reasoning_of(item), images=images)
        self._put(self.assembly.add(answer))
        self.requests += 1

    def _see_what_was_shown(self) -> None:
        """Before a request: where the step's own copy of the prompt differs, the prompt was rewritten."""
        prompt = self.prompts[self.requests] if self.requests < len(self.prompts) else None
        if prompt is None or len(prompt) != len(self.history):
            return
        shown = [
            self._as_shown(index, text, images) for index, (text, images) in zip(self.history, prompt, strict=True)
        ]
        if shown != self.shown:
            self.cuts.append(Cut(len(self.assembly.messages), tuple(shown), "cleared"))
            self.shown = shown

    def _as_shown(self, index: int, text: str, images: int) -> int:
        """The message itself, or one with the text that stood in its place."""
        message = self.assembly.messages[index]
        own = message.result.content if message.result is not None else message.text
        if message.role not in ("user", "tool") or text == own:
            return index
        if (index, text) not in self.shortened:
            self.shortened[index, text] = self.assembly.add(Message("user", text, images=images))
        return self.shortened[index, text]

    def finish(self, name: str, format_name: str, instance: str) -> Transcript:
        info = self.document.record("info")
        stats = info.record("model_stats")
        sent, received = stats.integer("tokens_sent"), stats.integer("tokens_received")
        notes = (f"the whole run: {sent:,} tokens sent, {received or 0:,} received",) if sent else ()
        return self.assembly.transcript(
            name,
            format_name,
            cluster=repository_of(instance),
            cuts=tuple(self.cuts),
            resends_reasoning=any("thinking_blocks" in item for item in self.document.records("history")),
            unknown=() if any(p is not None for p in self.prompts) else (NO_PREFIXES,),
            notes=notes,
            task=instance,
            agent="SWE-agent",
            version=info.string("swe_agent_version"),
            outcome=Outcome(None, None, info.string("exit_status"), _limits(self.document)),
            totals=Totals(used(stats.raw("api_calls")), used(sent), used(received), spent(stats.raw("instance_cost"))),
        )


def _prompt_of(steps: list[Record], k: int) -> list[tuple[str, int]] | None:
    """The messages of request k as text and images: the step's `query`, or what the step before left
    behind."""
    holder, key = (steps[k], "query") if "query" in steps[k] else (steps[k - 1], "messages") if k else (None, "")
    if holder is None or not isinstance(holder.raw(key), list):
        return None
    return [content_of(message) for message in holder.records(key)]


def _apart(text: str, action: str) -> tuple[str, tuple[ToolCall, ...]]:
    """An answer's text without its command, and the command as a call."""
    at = text.rfind(action)
    if at >= 0:
        text = text[:at] + text[at + len(action) :]
    word, _, rest = action.partition(" ")
    if word in COMMANDS:
        return text, (ToolCall(word, rest),)
    return text, (ToolCall(SHELL, action),)


def _limits(document: Record) -> tuple[tuple[str, float], ...]:
    """Of the configuration that the agent ran with, which is kept as text in newer versions."""
    config = document.raw("replay_config")
    if isinstance(config, str):
        try:
            config = parse(config.encode("utf-8", "surrogatepass"))
        except Unreadable:
            return ()
    whole = Record(config if isinstance(config, dict) else {}, document.at("replay_config"), document.report)
    model = whole.record("agent").record("model")
    return limits_of({"requests": model.raw("per_instance_call_limit"), "usd": model.raw("per_instance_cost_limit")})


def _instance(base: str) -> str:
    return base.removesuffix(".gz").removesuffix(".json").removesuffix(".traj")
