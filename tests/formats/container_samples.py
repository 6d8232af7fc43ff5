"""Two requests in every container, whatever dialect they are in: all made up."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable
from typing import Any

import yaml

Requests = list[tuple[dict[str, Any], Any]]


def _bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def _lines(values: list[Any]) -> bytes:
    return b"".join(_bytes(value) + b"\n" for value in values)


def _list_of(response: Any) -> Any:
    """A traced answer: one message by itself, several as a list."""
    return response[0] if isinstance(response, list) and len(response) == 1 else response


def requests_log(requests: Requests) -> bytes:
    return _lines([{**request, "response": _list_of(response)} for request, response in requests])


def cassette(requests: Requests) -> bytes:
    interactions = [
        {
            "request": {"method": "POST", "uri": "https://example.com/v1", "body": json.dumps(request)},
            "response": {"status": {"code": 200}, "body": {"string": json.dumps(_list_of(response))}},
        }
        for request, response in requests
    ]
    return yaml.safe_dump({"interactions": interactions, "version": 1}).encode()


def har(requests: Requests) -> bytes:
    entries = []
    for number, (request, response) in enumerate(requests):
        text = base64.b64encode(_bytes(_list_of(response))).decode()
        entries.append(
            {
                "startedDateTime": f"2026-01-01T00:00:0{number}.000Z",
                "time": 500,
                "request": {"method": "POST", "url": "https://example.com", "postData": {"text": json.dumps(request)}},
                "response": {"status": 200, "content": {"text": text, "encoding": "base64"}},
            }
        )
    entries.insert(1, {"startedDateTime": "2026-01-01T00:00:00.500Z", "time": 1, "request": {}, "response": {}})
    return _bytes({"log": {"version": "1.2", "entries": entries}})


def nock(requests: Requests) -> bytes:
    return _bytes(
        [
            {"scope": "https://example.com:443", "method": "POST", "path": "/v1", "body": request, "status": 200,
             "response": _list_of(response)}
            for request, response in requests
        ]
    )  # fmt: skip


def proxy_log(requests: Requests) -> bytes:
    return _lines(
        [
            {"id": f"log-{number}", "call_type": "acompletion", "litellm_call_id": f"{number}", "model": "m",
             "startTime": 1767225600.0 + number, "endTime": 1767225600.5 + number, **request,
             "response": _list_of(response)}
            for number, (request, response) in enumerate(requests)
        ]
    )  # fmt: skip


def langfuse(requests: Requests) -> bytes:
    observations = [
        {"id": f"o{number}", "traceId": "t", "type": "GENERATION", "model": "m",
         "startTime": f"2026-01-01T00:00:0{number}.000Z", "endTime": f"2026-01-01T00:00:0{number}.500Z",
         "input": json.dumps(request), "output": json.dumps(response),
         "usageDetails": {"input": 40 + number, "output": 5, "total": 45 + number}}
        for number, (request, response) in enumerate(requests)
    ]  # fmt: skip
    return _bytes({"trace": {"id": "t"}, "observations": observations})


def langsmith(requests: Requests) -> bytes:
    runs = [
        {"id": f"run-{number}", "trace_id": "root", "parent_run_id": "root", "run_type": "llm", "name": "model",
         "start_time": f"2026-01-01T00:00:0{number}", "end_time": f"2026-01-01T00:00:0{number}.5",
         "inputs": request, "outputs": response if isinstance(response, dict) else {"generations": [response]},
         "extra": {"invocation_params": {"model": "m"}}}
        for number, (request, response) in enumerate(requests)
    ]  # fmt: skip
    root = {"id": "root", "run_type": "chain", "inputs": {"input": "x"}, "outputs": {}, "child_runs": runs[:1]}
    return _bytes([root, *runs[1:]])


def _attributes(request: dict[str, Any], response: Any) -> dict[str, Any]:
    return {
        "openinference.span.kind": "LLM",
        "input": {"value": json.dumps(request), "mime_type": "application/json"},
        "output": {"value": json.dumps(response), "mime_type": "application/json"},
    }


def opentelemetry(requests: Requests) -> bytes:
    return _bytes(
        [
            {"name": "llm", "context": {"span_id": f"s{number}", "trace_id": "t"}, "parent_id": None,
             "start_time": f"2026-01-01T00:00:0{number}+00:00", "end_time": f"2026-01-01T00:00:0{number}.5+00:00",
             "attributes": _attributes(request, response)}
            for number, (request, response) in enumerate(requests)
        ]
    )  # fmt: skip


def phoenix(requests: Requests) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE spans (id INTEGER PRIMARY KEY, trace_rowid INTEGER, span_id VARCHAR, parent_id VARCHAR, "
        "name VARCHAR, span_kind VARCHAR, start_time TIMESTAMP, end_time TIMESTAMP, attributes JSON, events JSON)"
    )
    for number, (request, response) in enumerate(requests):
        kept = _attributes(request, response)
        del kept["openinference.span.kind"]
        times = (f"2026-01-01 00:00:0{number}.000000", f"2026-01-01 00:00:0{number}.500000")
        row = (number, 1, f"s{number}", None, "llm", "LLM", *times, json.dumps(kept), "[]")
        connection.execute("INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    connection.commit()
    return connection.serialize()


def openhands_log(requests: Requests) -> bytes:
    request, response = requests[-1]
    return _bytes({**request, "response": response, "timestamp": 1767225600.5, "cost": 0.1, "kwargs": {}})


CONTAINERS: dict[str, tuple[str, Callable[[Requests], bytes]]] = {
    "jsonl-requests": ("log.jsonl", requests_log),
    "cassette": ("x.yaml", cassette),
    "har": ("x.har", har),
    "nock": ("x.json", nock),
    "proxy-log": ("proxy.jsonl", proxy_log),
    "langfuse": ("trace.json", langfuse),
    "langsmith": ("runs.json", langsmith),
    "opentelemetry": ("spans.json", opentelemetry),
    "phoenix": ("phoenix.db", phoenix),
    "openhands-llm-logs": ("m-1767225600.500.json", openhands_log),
}
