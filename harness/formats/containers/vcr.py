"""VCR cassettes: recorded HTTP traffic in YAML (or JSON), of which the requests to models are read.

Source: kevin1024/vcrpy `docs/advanced.rst`, and the variant of pydantic/pydantic-ai@4fda389 that keeps JSON bodies
parsed. Bodies may be compressed or streamed. The requests are put together into conversations; what goes to no
model's API is left out, with its number in the notes.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

import yaml

from harness.formats.api_requests import Api
from harness.formats.containers.event_streams import is_stream, response_of
from harness.formats.conversations import Conversations
from harness.formats.json_text import Unreadable, parse
from harness.formats.record import Record
from harness.formats.source import Head, HoldsNothing, Source
from harness.transcript import Transcript

_TOP = re.compile(rb"^interactions:", re.MULTILINE)
_HTTP = re.compile(rb"^\s+(?:- )?(?:uri|method):", re.MULTILINE)
DEEPEST = 200
LARGEST_BODY = 1 << 30


class Cassette:
    name = "cassette"

    def sniff(self, head: Head) -> bool:
        if head.kind == "object":
            found = head.records[0].get("interactions")
            first = found[0] if isinstance(found, list) and found else None
            return isinstance(first, dict) and {"request", "response"} <= first.keys()
        return head.kind == "text" and bool(_TOP.search(head.start) and _HTTP.search(head.start))

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document() if source.head().kind == "object" else _yaml(source.content())
        if not isinstance(document, dict) or not isinstance(document.get("interactions"), list):
            raise Unreadable("no cassette: a list of interactions belongs here")
        cassette = Record(document, source.name, source.problems.append)
        api, conversations = Api(), Conversations(source.name)
        others = 0
        for interaction in cassette.records("interactions"):
            request, response = interaction.record("request"), interaction.record("response")
            asked, answered = body_of(request), body_of(response)
            logged = api.logged(
                Record(asked or {}, request.at("body"), source.problems.append),
                Record(answered or {}, response.at("body"), source.problems.append),
                _time(response),
            )
            if logged is None:
                others += 1
            else:
                conversations.add(logged)
        if not conversations.threads:
            raise HoldsNothing(f"{others} requests, none of them to an API of a model that is known")
        notes = (f"{others} other requests left out",) if others else ()
        yield from conversations.transcripts(source.name, self.name, notes=notes)


def body_of(message: Record) -> dict[str, Any] | None:
    """The JSON object in a request or response, parsed already, as text, compressed, or streamed."""
    if isinstance(message.raw("parsed_body"), dict):
        return message.record("parsed_body").value
    body = message.raw("body")
    if isinstance(body, dict):
        if not {"string", "base64_string"} & body.keys():
            return body
        body = _decoded(body)
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    if not isinstance(text, str) or not text.strip():
        return None
    if is_stream(text):
        return response_of(text)
    try:
        value = parse(text)
    except Unreadable:
        return None
    return value if isinstance(value, dict) else None


def _decoded(body: dict[str, Any]) -> Any:
    data = body.get("string")
    if data is None:
        try:
            data = base64.b64decode(str(body.get("base64_string")), validate=False)
        except ValueError:
            return None
    if isinstance(data, bytes) and data[:2] == b"\x1f\x8b":
        unpacking = zlib.decompressobj(wbits=31)
        try:
            data = unpacking.decompress(data, LARGEST_BODY)
        except zlib.error:
            return None
    return data


def _time(response: Record) -> float | None:
    headers = response.record("headers")
    value = headers.raw("date") or headers.raw("Date")
    value = value[0] if isinstance(value, list) and value else value
    try:
        return parsedate_to_datetime(value).timestamp() if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def _yaml(data: bytes) -> Any:
    """The value of a YAML text, with strings for keys and without what JSON lacks.

    Raises `Unreadable` if it is no YAML, or blown up by aliases: a value has no more parts than its text has bytes.
    """
    try:
        value = yaml.load(data, Loader=_Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        raise Unreadable(f"not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    return _Plain(len(data) + 1).plain(value, 0)


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Dates stay text."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class _Plain:
    def __init__(self, parts: int) -> None:
        self.left = parts

    def plain(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise Unreadable("YAML that grows through its aliases")
        if depth > DEEPEST:
            raise Unreadable("nested too deeply")
        if isinstance(value, dict):
            return {str(key): self.plain(part, depth + 1) for key, part in value.items()}
        if isinstance(value, (list, tuple, set)):
            return [self.plain(part, depth + 1) for part in value]
        return value if value is None or isinstance(value, (str, int, float, bool, bytes)) else str(value)
