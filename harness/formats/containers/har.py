"""HAR: the HTTP traffic that a browser or a proxy recorded, of which the requests to models are read.

Source: the HAR 1.2 specification (ahmadnassri/har-spec `versions/1.2.md`), as browsers, mitmproxy and
Playwright write it.

| field | what |
| --- | --- |
| `log.entries[]` | one exchange each |
| `.startedDateTime`, `.time` | when it began; how long it took, in milliseconds |
| `.request.postData.text` | the body sent |
| `.response.content.{text,encoding}` | the body received, in base64 if `encoding` says so |
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.formats.containers.exchange import Exchange, conversations_in
from harness.formats.containers.http_bodies import exchange, from_base64
from harness.formats.json_text import Unreadable
from harness.formats.record import Record, Report
from harness.formats.source import Head, Source
from harness.transcript import Transcript


class Har:
    name = "har"
    read_on = "its published description, and made-up requests"

    def sniff(self, head: Head) -> bool:
        log = head.records[0].get("log") if head.kind == "object" and head.records else None
        return isinstance(log, dict) and isinstance(log.get("entries"), list)

    def read(self, source: Source) -> Iterator[Transcript]:
        document = source.document()
        log = document.get("log") if isinstance(document, dict) else None
        if not isinstance(log, dict) or not isinstance(log.get("entries"), list):
            raise Unreadable("no HAR: `log.entries` belongs here")
        entries = list(Record(log, f"{source.name}: log", source.problems.append).records("entries"))
        entries.sort(key=lambda entry: entry.time("startedDateTime") or 0.0)
        yield from conversations_in(
            source,
            self.name,
            (_exchange(entry, source.problems.append) for entry in entries),
            "{} requests, none of them to an API of a model that is known",
            "other requests left out",
        )


def _exchange(entry: Record, report: Report) -> Exchange:
    response = entry.record("response")
    content = response.record("content")
    text = content.text("text")
    if text is None and response.value and content.raw("size") != 0:
        response.problem("the text of the answer is not recorded", lost=0)
    answered = from_base64(text) if content.string("encoding") == "base64" else text
    started, took = entry.time("startedDateTime"), entry.raw("time")
    ended = started + took / 1e3 if started is not None and isinstance(took, (int, float)) and took >= 0 else started
    asked = entry.record("request").record("postData").raw("text")
    return exchange(asked, answered, entry.place.partition(": ")[2], report, ended, started)
