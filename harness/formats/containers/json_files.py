"""JSON and JSONL files of messages: one conversation, a list of them, one a line, or a log of requests.

A conversation is a bare list of messages, or an object that holds one (`harness.formats.containers.envelope`); beside
it are read `tools`, `model`, `id`, `usage` and `response` (of the last request), and the cluster: `metadata.task`, the
repository of an `instance_id`, a `user_task_id` of AgentDojo. Where records hold responses, or the prompt of one goes
on in another, the file is a log of requests, and those are put together into conversations; else each record is a
conversation of its own. There is a reader here for each dialect, so that `--format` can name it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from harness.formats.assembly import own_names
from harness.formats.containers import openhands_logs, proxy_log
from harness.formats.containers.envelope import answer_of, prompt_of
from harness.formats.containers.exchange import Exchange, NoDialect, Reader
from harness.formats.conversations import Conversations, Logged, key_of
from harness.formats.dialects.choice import Fit, dialect_named, dialect_of
from harness.formats.instances import repository_of
from harness.formats.json_text import Unreadable
from harness.formats.mini_swe_agent import is_mini
from harness.formats.record import Record, kind_of
from harness.formats.source import Head, Source
from harness.formats.usage import usage_of
from harness.transcript import Transcript

OF_OTHERS = {"ts", "modelInfo", "run_type", "payload", "sessionId", "traceId", "trace_id", "trajectory", "steps"}
MANY = 50


class JsonMessages:
    """JSON or JSONL of messages in one dialect."""

    name = ""
    read_on = "public recordings"

    def sniff(self, head: Head) -> bool:
        return head.kind in ("object", "array", "jsonl") and _told(head) == self.name

    def read(self, source: Source) -> Iterator[Transcript]:
        values = _values(source)
        if _is_log(source):
            yield from self._log(source, values)
            return
        names = own_names(source.name)
        for place, number, value in values:
            reader = Reader(source.name, dialect_named(self.name))
            logged = _logged(source, reader, place, value)
            if logged is None:
                continue
            conversations = Conversations(source.name)
            conversations.add(logged)
            own = names(_own_name(value), number) if number else source.name
            yield from (
                replace(t, id=own, model=t.model or _model(value))
                for t in conversations.transcripts(source.name, self.name, cluster=_cluster(value))
            )

    def _log(self, source: Source, values: Iterator[tuple[str, int, Any]]) -> Iterator[Transcript]:
        conversations, own, cluster = Conversations(source.name), list[str | None](), ""
        reader = Reader(source.name, dialect_named(self.name))
        for place, _, value in values:
            logged = _logged(source, reader, place, value)
            if logged is None:
                continue
            conversations.add(logged)
            cluster = cluster or _cluster(value)
            if len(own) < len(conversations.threads):
                own.append(_own_name(value))
        yield from conversations.transcripts(source.name, self.name, own=own, cluster=cluster)


def _logged(source: Source, reader: Reader, place: str, value: Any) -> Logged | None:
    exchange = exchange_of(value, place)
    try:
        logged = reader.logged(exchange)
    except NoDialect as reason:
        source.problem(place, str(reason))
        return None
    if logged is None:
        source.problem(place, "no conversation: an object with a list of messages belongs here")
        return None
    record = Record(value if isinstance(value, dict) else {}, source.name, lambda _: None)
    usage = usage_of(record.record("usage")) if not logged.answer else None
    last = next((i for i in range(len(logged.prompt) - 1, -1, -1) if logged.prompt[i].role == "assistant"), None)
    if usage is not None and last is not None:
        logged.prompt[last] = replace(logged.prompt[last], usage=usage)
    return logged


def exchange_of(value: Any, place: str) -> Exchange:
    """The request in a record, and the response that stands in it or around it."""
    if not isinstance(value, dict):
        return Exchange(value, place=place)
    inner, response = value.get("request"), value.get("response")
    request = inner if isinstance(inner, dict) else value
    if not isinstance(response, (dict, list, str)) and (value.get("object") == "response" or "output" in value):
        response = value if value.get("object") == "response" else value.get("output")
    return Exchange(request, response, place)


def _values(source: Source) -> Iterator[tuple[str, int, Any]]:
    """The records of a file with their places, and their numbers where there may be several."""
    if source.head().kind == "jsonl":
        for number, value in source.lines():
            yield f"line {number}", number, value
        return
    document = source.document()
    if isinstance(document, list) and any(isinstance(v, list) or _holds_messages(v) for v in document[:MANY]):
        for number, value in enumerate(document, 1):
            yield f"[{number - 1}]", number, value
    elif isinstance(document, (dict, list)):
        yield "", 0, document
    else:
        raise Unreadable(f"{kind_of(document)} where a conversation belongs")


def _messages(value: Any) -> list[Any]:
    """The messages in a record, looked at before it is known to be one."""
    exchange = exchange_of(value, "")
    if not isinstance(exchange.request, dict):
        return []
    return [m.value for m in prompt_of(Record(exchange.request, "", lambda _: None))]


def _answers(value: Any) -> list[Any]:
    return answer_of(exchange_of(value, "").response)


def _holds_messages(value: Any) -> bool:
    if not isinstance(value, dict) or dialect_of([value]) is not None:
        return False
    return bool(_messages(value)) or value.get("object") == "response" or isinstance(value.get("messages"), list)


def _told(head: Head) -> str | None:
    """The dialect of a file's head; OpenAI's chat for messages that none reads, so that they are refused by name."""
    records = [r for r in head.records if not r.keys() & OF_OTHERS]
    if not records or any(is_mini(r) or openhands_logs.is_log(r) or proxy_log.is_logged(r) for r in records):
        return None
    if head.kind == "array" and not any(map(_holds_messages, records)):
        return None if is_mini({"messages": list(head.records)}) else _dialect(list(head.records), False)
    messages = [m for record in records for m in (*_messages(record)[:MANY], *_answers(record))]
    beside_system = any("system" in r and isinstance(r.get("messages"), list) for r in records)
    found = _dialect(messages, beside_system)
    if found != "openai-chat" or any(isinstance(r.get("messages"), list) or "model" in r for r in records):
        return found or _to_refuse(records, messages)
    return None


def _to_refuse(records: list[dict[str, Any]], messages: list[Any]) -> str | None:
    """OpenAI's chat for messages that no dialect reads and that are no other format's, so that they are refused by name
    and not passed over."""
    if any(record.get("object") == "response" for record in records):
        return "openai-responses"
    named = [m for m in messages if isinstance(m, dict) and isinstance(m.get("role"), str) and "content" in m]
    strangers = any(m.keys() & OF_OTHERS for m in messages if isinstance(m, dict))
    return "openai-chat" if named and len(named) == len(messages) and not strangers else None


def _dialect(messages: list[Any], beside_system: bool) -> str | None:
    dialect = dialect_of(messages)
    if dialect is None or any(isinstance(m, dict) and m.keys() & OF_OTHERS for m in messages):
        return None
    if not any(dialect.fit(m) is Fit.OWN for m in messages if isinstance(m, dict)) and beside_system:
        return "anthropic-messages"
    return dialect.name


def _is_log(source: Source) -> bool:
    """Whether records are requests of one log, and no conversations by themselves: some prompt goes on from another's,
    or names the response that it goes on from."""
    records = source.head().records
    if any("previous_response_id" in exchange_of(r, "").request for r in records):
        return True
    lists = [m for r in records if isinstance(m := r.get("messages", r.get("input")), list) and m]
    if any(len(a) < len(b) and b[: len(a)] == a for a, b in pairwise(lists)):
        return True
    return any(isinstance(r.get("response"), dict) for r in records) and _goes_on(source)


def _goes_on(source: Source) -> bool:
    """Whether the prompt of one record begins with the whole prompt of one before it."""
    seen: set[int] = set()
    reader = Reader(source.name)
    quiet = Source(source.name, source.path, source.opener)
    for place, _, value in _values(quiet):
        try:
            logged = reader.logged(exchange_of(value, place))
        except NoDialect:
            continue
        chain = 0
        for message in logged.prompt if logged else ():
            if message.role == "system":
                continue
            if chain in seen and chain:
                return True
            chain = hash((chain, key_of(message)))
        seen.add(chain)
    return False


def _own_name(value: Any) -> str | None:
    record = value if isinstance(value, dict) else {}
    return next((v for key in ("id", "traj_id", "instance_id") if isinstance(v := record.get(key), str) and v), None)


def _model(value: Any) -> str | None:
    found = value.get("model") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def _cluster(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    metadata, instance, task = value.get("metadata"), value.get("instance_id"), value.get("user_task_id")
    if isinstance(metadata, dict) and isinstance(metadata.get("task"), str):
        return str(metadata["task"])
    if isinstance(task, str):
        return f"{value.get('suite_name')}/{task}" if isinstance(value.get("suite_name"), str) else task
    return repository_of(instance) if isinstance(instance, str) else ""


class OpenAIChat(JsonMessages):
    """OpenAI chat messages, and plain ones that read the same in all APIs."""

    name = "openai-chat"


class AnthropicMessages(JsonMessages):
    """Anthropic messages: blocks `tool_use` and `tool_result`, `system` beside them."""

    name = "anthropic-messages"


class OpenAIResponses(JsonMessages):
    """OpenAI Responses: `input` and `output` of items, chained by `previous_response_id`."""

    name = "openai-responses"


class BedrockConverse(JsonMessages):
    """Amazon Bedrock's Converse API: blocks `toolUse` and `toolResult`."""

    name = "bedrock-converse"


