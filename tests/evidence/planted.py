"""Transcripts with evidence at known places."""

from __future__ import annotations

import json
from typing import Any

from harness.evidence import Borne, find_borne
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy
from harness.transcript import Cut, Message, ToolCall, ToolResult, Transcript

WORDS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "ledge",
    "marsh",
)


def system(text: str) -> Message:
    return Message("system", text)


def user(text: str) -> Message:
    return Message("user", text)


def calls(*arguments: Any, name: str = "lookup", text: str = "", reasoning: str = "") -> Message:
    """An assistant message with one call an argument; a string is passed as it is, anything else as JSON."""
    written = (a if isinstance(a, str) else json.dumps(a) for a in arguments)
    return Message("assistant", text, tuple(ToolCall(name, a) for a in written), reasoning=reasoning)


def answer(text: str, reasoning: str = "") -> Message:
    return Message("assistant", text, reasoning=reasoning)


def result(content: str, is_json: bool = False, whole: str | None = None, name: str = "lookup") -> Message:
    return Message("tool", result=ToolResult(content, name=name, is_json=is_json, whole=whole))


def transcript(*messages: Message, id: str = "planted", **fields: Any) -> Transcript:
    return Transcript(id, "test", messages, **fields)


def cut(at: int, *keep: int, kind: Any = "compacted") -> Cut:
    return Cut(at, keep, kind)


def filler(size: int, seed: int = 0) -> str:
    """`size` characters of words that are in no action."""
    text = " ".join(WORDS[(seed * 7 + n) % len(WORDS)] for n in range(size // 4 + 2))
    return text[:size]


def with_atom(atom: str, at: int, size: int) -> str:
    """A text of `size` characters with an atom at an offset, blanks around it."""
    text = filler(size)
    return f"{text[: at - 1]} {atom} {text[at + len(atom) + 1 :]}"


def borne_texts(run: Transcript) -> list[list[str]]:
    """Per request, the atoms that it bears."""
    return [[atom.text for atom in request.borne] for request in found(run).requests]


def found(run: Transcript) -> Borne:
    return find_borne(run)


def views(run: Transcript, policy: str) -> dict[int, Rendering]:
    """How a policy renders the results as they arrive."""
    started = make_policy(policy).start(run)
    rendered: dict[int, Rendering] = {}
    for i in run.results():
        held = run.messages[i].result
        assert held is not None
        call = run.messages[held.call[0]].calls[held.call[1]] if held.call else None
        rendered[i] = started.admit(i, held, call)
    return rendered
