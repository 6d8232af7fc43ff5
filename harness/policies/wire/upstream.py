"""The end of the wire: a server on loopback that keeps what arrives and gives the recorded answer."""

from __future__ import annotations

import gzip
import json
import threading
import time
import zlib
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from harness.policies.wire.dialects import DIALECTS
from harness.policies.wire.said import Item, Said

LARGEST: Final = 256 << 20


@dataclass
class Turn:
    """One recorded request while it is played. seconds: that this server took of it. strange: what else was asked for,
    by name."""

    answer: Item
    model: str
    arrived: list[tuple[str, Said]] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Upstream:
    """Listens on a port of loopback from when it is made until it is closed."""

    def __init__(self) -> None:
        self.turn = Turn(Item("assistant"), "")
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(upstream: Upstream) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *arguments: Any) -> None:
            """Nothing is logged: what arrives is kept."""

        def do_GET(self) -> None:
            if self.path.partition("?")[0].endswith("/models"):
                self._whole(200, {"object": "list", "data": []})
            else:
                self._whole(404, {"error": {"message": "only a recording answers here"}})

        do_HEAD = do_DELETE = do_PUT = do_GET

        def do_POST(self) -> None:
            turn, began = upstream.turn, time.perf_counter()
            body = self._body()
            path = self.path.partition("?")[0]
            name = next((name for name, dialect in DIALECTS.items() if path.endswith(dialect.path[3:])), None)
            if path.endswith("/count_tokens"):
                self._whole(200, {"input_tokens": len(body) // 4})
                return
            try:
                if name is None:
                    raise ValueError("another path")
                said = DIALECTS[name].read(json.loads(body))
            except (ValueError, KeyError, TypeError, AttributeError):
                turn.strange.append("unreadable request" if name else "another path")
                self._whole(400, {"error": {"message": "this cannot be read as a request to a model"}})
                return
            turn.arrived.append((name, said))
            model = said.model or turn.model
            if said.streams:
                self._pieces(DIALECTS[name].stream(turn.answer, model))
            else:
                self._whole(200, DIALECTS[name].answer(turn.answer, model))
            turn.seconds += time.perf_counter() - began

        def _body(self) -> bytes:
            if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
                parts = []
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                data = b"".join(parts)
            else:
                data = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), LARGEST))
            match self.headers.get("Content-Encoding"):
                case "gzip":
                    return gzip.decompress(data)
                case "deflate":
                    return zlib.decompress(data)
            return data

        def _whole(self, status: int, content: dict[str, Any]) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def _pieces(self, events: list[tuple[str, dict[str, Any] | str]]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for name, data in events:
                text = data if isinstance(data, str) else json.dumps(data)
                event = (f"event: {name}\n" if name else "") + f"data: {text}\n\n"
                encoded = event.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(encoded), encoded))
            self.wfile.write(b"0\r\n\r\n")

    return Handler
