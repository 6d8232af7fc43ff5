"""A server that speaks both protocols, solves tasks, misbehaves on purpose, and counts what it would be paid for.

It is no model: it knows for each question the first call and how the answer reads, looks for the answer in the results
that it is shown, and gives up where it is not there. What it does wrong is planned by the number of the request.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from harness.loop.task import FOUND, Task

KEY = "sk-live/planted+key-0123456789"
MODEL = "small-model"


class Server:
    """faults: by the number of a POST, from 1, what goes wrong with it. echo: the key stands in every answer, in words,
    errors and headers. paid: by what was asked (its body), how many whole answers were sent."""

    def __init__(
        self, tasks: Iterable[Task] = (), faults: dict[int, str] | None = None, echo: bool = False, pause: float = 0.0
    ) -> None:
        self.tasks = {task.question: task for task in tasks}
        self.faults = faults or {}
        self.echo, self.pause = echo, pause
        self.posts = 0
        self.paid: Counter[str] = Counter()
        self.most_at_once = self._now = 0
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def fault(self) -> str:
        with self._lock:
            self.posts += 1
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            return self.faults.get(self.posts, self.faults.get(0, ""))

    def ended(self, body: dict[str, Any], whole: bool) -> None:
        with self._lock:
            self._now -= 1
            if whole:
                self.paid[json.dumps(body, sort_keys=True)] += 1

    def move(self, messages: list[dict[str, Any]]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
        """What is said and called next. messages: role and text of each."""
        question = next(m["text"] for m in messages if m["role"] == "user")
        task = self.tasks.get(question)
        if task is None:
            return "I do not know.", []
        steps, results = task.procedure, [m["text"] for m in messages if m["role"] == "tool"]
        calls = sum(m["role"] == "assistant" for m in messages)
        if not calls:
            return "", [(steps.look.name, dict(steps.look.arguments))]
        found = next((hit for text in results if (hit := re.search(steps.pattern, text))), None)
        if found is None or not found.groups():
            return "I cannot find it.", []
        if steps.then is not None and calls == 1:
            step = steps.then.filled(found=found.group(1))
            return "", [(step.name, dict(step.arguments))]
        assert FOUND
        return f"It is {found.group(1)}.", []


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing is logged."""

        def do_GET(self) -> None:
            self._json(200, {"data": [{"id": MODEL, "owned_by": "tests"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.is_messages = self.path.endswith("/messages")
            given = self.headers.get("x-api-key") or (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            fault, whole = server.fault(), False
            time.sleep(server.pause)
            try:
                if given != KEY:
                    self._json(401, {"error": {"message": f"no such key: {given}"}})
                elif fault.isdigit():
                    after = {"Retry-After": "0"} if fault == "429" else {}
                    said = f"try again, {KEY}" if server.echo else "try again"
                    self._json(int(fault), {"type": "error", "error": {"message": said}}, after)
                elif fault == "drop":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                elif fault == "no json":
                    self._write(200, b"<html>busy</html>", "text/html", {})
                else:
                    self._answer(body, fault)
                    whole = fault not in ("half", "half call")
            finally:
                server.ended(body, whole)

        def _answer(self, body: dict[str, Any], fault: str) -> None:
            text, calls = server.move(_plain(body["messages"]))
            if server.echo:
                text += f" My key is {KEY}."
            usage = None if fault == "no usage" else (1200 + 10 * len(body["messages"]), 40)
            events = (_messages if self.is_messages else _chat)(text, calls, usage)
            is_cut = fault.startswith("half")
            if not body.get("stream"):
                self._json(200, events[-1])
            else:
                self._stream(events[: max(1, (len(events) - 2) // 2)] if is_cut else events[:-1], is_cut)

        def _json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
            self._write(status, json.dumps(value).encode(), "application/json", headers or {})

        def _write(self, status: int, body: bytes, kind: str, headers: dict[str, str]) -> None:
            self.send_response(status)
            if server.echo:
                self.send_header("x-echo", KEY)
            for name, value in (headers | {"Content-Type": kind, "Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def _stream(self, events: list[dict[str, Any]], cut: bool) -> None:
            self.close_connection = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for event in events:
                head = f"event: {event['type']}\n" if self.is_messages else ""
                self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
            if not cut and not self.is_messages:
                self.wfile.write(b"data: [DONE]\n\n")

    return Handler


def _plain(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Role and text of each message or block, results of their own."""
    found = []
    for message in messages:
        content = message.get("content")
        if not isinstance(content, list):
            found.append({"role": message["role"], "text": str(content or "")})
            continue
        if message["role"] == "assistant":
            found.append({"role": "assistant", "text": ""})
            continue
        for block in content:
            is_result = block["type"] == "tool_result"
            found.append({"role": "tool" if is_result else "user", "text": block["content" if is_result else "text"]})
    return found


Calls = list[tuple[str, dict[str, Any]]]


def _chat(text: str, calls: Calls, usage: tuple[int, int] | None) -> list[dict[str, Any]]:
    """Chunks of a chat completion, and the whole one last."""
    made = [
        {"index": n, "id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for n, (name, given) in enumerate(calls)
    ]
    counts = {} if usage is None else {"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}}
    deltas: list[dict[str, Any]] = [{"content": word} for word in re.findall(r"\S+\s*", text)]
    deltas += [{"tool_calls": [call]} for call in made]
    finish = "tool_calls" if calls else "stop"
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    message = {"role": "assistant", "content": text, "tool_calls": made or None}
    whole = {"choices": [{"message": message, "finish_reason": finish}]} | counts
    return [*chunks, {"choices": []} | counts, whole]


def _messages(text: str, calls: Calls, usage: tuple[int, int] | None) -> list[dict[str, Any]]:
    """Events of an Anthropic message, and the whole one last."""
    read = {} if usage is None else {"usage": {"input_tokens": usage[0], "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {"role": "assistant", "content": []} | read}]
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": f"t{n}", "name": name, "input": given} for n, (name, given) in enumerate(calls)
    ]
    for n, block in enumerate(content):
        is_text = block["type"] == "text"
        events.append(
            {
                "type": "content_block_start",
                "index": n,
                "content_block": block | ({"text": ""} if is_text else {"input": {}}),
            }
        )
        parts = re.findall(r"\S+\s*", text) if is_text else [json.dumps(block["input"])]
        for part in parts:
            delta = (
                {"type": "text_delta", "text": part} if is_text else {"type": "input_json_delta", "partial_json": part}
            )
            events.append({"type": "content_block_delta", "index": n, "delta": delta})
        events.append({"type": "content_block_stop", "index": n})
    stop = "tool_use" if calls else "end_turn"
    told = {} if usage is None else {"usage": {"output_tokens": usage[1]}}
    events += [{"type": "message_delta", "delta": {"stop_reason": stop}} | told, {"type": "message_stop"}]
    whole = {"type": "message", "role": "assistant", "content": content, "stop_reason": stop}
    if usage is not None:
        whole["usage"] = {"input_tokens": usage[0], "output_tokens": usage[1]}
    return [*events, whole]
