"""Messages of Amazon Bedrock's Converse API: blocks that are told by their one key.

Source: boto/botocore `botocore/data/bedrock-runtime/2023-09-30/service-2.json`, shapes `Message`, `ContentBlock`,
`ToolUseBlock`, `ToolResultBlock`; `strands-agents/sdk-python@1232230` `src/strands/types/content.py` keeps the same.

| field | what |
| --- | --- |
| `role` | user, assistant |
| `content[].text` | text |
| `content[].toolUse.{toolUseId,name,input}` | a call |
| `content[].toolResult.{toolUseId,status,content[]}` | a result: `text`, `json`, media; its `status` |
| `content[].reasoningContent.{reasoningText.text,redactedContent}` | reasoning, or what of it is encrypted |
| `content[].image`, `.document`, `.video`, `.audio` | media |
| `content[].cachePoint`, `.guardContent.text.text`, `.citationsContent.content[].text` | a mark, and text |

A result of one `json` part is JSON; of several parts, or of text, it is their text put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects.choice import Fit
from harness.formats.json_text import compact
from harness.formats.record import Record
from harness.transcript import Message, Role, ToolCall

MEDIA = ("image", "document", "video", "audio")
BLOCKS = (
    "text",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "guardContent",
    "cachePoint",
    "citationsContent",
    "searchResult",
    *MEDIA,
)


class BedrockConverse:
    """Bedrock Converse messages: blocks with one key each, calls as `toolUse`, results as `toolResult`."""

    name = "bedrock-converse"

    def fit(self, message: dict[str, Any]) -> Fit:
        content = message.get("content")
        if message.get("role") not in ("user", "assistant", "system") or not isinstance(content, list) or not content:
            return Fit.NO
        return Fit.OWN if all(map(_is_block, content)) else Fit.NO

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            add_message(assembly, message)


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict) or "type" in block:
        return False
    filled = [key for key, value in block.items() if value is not None]
    return len(filled) == 1 and filled[0] in BLOCKS


def add_message(assembly: Assembly, record: Record) -> None:
    """Read one message; each result in it is a message here."""
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Record] = []
    images = encrypted = 0
    content = record.raw("content")
    blocks = [{"text": content}] if isinstance(content, str) else record.array("content")
    for i, block in enumerate(blocks):
        place = f"{record.at('content')}[{i}]"
        part = Record(block if isinstance(block, dict) else {}, place, record.report)
        kind = next((key for key in BLOCKS if part.raw(key) is not None), "")
        if kind == "text":
            texts.append(part.string("text"))
        elif kind == "toolUse":
            use = part.record("toolUse")
            calls.append(ToolCall(use.string("name"), compact(use.raw("input")), use.text("toolUseId")))
        elif kind == "toolResult":
            results.append(part.record("toolResult"))
        elif kind == "reasoningContent":
            thought = part.record("reasoningContent")
            thoughts.append(thought.record("reasoningText").string("text"))
            encrypted += thought.raw("redactedContent") is not None
        elif kind == "guardContent":
            texts.append(part.record("guardContent").record("text").string("text"))
        elif kind == "citationsContent":
            texts += [cited.string("text") for cited in part.record("citationsContent").records("content")]
        elif kind == "searchResult":
            texts += [found.string("text") for found in part.record("searchResult").records("content")]
        elif kind in MEDIA:
            images += 1
        elif kind != "cachePoint":
            part.problem(f"a block of no known kind ({', '.join(map(str, part.value))[:80]}): not read")
    said = record.string("role")
    if said == "assistant":
        assembly.add(
            Message("assistant", "".join(texts), calls=tuple(calls), reasoning="".join(thoughts), images=images,
                    encrypted=encrypted)
        )  # fmt: skip
        for result in results:  # of tools that the server ran
            add_result(assembly, result)
    elif said in ("user", "system"):
        role: Role = "system" if said == "system" else "user"
        for result in results:
            add_result(assembly, result)
        if texts or images or not results:
            assembly.add(Message(role, "".join(texts), images=images))
    else:
        record.problem(f"unknown role {said!r:.60}")


def add_result(assembly: Assembly, result: Record) -> None:
    """A `toolResult`."""
    parts = list(result.records("content"))
    texts: list[str] = []
    images = 0
    for part in parts:
        if part.raw("json") is not None:
            texts.append(compact(part.raw("json")))
        elif part.raw("text") is not None:
            texts.append(part.string("text"))
        elif any(part.raw(kind) is not None for kind in MEDIA):
            images += 1
        elif part.value:
            part.problem(f"a part of no known kind ({', '.join(map(str, part.value))[:80]}): not read")
    status = result.raw("status")
    assembly.answer(
        "".join(texts),
        call_id=result.text("toolUseId"),
        is_json=len(parts) == 1 and parts[0].raw("json") is not None,
        is_error=status == "error" if isinstance(status, str) else None,
        images=images,
    )
