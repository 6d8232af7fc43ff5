"""`harness show`: the prompt of one request as the model would see it under a policy, or under two, side by side."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from harness import Policy
from harness.errors import HarnessError
from harness.evidence import EvidenceRun, find_borne
from harness.evidence.marks import Mark, marks
from harness.evidence.states import STATES, State
from harness.formats.corpus import Intake, read_transcripts
from harness.policies.rendering import Rendering
from harness.replay.ledger import Account, Counter, Framing, account_of, lay_out
from harness.report.secrets import Mask
from harness.text import count, harmless, number
from harness.transcript import Message, Transcript


def find_transcript(place: str, forced: str | None) -> Transcript:
    """The transcript that `FILE` or `FILE#ID` names; if that is not one, a `HarnessError` lists those there are."""
    path, wanted = Path(place), ""
    name = place
    while not path.exists() and "#" in name:
        name = name.rpartition("#")[0]
        path, wanted = Path(name), place[len(name) + 1 :]
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
    """One message of a prompt as it stands there. tokens: as the ledger counts it, without framing. marks: the places
    of what the answer to this prompt takes from it."""

    index: int
    heading: str
    text: str
    tokens: int
    marks: tuple[Mark, ...] = ()

    def to_record(self) -> dict[str, Any]:
        evidence = [{"start": m.start, "end": m.end, "atom": m.atom} for m in self.marks]
        return {k: v for k, v in vars(self).items() if k != "marks"} | {"evidence": evidence}


@dataclass(frozen=True)
class Taken:
    """An atom that the answer takes from a result. state: what is left of it in this prompt; source: the message."""

    atom: str
    state: State
    source: int


@dataclass(frozen=True)
class Answer:
    """What the model answered to a prompt: its text and calls. marks: the places of what it takes from results, each
    with its state under the policy."""

    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class PromptView:
    """A whole prompt under one policy; `tokens` includes framing and tool definitions."""

    policy: str
    request: int
    requests: int
    tokens: int
    entries: list[Entry]
    taken: list[Taken]
    answer: Answer

    def to_record(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "request": self.request,
            "prompt_tokens": self.tokens,
            "messages": [e.to_record() for e in self.entries],
            "evidence": [vars(t) for t in self.taken],
            "answer": self.answer.text,
        }


class Prompts:
    """The prompts of a transcript under any policy; what does not depend on the request is made once."""

    def __init__(self, transcript: Transcript, counter: Counter, framing: Framing) -> None:
        self.transcript = transcript
        self._counter = counter
        self._layout = lay_out(transcript, counter, framing)
        self._accounts: dict[str, Account] = {}

    @cached_property
    def _evidence(self) -> EvidenceRun:
        return EvidenceRun(find_borne(self.transcript))

    def view(self, policy: Policy, request: int | None) -> PromptView:
        """The prompt of a request (from 1; the last if not given)."""
        transcript, layout = self.transcript, self._layout
        total = len(layout.requests)
        number = total if request is None else request
        if not 1 <= number <= total:
            raise HarnessError(f"{transcript.id}: no request {number}; it has requests 1 to {total}")
        if policy.label not in self._accounts:
            self._accounts[policy.label] = account_of(layout, policy, self._counter)
        account = self._accounts[policy.label]
        views = account.views_at(number - 1)
        taken = self._taken(policy, number - 1, views)
        visible = {t.atom: t.state for t in taken if t.state == "visible"}
        shown = next(list(s) for k, (_, s) in enumerate(transcript.prompts(), 1) if k == number)
        entries = []
        for i in shown:
            message = transcript.messages[i]
            text = views[i].text if i in views else body(message, transcript.resends_reasoning)
            marked = tuple(marks(text, visible)) if i in views else ()
            tokens = self._counter.count(text) if i in views else int(layout.fixed[i] - layout.framing[i])
            entries.append(Entry(i, heading(message, account, i), text, tokens, marked))
        answer = body(transcript.messages[layout.requests[number - 1]], False)
        used = tuple(marks(answer, {t.atom: t.state for t in taken}))
        return PromptView(
            policy.label, number, total, int(account.prompt[number - 1]), entries, taken, Answer(answer, used)
        )

    def _taken(self, policy: Policy, request: int, views: dict[int, Rendering]) -> list[Taken]:
        """What the answer of a request (from 0) bears, with its states under the policy, the worst last."""
        states = self._evidence.states(request, views, policy.settings.get("parse", "recorded"))
        atoms = self._evidence.borne.requests[request].borne
        found = [Taken(atom.text, state, source) for atom, (state, source) in zip(atoms, states, strict=True)]
        return sorted(found, key=lambda t: STATES.index(t.state))


def view_prompt(
    transcript: Transcript, policy: Policy, request: int | None, counter: Counter, framing: Framing
) -> PromptView:
    """The prompt of a request (from 1; the last if not given)."""
    return Prompts(transcript, counter, framing).view(policy, request)


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
        parts.append(
            f"({number(message.images, 'image')}, {number(message.encrypted, 'encrypted part')}: tokens not identified)"
        )
    return "\n".join(parts)


def mask_for(transcript: Transcript) -> Mask:
    """A mask that knows the secrets of a whole transcript, also of results that a policy hides: what an answer takes
    from them is named alone."""
    mask = Mask()
    for message in transcript.messages:
        whole = message.result.value if message.result else ""
        mask.learn(filter(None, [whole, message.text, message.reasoning, *(call.arguments for call in message.calls)]))
    return mask


def prompt_text(view: PromptView, mask: Mask | None = None) -> str:
    """The prompt for a terminal, its secrets masked where a mask is given."""
    hide: Callable[[str], str] = mask or str
    lines = [f"request {view.request} of {view.requests} under {view.policy}: {count(view.tokens)} prompt tokens"]
    for e in view.entries:
        lines += ["", f"[{e.index}] {hide(harmless(e.heading))} ({count(e.tokens)} tokens)", marked_text(e, mask)]
    lines += ["", f"answer to request {view.request} (recorded):", answer_text(view, mask)]
    return "\n".join([*lines, "", *map(hide, taken_lines(view))])


def answer_text(view: PromptView, mask: Mask | None = None) -> str:
    """The answer, what it takes from results between ⟦ and ⟧."""
    parts = cut_up(view.answer.text, view.answer.marks)
    return "".join(f"⟦{text}⟧" if marked else text for text, marked in (mask.pieces(parts) if mask else parts))


def marked_text(entry: Entry, mask: Mask | None = None) -> str:
    """The text with the places of evidence between ⟦ and ⟧."""
    parts = mask.pieces(pieces(entry)) if mask else pieces(entry)
    return "".join(f"⟦{text}⟧" if marked else text for text, marked in parts)


def pieces(entry: Entry) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is evidence; harmless on a terminal."""
    return cut_up(entry.text, entry.marks)


