"""The state of a run of the OpenAI Agents SDK, as `RunState` writes it in JavaScript and in Python.

Source: openai/openai-agents-js@ccceb64 `packages/agents-core/src/runState.ts` (schema 1.0 to 1.x) and
openai/openai-agents-python `src/agents/run_state.py`; the keys are the same, in camel or in snake case.

| what | where |
| --- | --- |
| head | `$schemaVersion`, `currentTurn`, `currentAgent.name`, `maxTurns` |
| prompt | `originalInput`: text, or items |
| items | `generatedItems[].{type: message_output_item/tool_call_item/tool_call_output_item/..., rawItem}` |
| call | `rawItem{type: function_call, callId, name, arguments}` |
| result | `rawItem{type: function_call_result, callId, output{type: text, text}}` |
| usage | `modelResponses[].usage.{inputTokens, outputTokens, inputTokensDetails}`, one a request |

Usage is given to the answers in their order, if there are as many. What the agent's instructions are is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from harness.formats.assembly import Assembly
from harness.formats.dialects.openai_responses import add_items
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, HoldsNothing, Source
from harness.formats.usage import contained
from harness.transcript import Message, Transcript, Usage

HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


class OpenAIAgents:
    name = "openai-agents"
    read_on = "its source, and made-up states"

    def sniff(self, head: Head) -> bool:
        if head.kind != "object" or "$schemaVersion" not in head.keys:
            return False
        return bool(head.keys & {"generatedItems", "generated_items"})

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, dict):
            raise Unreadable(f"{kind_of(document)} where the state of a run belongs")
        assembly = Assembly(source.name)
        root = _snakes(Record(document, source.name, assembly.problems.append))
        given = root.raw("original_input")
        if isinstance(given, str):
            assembly.add(Message("user", given))
        else:
            add_items(assembly, map(_item, root.records("original_input")))
        before = len(assembly.messages)
        add_items(
            assembly,
            (_item(item.record("raw_item")) for item in map(_snakes, root.records("generated_items")) if _counts(item)),
        )
        _mark(assembly, before, root)
        if not assembly.messages:
            raise HoldsNothing("a run that has not begun")
        yield assembly.transcript(source.name, self.name, unknown=("the agent's instructions",))


def _mark(assembly: Assembly, before: int, root: Record) -> None:
    """Answers that the run was given are copied; to its own goes the usage of its requests."""
    own = [i for i in range(before, len(assembly.messages)) if assembly.messages[i].role == "assistant"]
    for i in range(before):
        assembly.messages[i] = replace(assembly.messages[i], copied=True)
    usages = [_usage(_snakes(response.record("usage"))) for response in root.records("model_responses")]
    if len(usages) == len(own):
        for i, usage in zip(own, usages, strict=True):
            assembly.messages[i] = replace(assembly.messages[i], usage=usage)


def _counts(item: Record) -> bool:
    """A call that waits for approval stands as a call too."""
    return item.string("type") != "tool_approval_item"


def _usage(usage: Record) -> Usage | None:
    """`input_tokens` is the whole prompt; its details are an object, or a list of them."""
    details = usage.raw("input_tokens_details")
    first = details[0] if isinstance(details, list) and details else details
    cached = first.get("cached_tokens", first.get("cachedTokens")) if isinstance(first, dict) else None
    return contained(
        usage.integer("input_tokens"),
        cached if isinstance(cached, int) else None,
        None,
        usage.integer("output_tokens"),
    )


def _item(item: Record) -> Record:
    """An item with the Responses API's names."""
    value = dict(_snakes(item).value)
    kind = value.get("type")
    if isinstance(kind, str) and kind.endswith("_call_result"):
        value["type"] = kind.removesuffix("_result") + "_output"
        output = value.get("output")
        if isinstance(output, dict) and isinstance(output.get("text"), str):
            value["output"] = output["text"]
    elif kind == "hosted_tool_call":
        value["type"] = f"{value.get('name') or 'hosted'}_call".replace("_call_call", "_call")
    if kind == "reasoning" and isinstance(value.get("content"), list) and "summary" not in value:
        value["summary"] = value.pop("content")
    return Record(value, item.place, item.report)


def _snakes(record: Record) -> Record:
    """A record with its own keys in snake case; what stands under them stays as it is."""
    value = {HUMP.sub(r"_\1", key).lower(): part for key, part in record.value.items()}
    return Record(value, record.place, record.report)
