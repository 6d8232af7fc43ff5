"""A recorded prompt as an engine is given it: the system prompt, the messages before, and the last one as the input.

Messages are rendered by the policy and put into words by the code that drives engines live (`harness.loop`): calls are
text behind what was said. Images and encrypted parts cannot be given, and are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from harness.loop.driver import Seen
from harness.loop.engine_driver import message
from harness.policies.rendering import Rendering
from harness.redrive.tools import Tool
from harness.replay.ledger import Counter, Framing
from harness.transcript import Message, Transcript

Said = Mapping[str, Any]


@dataclass(frozen=True)
class RecordedPrompt:
    """One request under one policy. left_out: images and encrypted parts that stood in it."""

    system: str
    context: tuple[Said, ...]
    input: str
    tools: tuple[Tool, ...]
    left_out: int

    @cached_property
    def digest(self) -> str:
        """A hash of all that the engine gets: equal prompts are asked once."""
        whole = orjson.dumps([self.system, self.context, self.input, self.tools], default=repr)
        return hashlib.sha256(whole).hexdigest()[:16]

    @cached_property
    def text(self) -> str:
        """All that stands in it but the tools, a paragraph each: where an argument can come from."""
        before = (str(one["content"]) for one in self.context)
        return "\n\n".join(filter(None, [self.system, *before, self.input]))

    def tokens(self, counter: Counter, framing: Framing) -> int:
        """Framed prompt tokens as it is given: roles, tools as compact JSON."""
        said = [("system", self.system)] if self.system else []
        said += [(str(one["role"]), str(one["content"])) for one in self.context]
        said.append(("user", self.input))
        tools = sum(counter.count(orjson.dumps(tool).decode("utf-8")) for tool in self.tools)
        return framing.priming + tools + sum(framing.message_framing(r) + counter.count(text) for r, text in said)


def recorded_prompt(
    transcript: Transcript, shown: list[int], views: Mapping[int, Rendering], tools: tuple[Tool, ...]
) -> RecordedPrompt:
    """The prompt that shows these messages. shown: indices, at least one."""
    messages = [transcript.messages[i] for i in shown]
    said = [
        _whole(message(_seen(one, views.get(i), transcript.resends_reasoning)))
        for i, one in zip(shown, messages, strict=True)
    ]
    first = next((n for n, one in enumerate(said) if one["role"] != "system"), len(said))
    system = "\n\n".join(str(one["content"]) for one in said[:first])
    rest = said[first:]
    # The words of the model itself, or of nobody, are not put into a user's mouth.
    asked = rest.pop()["content"] if rest and rest[-1]["role"] in ("user", "tool") else ""
    return RecordedPrompt(system, tuple(rest), str(asked), tools, sum(m.images + m.encrypted for m in messages))


def _seen(one: Message, view: Rendering | None, resends_reasoning: bool) -> Seen:
    if one.result is not None:
        assert view is not None
        return Seen("tool", view.text, tool=one.result.name)
    reasoning = one.reasoning if resends_reasoning else ""
    text = view.text if view is not None else "\n".join(filter(None, [reasoning, one.text]))
    return Seen(one.role, text, one.calls)


def _whole(said: Said) -> Said:
    """Half a surrogate pair, which no engine can be sent, as U+FFFD."""
    text = str(said["content"])
    if text.isascii():
        return said
    return {**said, "content": text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}