def cut_up(text: str, found: Iterable[Mark]) -> list[tuple[str, bool]]:
    """A text in pieces, each with whether it is marked; harmless on a terminal."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for m in found:
        parts += [(harmless(text[at : m.start]), False), (harmless(text[m.start : m.end]), True)]
        at = m.end
    return [*parts, (harmless(text[at:]), False)]


def taken_lines(view: PromptView, marked: str = "between ⟦ and ⟧") -> list[str]:
    """What the answer takes from earlier results, and what of it this prompt does not show."""
    if not view.taken:
        return [f"evidence (measured): the answer to request {view.request} takes nothing that only a result had shown"]
    visible = sum(t.state == "visible" for t in view.taken)
    lines = [
        f"evidence (measured): the answer to request {view.request} takes {number(len(view.taken), 'atom')} that only "
        f"results had shown; visible under {view.policy}: {visible} ({marked})"
    ]
    hidden: dict[tuple[str, int], list[str]] = {}
    for t in view.taken:
        if t.state != "visible":
            hidden.setdefault((t.state, t.source), []).append(harmless(shortened(t.atom)))
    for (state, source), atoms in hidden.items():
        more = f" and {len(atoms) - NAMED} more" if len(atoms) > NAMED else ""
        lines.append(f"  {state}: {', '.join(atoms[:NAMED])}{more} from [{source}]")
    return lines


NAMED = 5
"""So many pieces of one result are named; all are marked in the answer."""


def shortened(text: str, most: int = 80) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def difference_text(a: PromptView, b: PromptView, mask: Mask | None = None) -> str:
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
    lines += [
        "",
        f"{same} of {len(a.entries)} messages are the same under both",
        "",
        f"answer to request {a.request} (recorded):",
        harmless(answer_text(a)),
        "",
        *dict.fromkeys([*taken_lines(a), *taken_lines(b)]),
    ]
    hide: Callable[[str], str] = mask or str
    return hide("\n".join(lines))
