"""`harness show`: the prompt of one request as the model would see it under a policy, or under two, side by side."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import Policy
from harness.errors import HarnessError
from harness.formats.corpus import Intake, read_transcripts
from harness.replay.ledger import Account, Counter, Framing, account_of, lay_out
from harness.transcript import Message, Transcript
from harness.views.text import count, harmless


def find_transcript(place: str, forced: str | None) -> Transcript:
    """The transcript that `FILE` or `FILE#ID` names; if that is not one, a `HarnessError` lists those there are."""
    path, wanted = Path(place), ""
    if not path.exists() and "#" in place:
        name, _, wanted = place.partition("#")
        path = Path(name)
    intake = Intake()
    found = []
    ids = []
    for transcript in read_transcripts([path], intake, forced):
        ids.append(transcript.id)
        if not wanted or transcript.id == wanted or transcript.id.partition("#")[2] == wanted:
            found.append(transcript)
    if len(found) == 1:
        return found[0]
    if not ids:
        why = "; ".join([*(w for _, w in intake.skipped), *(p.reason for p in intake.problems)])
        raise HarnessError(f"{path}: no transcript in it ({why or 'empty'})")
    listed = ", ".join(i.partition("#")[2] or i for i in ids[:12]) + (", …" if len(ids) > 12 else "")
    what = "no transcript of that id" if not found else f"{len(found)} transcripts"
    raise HarnessError(f"{place}: {what} in it; name one as FILE#ID, of: {listed}")


@dataclass(frozen=True)
class Entry:
    """One message of a prompt as it stands there."""

    index: int
    heading: str
    text: str
    tokens: int


@dataclass(frozen=True)
class PromptView:
    """A whole prompt under one policy; `tokens` includes framing and tool definitions."""

    policy: str
    request: int
    requests: int
    tokens: int
    entries: list[Entry]

    def to_record(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "request": self.request,
            "prompt_tokens": self.tokens,
            "messages": [vars(e) for e in self.entries],
        }


def view_prompt(
    transcript: Transcript, policy: Policy, request: int | None, counter: Counter, framing: Framing
) -> PromptView:
    """The prompt of a request (from 1; the last if not given)."""
    layout = lay_out(transcript, counter, framing)
    total = len(layout.requests)
    number = total if request is None else request
    if not 1 <= number <= total:
        raise HarnessError(f"{transcript.id}: no request {number}; it has requests 1 to {total}")
    account = account_of(layout, policy, counter)
    views = account.views_at(number - 1)
    shown = next(list(s) for k, (_, s) in enumerate(transcript.prompts(), 1) if k == number)
    entries = []
    for i in shown:
        message = transcript.messages[i]
        text = views[i].text if i in views else body(message, transcript.resends_reasoning)
        entries.append(Entry(i, heading(message, account, i), text, counter.count(text)))
    return PromptView(policy.label, number, total, int(account.prompt[number - 1]), entries)


def heading(message: Message, account: Account, index: int) -> str:
    """Role, tool and handle of a message."""
    if message.result is None:
        return message.role
    view = account.admitted[index]
    handle = f" = {view.handle}" if view.handle else ""
    elided = f", {count(view.elided_bytes)} bytes elided" if view.elided_bytes else ""
    return f"tool {message.result.name or '(unknown)'}{handle}{elided}"


def body(message: Message, with_reasoning: bool) -> str:
    """What stands in a prompt for a message that is no tool result."""
    parts = [message.reasoning] if with_reasoning and message.reasoning else []
    parts += [message.text] if message.text else []
    parts += [f"{c.name}({c.arguments})" for c in message.calls]
    if message.images or message.encrypted:
        parts.append(f"({message.images} images, {message.encrypted} encrypted parts: tokens not identified)")
    return "\n".join(parts)


def prompt_text(view: PromptView) -> str:
    """The prompt for a terminal."""
    lines = [f"request {view.request} of {view.requests} under {view.policy}: {count(view.tokens)} prompt tokens"]
    for e in view.entries:
        lines += ["", f"[{e.index}] {harmless(e.heading)} ({count(e.tokens)} tokens)", harmless(e.text)]
    return "\n".join(lines)


def difference_text(a: PromptView, b: PromptView) -> str:
    """The messages in which two policies differ, as unified differences, and how many are the same."""
    lines = [
        f"request {a.request} of {a.requests}: {count(a.tokens)} prompt tokens under {a.policy}, "
        f"{count(b.tokens)} under {b.policy}"
    ]
    same = 0
    for left, right in zip(a.entries, b.entries, strict=True):
        if left.text == right.text:
            same += 1
            continue
        lines += [
            "",
            f"[{left.index}] {harmless(left.heading)} ({count(left.tokens)} against {count(right.tokens)} tokens)",
        ]
        lines += difflib.unified_diff(
            harmless(left.text).split("\n"),
            harmless(right.text).split("\n"),
            a.policy,
            b.policy,
            lineterm="",
            n=1,
        )
    lines += ["", f"{same} of {len(a.entries)} messages are the same under both"]
    return "\n".join(lines)
