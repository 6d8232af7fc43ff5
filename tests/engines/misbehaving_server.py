"""A chat-completions server that carries calls as the protocol has them, or with the one fault that it is told."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
LIGHT = '{"room": "living room on the second floor", "on": true}'
ATTIC = '{"room": "the attic under the old roof", "on": false}'
USAGE = {"prompt_tokens": 50, "completion_tokens": 12}


def part(index: int, own: str | None, name: str | None, arguments: Any) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name is not None else {})
    found: dict[str, Any] = {"index": index, "function": function}
    return found | ({"id": own, "type": "function"} if own is not None else {})


def call(index: int, own: str, arguments: str) -> list[dict[str, Any]]:
    """The parts of one call, with the fault."""
    own = "same" if FAULT == "id" else own
    index = 0 if FAULT == "index" else index
    name = "functions.set_light" if FAULT == "name" else "set_light"
    if FAULT == "twice encoded":
        arguments = json.dumps(arguments)
    if FAULT == "schema":
        arguments = arguments.replace("true", '"true"').replace("false", '"false"')
    if FAULT == "no json":
        arguments += "</tool_call>"
    if FAULT == "object":
        return [part(index, own, name, json.loads(arguments))]
    if FAULT == "buffered":
        return [part(index, own, name, arguments)]
    half = len(arguments) // 2
    again = name if FAULT == "name repeated" else None
    more = own if FAULT in ("index", "name repeated") else None
    return [part(index, own, name, arguments[:half]), part(index, more, again, arguments[half:])]


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        self.plain(200, {"data": [{"id": "small"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = body["messages"][-1]["content"]
        if body.get("tool_choice") == "sometimes" and FAULT != "errors":
            return self.plain(500 if FAULT == "500" else 400, {"error": {"message": "unknown tool_choice"}})
        if body["messages"][-1]["role"] == "tool" and FAULT == "results":
            return self.plain(400, {"error": {"message": "unknown role"}})
        if "response_format" in body:
            text = "Paris has many" if FAULT == "json schema" else '{"city": "Ulm", "people": 126000}'
            return self.answer(body, [], text)
        if body.get("max_tokens") == 4:
            return self.answer(body, call(0, "a", LIGHT)[:1], "", "stop" if FAULT == "truncation" else "length")
        wants = "light" in said and (body.get("tool_choice") != "none" or FAULT == "none")
        if not wants:
            return self.answer(body, [], "" if FAULT == "silent" else "Goodbye.")
        if FAULT == "text":
            return self.answer(body, [], f'<tool_call>{{"name": "set_light", "arguments": {LIGHT}}}</tool_call>')
        parts = call(0, "a", LIGHT) + (call(1, "b", ATTIC) if "attic" in said else [])
        if FAULT == "differs" and not body["stream"]:
            parts = call(0, "a", ATTIC)
        return self.answer(body, parts, "", "stop" if FAULT == "finish" else "tool_calls")

    def answer(self, body: dict[str, Any], parts: list[dict[str, Any]], text: str, finish: str = "stop") -> None:
        usage = {} if FAULT == "usage" else {"usage": USAGE}
        if not body["stream"]:
            calls: list[dict[str, Any]] = []
            for one in parts:
                if "id" in one and (not calls or calls[-1]["id"] != one["id"]):
                    calls.append({k: v for k, v in one.items() if k != "index"})
                else:
                    calls[-1]["function"]["arguments"] += one["function"]["arguments"]
            message = {"content": text or None} | ({"tool_calls": calls} if calls else {})
            return self.plain(200, {"choices": [{"message": message, "finish_reason": finish}]} | usage)
        deltas = [{"tool_calls": [one]} for one in parts] or [{"content": text}]
        events = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
        events += [{"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}, {"choices": []} | usage]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        return self.done()

    def done(self) -> None:
        self.wfile.write(b"data: [DONE]\n\n")

    def plain(self, status: int, value: Any) -> None:
        said = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
