"""Token profiles: how an API frames messages, as named constants.

A profile is a definition that makes figures comparable, not a claim about a bill: framed counts are called
"framed prompt tokens, profile X". The constants of a name never change; other constants are another name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from harness.errors import HarnessError, did_you_mean

DEFAULT_PROFILE = "openai-chat-3-3"


@dataclass(frozen=True, slots=True)
class TokenProfile:
    """Framing of one chat API, in tokens.

    per_message: for each message of the prompt, unless `per_role` has its role. per_call: for each tool call,
    on top of its name and its arguments, which are tokenized apart. priming: once a prompt, for the start of
    the answer. tool_definitions: what is done about them. source: where the constants come from.
    """

    name: str
    encoding: str
    per_message: int
    priming: int
    per_call: int
    tool_definitions: str
    source: str
    per_role: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def message_framing(self, role: str) -> int:
        """Tokens around one message of `role`, its calls not included."""
        return self.per_role.get(role, self.per_message)


_COMPACT = "counted as compact JSON: an estimate, since how APIs render them is not published"
_COOKBOOK = (
    "OpenAI cookbook, How to count tokens with tiktoken: 3 a message and 3 for the reply, equal there to the "
    "API's own counts for gpt-3.5, gpt-4 and gpt-4o; for tool calls it has no constant"
)
_HARMONY = (
    "the harmony format as openai-harmony 0.0.8 renders it: start, role, message, end, and the channel and "
    "recipient in the headers of answers, calls and results; a tool's name in them is taken as two tokens"
)
_NONE = "no framing: the texts alone"

PROFILES: dict[str, TokenProfile] = {
    profile.name: profile
    for profile in (
        TokenProfile("openai-chat-3-3", "o200k_base", 3, 3, 0, _COMPACT, _COOKBOOK),
        TokenProfile("openai-chat-3-3-cl100k", "cl100k_base", 3, 3, 0, _COMPACT, _COOKBOOK),
        TokenProfile(
            "harmony",
            "o200k_harmony",
            per_message=4,
            priming=2,
            per_call=13,
            tool_definitions=_COMPACT,
            source=_HARMONY,
            per_role=MappingProxyType({"assistant": 6, "tool": 12}),
        ),
        TokenProfile("content-only", "o200k_base", 0, 0, 0, _COMPACT, _NONE),
        TokenProfile("content-only-cl100k", "cl100k_base", 0, 0, 0, _COMPACT, _NONE),
    )
}


def token_profile(name: str = DEFAULT_PROFILE) -> TokenProfile:
    """The profile of that name. An unknown name is a `HarnessError` that lists what exists."""
    if name not in PROFILES:
        raise HarnessError(
            f"no token profile called {name!r}{did_you_mean(name, PROFILES)}; there are: {', '.join(PROFILES)}"
        )
    return PROFILES[name]
