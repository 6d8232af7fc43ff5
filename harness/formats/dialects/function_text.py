"""Calls and results in the text of chat messages, for models without function calling: `<function=NAME>` in an answer,
`EXECUTION RESULT of [NAME]:` or `OBSERVATION:` at the start of the message after it.

Source: OpenHands/OpenHands@156d068 `openhands/llm/fn_call_converter.py`; SWE-agent/SWE-agent@3ea751c
`sweagent/tools/parsing.py` (`XMLFunctionCallingParser`), with which the training data of SWE-smith were made.

| field | what |
| --- | --- |
| `<function=NAME>…</function>` in an answer's text | a call: its arguments are the text between |
| `EXECUTION RESULT of [NAME]:` | begins a user's (or tool's) message that is a result; the line stays in it |
| `OBSERVATION:` | likewise, of the last call |

Recorders turn an answer's text into `tool_calls` (its echo in the next prompt is text): such an answer is turned back,
so that both are one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects import openai_chat
from harness.formats.dialects.choice import Fit
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record
from harness.transcript import Message, ToolCall

_RESULT = re.compile(r"\A(?:EXECUTION RESULT of \[([^\]\n]{1,200})\]:\n|OBSERVATION:\n)")
_CALL = re.compile(r"<function=([^>\n]{1,200})>")
CALL_END = "</function>"


class FunctionText:
    """Calls in text: `<function=NAME>` in answers, `EXECUTION RESULT of` or `OBSERVATION:` before results."""

    name = "function-text"

    def __init__(self) -> None:
        self._like = openai_chat.OpenAIChat()

    def fit(self, message: dict[str, Any]) -> Fit:
        if self._like.fit(message) is Fit.NO:
            return Fit.NO
        if message.get("tool_calls"):
            return Fit.PLAIN
        text = _text_of(message)
        if message["role"] == "assistant":
            return Fit.OWN if _CALL.search(text) and CALL_END in text else Fit.PLAIN
        return Fit.OWN if text.startswith("EXECUTION RESULT of [") and _RESULT.match(text) else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            said = Assembly(assembly.place)
            openai_chat.add_message(said, message)
            for plain in said.messages:
                _add(assembly, plain)


def _text_of(message: dict[str, Any]) -> str:
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _add(assembly: Assembly, message: Message) -> None:
    text = message.result.content if message.result else message.text
    found = _RESULT.match(text) if message.role in ("user", "tool") else None
    if found and (found[1] or any(m.calls for m in assembly.messages[-1:])):
        assembly.answer(text, name=found[1] or "", images=message.images, time=message.time)
    elif message.result is not None:
        assembly.put(message)
    elif message.role == "assistant":
        assembly.add(_out_of_text(replace(message, text=message.text + _as_text(message.calls), calls=())))
    else:
        assembly.add(message)


def _as_text(calls: Sequence[ToolCall]) -> str:
    """Calls as the converter writes them into an answer's text."""
    return "".join(f"\n\n<function={call.name}>\n{_parameters(call.arguments)}{CALL_END}" for call in calls)


def _parameters(arguments: str) -> str:
    try:
        value = parse(arguments) if arguments else {}
    except Unreadable:
        value = None
    if not isinstance(value, dict):
        return f"{arguments}\n"
    lines = []
    for name, given in value.items():
        text = given if isinstance(given, str) else openai_chat.arguments_text(given)
        lines.append(f"<parameter={name}>\n{text}\n</parameter>\n" if "\n" in text else
                     f"<parameter={name}>{text}</parameter>\n")  # fmt: skip
    return "".join(lines)


def _out_of_text(message: Message) -> Message:
    """An answer with the call in its text (the last one) as what it is; the frame stays."""
    text = message.text
    opening = _CALL.search(text, text.rfind("<function=")) if "<function=" in text else None
    if opening is None:
        return message
    end = text.find(CALL_END, opening.end())
    end = len(text) if end < 0 else end
    call = ToolCall(opening[1], text[opening.end() : end].strip())
    left = text[: opening.start(1)] + text[opening.end(1) : opening.end()] + text[end:]
    return replace(message, text=left.lstrip(), calls=(call,))
