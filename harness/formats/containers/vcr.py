"""VCR cassettes: recorded HTTP traffic in YAML (or JSON), of which the requests to models are read.

Source: kevin1024/vcrpy `docs/advanced.rst`, and the variant of pydantic/pydantic-ai@4fda389 that keeps JSON bodies
parsed. Bodies may be compressed or streamed. The requests are put together into conversations; what goes to no
model's API is left out, with its number in the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

import yaml

from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.containers.http_bodies import exchange, from_base64
from harness.formats.json_text import Unreadable
from harness.formats.record import Record
from harness.formats.source import Head, Source
from harness.transcript import Transcript

_TOP = re.compile(rb"^interactions:", re.MULTILINE)
_HTTP = re.compile(rb"^\s+(?:- )?(?:uri|method):", re.MULTILINE)
DEEPEST = 200


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
        yield from conversations_in(
            source,
            self.name,
            _exchanges(Record(document, source.name, source.problems.append)),
            "{} requests, none of them to an API of a model that is known",
            "other requests left out",
        )


def _exchanges(cassette: Record) -> Iterator[Exchange]:
    for number, interaction in enumerate(cassette.records("interactions")):
        request, response = interaction.record("request"), interaction.record("response")
        place = f"interactions[{number}]"
        yield exchange(_content(request), _content(response), place, cassette.report, _time(response))


def _content(message: Record) -> Any:
    """The body of a request or response, parsed already, as text, or in base64."""
    if isinstance(message.raw("parsed_body"), dict):
        return message.raw("parsed_body")
    body = message.raw("body")
    if not isinstance(body, dict) or not {"string", "base64_string"} & body.keys():
        return body
    if body.get("string") is not None:
        return body["string"]
    return from_base64(body.get("base64_string"))


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
