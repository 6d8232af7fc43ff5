"""A real JSON service on loopback, over records that live in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

Record = dict[str, Any]


class Store:
    """Collections of records.

    GET /<collection>?page=2&per_page=20&<field>=<value> lists, GET /<collection>/<id> shows one with all its fields,
    POST /<collection> adds one. A list shows only the fields in `summary`; a POST must have those in `required`.
    """

    def __init__(
        self,
        collections: Mapping[str, list[Record]],
        summary: Mapping[str, tuple[str, ...]] | None = None,
        required: Mapping[str, tuple[str, ...]] | None = None,
        ascii_only: bool = False,
    ) -> None:
        self.collections = {name: list(records) for name, records in collections.items()}
        self.summary = dict(summary or {})
        self.required = dict(required or {})
        self.ascii_only = ascii_only

    def get(self, path: str) -> tuple[int, Any]:
        parts = urlsplit(path)
        name, _, key = unquote(parts.path).strip("/").partition("/")
        if name not in self.collections:
            return _failure(404, "unknown_collection", f"no collection {name!r}", known=sorted(self.collections))
        records = self.collections[name]
        if key:
            record = next((r for r in records if str(r["id"]) == key), None)
            return (200, record) if record else _failure(404, "not_found", f"no {name} with id {key!r}")
        asked = dict(parse_qsl(parts.query))
        page, size = int(asked.pop("page", "1")), int(asked.pop("per_page", "20"))
        if not 1 <= size <= 200:
            return _failure(400, "bad_page_size", "per_page must be between 1 and 200", per_page=size)
        chosen = [r for r in records if all(str(r.get(field)) == value for field, value in asked.items())]
        shown = chosen[(page - 1) * size : page * size]
        fields = self.summary.get(name)
        items = [{f: r[f] for f in fields} for r in shown] if fields else shown
        return 200, {"items": items, "page": page, "pages": -(-len(chosen) // size), "total": len(chosen)}

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        name = path.strip("/")
        if name not in self.collections:
            return _failure(404, "unknown_collection", f"no collection {name!r}", known=sorted(self.collections))
        missing = [f for f in self.required.get(name, ()) if f not in body]
        if missing:
            return _failure(422, "missing_fields", "the record is not complete", fields=missing)
        record = {"id": f"{name[:2]}-{len(self.collections[name]) + 1:04}", **body}
        self.collections[name].append(record)
        return 201, {"created": record["id"], "fields": len(record)}


def _failure(status: int, code: str, message: str, **more: Any) -> tuple[int, Any]:
    return status, {"error": {"code": code, "message": message, **more}}


@contextmanager
def serve(store: Store) -> Iterator[str]:
    """The address of a server for `store`, which stops at the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(*store.get(self.path))

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            self._answer(*store.post(self.path, json.loads(self.rfile.read(length))))

        def _answer(self, status: int, value: Any) -> None:
            data = json.dumps(value, ensure_ascii=store.ascii_only).encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
