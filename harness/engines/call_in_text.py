"""Calls that a server left in the text, because it has no parser for the way in which the model writes them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

CALL_IN_TEXT: Final = "call_in_text"
"""The error code of an envelope whose answer holds such a call."""

NOTATIONS: Final = {
    "a <tool_call>": re.compile(r"<tool_call>[\s\S]*?\"name\"\s*:\s*\"([^\"]+)\""),
    "a <function=…>": re.compile(r"<function=([^>\s]+)>"),
    "a harmony call": re.compile(r"to=(?:functions\.)?([\w.-]+)[\s\S]*?<\|message\|>"),
    "a [TOOL_CALLS]": re.compile(r"\[TOOL_CALLS\]\s*(?:\[\s*\{[^}]*?\"name\"\s*:\s*\")?([\w.-]+)"),
    "a <|python_tag|>": re.compile(r"<\|python_tag\|>\s*\{[\s\S]*?\"name\"\s*:\s*\"([^\"]+)\""),
    "an <invoke>": re.compile(r"<invoke name=\"([^\"]+)\">"),
    "a JSON call": re.compile(r"^\s*(?:```(?:json)?\s*)?\[?\s*\{\s*\"(?:name|function)\"\s*:\s*\"([^\"]+)\""),
}
"""Ways of writing a call, by the words for one; the group is the tool's name. From the chat templates of Hermes and
Qwen, Llama 3, Mistral, gpt-oss (harmony), Qwen3-Coder, Anthropic's older XML, and bare JSON."""


def call_in_text(text: str, names: Collection[str]) -> str:
    """The words for the first call of a tool of these names that stands in a text; empty if none does."""
    return next((words for words, name in _written(text) if name in names), "")


def _written(text: str) -> Iterator[tuple[str, str]]:
    for words, pattern in NOTATIONS.items():
        for found in pattern.finditer(text):
            yield words, found[1].removeprefix("functions.")
