"""Messages of Cohere's chat API, version 2: like OpenAI's, with a plan before calls and results of documents.

Source: cohere-ai/cohere-python@bc495da `src/cohere/types/` (`AssistantMessageResponse`, `ToolMessageV2`, `ToolContent`,
`Document`); docs.cohere.com, Chat API v2.

| field | what |
| --- | --- |
| `role` | system, user, assistant, tool |
| `tool_plan` | what the model says before its calls: text of the answer |
| `content` | text, or parts `text`, `thinking`, `image_url` |
| `tool_calls[].{id,function.{name,arguments}}` | calls |
| `content[].{type: document, document.{id,data}}` of role tool | results: each document is JSON, or its text alone |
| `citations`, `tool_call_id` | where an answer comes from (not in later prompts); which call a result answers |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.formats.assembly import Assembly
from harness.formats.dialects import openai_chat
from harness.formats.dialects.choice import Fit
from harness.formats.json_text import compact
from harness.formats.record import Record

ROLES = ("system", "user", "assistant", "tool")


class CohereChat:
    """Cohere chat messages (v2): OpenAI's with `tool_plan`, and results of `document` parts."""

    name = "cohere-chat"

    def __init__(self) -> None:
        self._like = openai_chat.OpenAIChat()

    def fit(self, message: dict[str, Any]) -> Fit:
        if message.get("role") not in ROLES:
            return Fit.NO
        if message["role"] == "tool" and _documents(message.get("content")):
            return Fit.OWN
        plan = message.get("tool_plan")
        rest = {key: value for key, value in message.items() if key != "tool_plan"}
        if self._like.fit(rest) is Fit.NO:
            return Fit.NO
        return Fit.OWN if isinstance(plan, str) and message["role"] == "assistant" else Fit.PLAIN

    def read(self, assembly: Assembly, messages: Sequence[Record]) -> None:
        for message in messages:
            plan, documents = message.string("tool_plan"), _documents(message.raw("content"))
            if message.raw("role") == "tool" and documents:
                _add_documents(assembly, message, documents)
            elif plan:
                text, _ = openai_chat.content_of(message)
                value = {**message.value, "content": plan + text}
                openai_chat.add_message(assembly, Record(value, message.place, message.report))
            else:
                openai_chat.add_message(assembly, message)


def _documents(content: Any) -> list[Any]:
    """The parts of a result, if they are documents."""
    parts = content if isinstance(content, list) else []
    found = [part.get("document") for part in parts if isinstance(part, dict) and part.get("type") == "document"]
    return found if len(found) == len(parts) and all(found) else []


def _add_documents(assembly: Assembly, record: Record, documents: list[Any]) -> None:
    texts = []
    only_text = True
    for document in documents:
        data = document.get("data", document) if isinstance(document, dict) else document
        only_text &= isinstance(data, str)
        texts.append(data if isinstance(data, str) else compact(data))
    assembly.answer("\n".join(texts), call_id=record.text("tool_call_id"), is_json=not only_text and len(texts) == 1)
