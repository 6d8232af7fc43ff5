"""Fixtures of nock: HTTP traffic that a test of a JavaScript program recorded.

Source: nock/nock@07fbfab `lib/recorder.js` (`output_objects`), README "Recording".

| field | what |
| --- | --- |
| `[].scope`, `.method`, `.path` | where the request went |
| `[].body` | the body sent: JSON, or text |
| `[].response` | the body received: JSON, text, or pieces in hexadecimal where it was compressed |
| `[].status`, `.rawHeaders`, `.responseIsBinary` | of the response |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.containers.http_bodies import exchange
from harness.formats.json_text import Unreadable
from harness.formats.record import records
from harness.formats.source import Head, Source
from harness.transcript import Transcript

KEYS = {"scope", "method", "path", "response"}


class Nock:
    name = "nock"
    read_on = "its source, and made-up requests"

    def sniff(self, head: Head) -> bool:
        return head.kind == "array" and bool(head.records) and all(record.keys() >= KEYS for record in head.records)

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        if not isinstance(document, list):
            raise Unreadable("no recording of nock: a list of requests belongs here")
        yield from conversations_in(
            source,
            self.name,
            _exchanges(source, document),
            "{} requests, none of them to an API of a model that is known",
            "other requests left out",
        )


def _exchanges(source: Source, document: list[Any]) -> Iterator[Exchange]:
    for record in records(document, f"{source.name}: requests", source.problems.append):
        answered = _joined(record.raw("response"))
        yield exchange(record.raw("body"), answered, record.place.partition(": ")[2], source.problems.append)


def _joined(response: Any) -> Any:
    """A response that was compressed: its pieces in hexadecimal."""
    pieces = response if isinstance(response, list) else [response]
    if not pieces or not all(isinstance(piece, str) for piece in pieces):
        return response
    try:
        return bytes.fromhex("".join(pieces))
    except ValueError:
        return "".join(pieces)
