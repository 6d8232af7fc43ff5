"""A small chat-completions server, a process of its own: it does what the last message tells it to.

Prints its address, then serves until it is ended. Every request is kept, and GET /requests gives them.
"""

from __future__ import annotations

import json
import os
import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = os.environ.get("SERVER_KEY", "")
requests: list[dict[str, Any]] = []


def chunk(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"object": "chat.completion.chunk", "choices": choices} | more


def call(name: str, *parts: str) -> list[dict[str, Any]]:
    """A call whose arguments come in parts."""
    first = {"index": 0, "id": "c1", "type": "function", "function": {"name": name, "arguments": ""}}
    rest = [{"index": 0, "function": {"arguments": part}} for part in parts]
    return [chunk({"role": "assistant", "content": None}), *(chunk({"tool_calls": [part]}) for part in [first, *rest])]


USAGE = {"prompt_tokens": 50, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 8}}
TIMINGS = {"prompt_per_second": 500.5, "predicted_per_second": 50.25}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        if self.path == "/requests":
            return self.plain(200, requests)
        if KEY and self.headers.get("Authorization") != f"Bearer {KEY}":
            return self.plain(401, {"error": "no"})
        return self.plain(200, {"data": [{"id": "small", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        requests.append(body | {"path": self.path, "had_key": bool(key)})
        said = body["messages"][-1]["content"]
        tool = body["tools"][0]["function"]["name"] if body.get("tools") else ""
        again = sum(r["messages"][-1]["content"] == said for r in requests)
        match said:
            case "busy once" if again == 1:
                self.plain(503, {"error": "busy"}, {"Retry-After": "0"})
            case "drop once" if again == 1:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            case "busy":
                self.plain(429, {"error": "busy"}, {"Retry-After": "0"})
            case "refuse":
                self.plain(400, {"error": {"message": f"bad request, your key {key} is fine"}})
            case "too long":
                said = "This model's maximum context length is 8192 tokens."
                self.plain(400, {"error": {"message": said, "code": "context_length_exceeded"}})
            case "no json":
                self.write(200, b"<html>", {"Content-Type": "application/json"})
            case "hang":
                time.sleep(60)
            case "stop in the middle":
                self.stream(call(tool, '{"room":'), pause=60)
            case "break off":
                self.stream(call(tool, '{"room":'), done=False)
            case "whole":
                message = {"content": None, "tool_calls": [{"function": {"name": tool, "arguments": {"room": "hall"}}}]}
                self.plain(200, {"choices": [{"message": message, "finish_reason": "stop"}], "usage": USAGE})
            case "words":
                self.stream([chunk({"content": "I am "}), chunk({"content": "fine."}, "stop")])
            case "cut off":
                self.stream([*call(tool, '{"room": "ha'), chunk({}, "length")])
            case "garbled":
                self.stream([*call(tool, '{"room": hall}'), chunk({}, "tool_calls")])
            case "error in the stream":
                self.stream([chunk({"content": "I"}), {"error": {"message": "out of memory"}}])
            case "flood":
                self.stream([chunk({"content": "x" * 1_000_000})] * 40)
            case _:
                end = [chunk({}, "tool_calls"), chunk(None, usage=USAGE, timings=TIMINGS)]
                self.stream([*call(tool, '{"room": ', '"hall"}'), *end], pause=0.02)

    def plain(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        self.write(status, json.dumps(value).encode(), {"Content-Type": "application/json"} | (headers or {}))

    def write(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, events: list[dict[str, Any]], pause: float = 0.0, done: bool = True) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for number, event in enumerate(events):
                if number == len(events) - 1:
                    time.sleep(pause)
                self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
                self.wfile.flush()
            if done:
                self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            return


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
