"""ShareGPT conversations: `{conversations: [{from, value}]}`, one a file, a line, or an element of an array.

Source: the data card of the format as hiyouga/LLaMA-Factory `data/README.md` describes it (with `function_call` and
`observation`), and NousResearch/hermes-function-calling-v1 (calls in tags).

| what | where |
| --- | --- |
| role | `conversations[].from`: human/user, gpt/assistant, system, tool/observation/function_response, function_call |
| text | `conversations[].value` |
| call | `from: function_call`, `value`: JSON `{name, arguments}` or a list; or `<tool_call>JSON</tool_call>` in text |
| result | `from: tool/observation`, with or without `<tool_response>` around it |
| tools | `tools`: JSON text or an array |

Training data: no ids, times or usage; a conversation is one run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.formats.assembly import Assembly, own_names
from harness.formats.dialects.openai_chat import arguments_text
from harness.formats.json_text import Unreadable, compact, parse
from harness.formats.lines import line_records
from harness.formats.record import Record, kind_of, records
from harness.formats.source import Head, Source
from harness.transcript import Message, Problem, ToolCall, Transcript

USERS = ("human", "user")
ANSWERS = ("gpt", "assistant", "model", "chatgpt", "bing", "bard")
RESULTS = ("tool", "observation", "function_response", "function-response", "ipython")
CALLS = ("function_call", "function-call")
CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
RESPONSE = re.compile(r"\s*<tool_response>\s*(.*?)\s*</tool_response>\s*", re.DOTALL)


class ShareGPT:
    name = "sharegpt"
    read_on = "its published descriptions, and made-up conversations"

    def sniff(self, head: Head) -> bool:
        return bool(head.records) and all(map(_is_conversation, head.records))

    def read(self, source: Source) -> Iterator[Transcript]:
        names = own_names(source.name)
        single = source.head().kind == "object"
        for number, conversation in enumerate(_conversations(source), 1):
            assembly = Assembly(source.name)
            holder = Record(conversation.value, conversation.place, assembly.problems.append)
            for turn in holder.records("conversations"):
                _add(assembly, turn)
            own = holder.raw("id")
            name = source.name if single else names(str(own) if isinstance(own, (str, int)) else None, number)
            yield assembly.transcript(name, self.name, tools=_tools(holder.raw("tools")))


def _is_conversation(record: dict[str, Any]) -> bool:
    turns = record.get("conversations")
    if not isinstance(turns, list) or not turns:
        return False
    return all(isinstance(turn, dict) and {"from", "value"} <= turn.keys() for turn in turns[:3])


def _conversations(source: Source) -> Iterator[Record]:
    def report(problem: Problem) -> None:
        source.problems.append(problem)

    if source.head().kind == "jsonl":
        yield from line_records(source, report)
        return
    document = source.document()
    listed = [document] if isinstance(document, dict) else document
    if not isinstance(listed, list):
        raise Unreadable(f"{kind_of(document)} where a conversation belongs")
    yield from records(listed, source.name, report)


def _add(assembly: Assembly, turn: Record) -> None:
    who, value = turn.string("from"), turn.string("value")
    if who in USERS:
        assembly.add(Message("user", value))
    elif who == "system":
        assembly.add(Message("system", value))
    elif who in CALLS:
        _answer(assembly, "", _calls(value, turn))
    elif who in ANSWERS:
        _answer(assembly, CALL.sub("", value), tuple(c for found in CALL.findall(value) for c in _calls(found, turn)))
    elif who in RESULTS:
        for text in RESPONSE.findall(value) or [value]:
            assembly.answer(text)
    else:
        turn.problem(f"unknown role {who!r:.60}")


def _answer(assembly: Assembly, text: str, calls: tuple[ToolCall, ...]) -> None:
    assembly.add(Message("assistant", text, calls))


def _calls(text: str, turn: Record) -> tuple[ToolCall, ...]:
    try:
        value = parse(text)
    except Unreadable as error:
        turn.problem(f"a call that is {error}", lost=0)
        return (ToolCall("", text),)
    listed = value if isinstance(value, list) else [value]
    return tuple(
        ToolCall(str(one.get("name", "")), arguments_text(one.get("arguments")))
        for one in listed
        if isinstance(one, dict)
    )


def _tools(value: Any) -> tuple[str, ...] | None:
    try:
        listed = parse(value) if isinstance(value, str) and value.strip() else value
    except Unreadable:
        return None
    return tuple(map(compact, listed)) if isinstance(listed, list) and listed else None