class GeminiContents(JsonMessages):
    """Google's generateContent API: `contents` of `parts`."""

    name = "gemini-contents"


class CohereChat(JsonMessages):
    """Cohere's chat API, version 2: `tool_plan`, results of `document` parts."""

    name = "cohere-chat"
    read_on = "its source, and made-up messages"


class GenAIParts(JsonMessages):
    """OpenTelemetry's GenAI messages: `parts` that say their `type`."""

    name = "genai-parts"


class LangChain(JsonMessages):
    """LangChain and LangGraph: lists of messages, and states that hold them."""

    name = "langchain"


class PydanticAI(JsonMessages):
    """pydantic-ai messages: `kind` request or response, `parts` with `part_kind`."""

    name = "pydantic-ai"
    read_on = "its source, and made-up messages"


class VercelAI(JsonMessages):
    """Vercel AI SDK: messages for models, and the chats that its UI keeps."""

    name = "vercel-ai"
    read_on = "its source, and made-up messages"


class Strands(JsonMessages):
    """Strands session messages: Bedrock's in an envelope."""

    name = "strands"
    read_on = "its source, and made-up messages"


class AgentDojo(JsonMessages):
    """AgentDojo runs: calls as `function` and `args`."""

    name = "agentdojo"


class FunctionText(JsonMessages):
    """Calls and results in the text of messages: SWE-smith, OpenHands without function calling."""

    name = "function-text"
    read_on = "its source, and made-up messages"
