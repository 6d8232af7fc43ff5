"""Talking to a chat server, of OpenAI's or Anthropic's protocol: one POST, answered by server-sent events or whole.

What may be a passing failure is asked again, after a wait that doubles and varies, or that the server names: 408, 409,
425, 429, 500, 502, 503, 504, 529, a connection that breaks, an answer that ends in its middle. Whatever comes from the
server is kept without the key, should it send that back.

The standard library carries it: there is one request at a time and one reader, so a client library would only add a
dependency and take the clock further away from the first byte.
"""

from __future__ import annotations

import http.client
import os
import random
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import SplitResult, urlsplit

import orjson

from harness.engines.overflow import refusal
from harness.engines.turn import Answer, EngineFailure
from harness.engines.wire_names import WireNames
from harness.errors import HarnessError

MOST_BYTES: Final = 16 << 20
LONGEST_WAIT: Final = 60.0
FIRST_WAIT: Final = 0.25
AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
NAME: Final = "context-policy-harness"

Answered = TypeVar("Answered")


@dataclass(frozen=True)
class ChatServer:
    """url: the base, up to and with `/v1`. key_variable: the environment variable that holds the key, if any.

    seconds: without any byte until a request counts as hung. retries: of what may be a passing failure. path: of what
    is asked. headers: further ones. key_header: that bears the key; `Authorization` bears it behind `Bearer`.
    """

    url: str
    key_variable: str
    seconds: float
    retries: int
    path: str = "/chat/completions"
    headers: Mapping[str, str] = field(default_factory=dict)
    key_header: str = "Authorization"

    def models(self) -> list[dict[str, Any]]:
        """What `GET /models` lists; empty if the server has no such list. Raises `HarnessError` if it is not there."""
        place = f"{self.url} (key from {self.key_variable})"
        try:
            with self._open("GET", "/models", None) as answer:
                if answer.status in (401, 403):
                    raise HarnessError(f"{place}: the server refuses the key; set {self.key_variable}")
                listed = orjson.loads(_bounded(answer)) if answer.status == 200 else {}
        except (OSError, http.client.HTTPException) as error:
            raise HarnessError(f"{place}: no server answers ({error}); start it, or give another url") from error
        except orjson.JSONDecodeError:
            return []
        data = listed.get("data") if isinstance(listed, dict) else None
        return [model for model in data if isinstance(model, dict)] if isinstance(data, list) else []

    def ask(self, body: Mapping[str, Any], read: Callable[[Reply], Answered]) -> tuple[Answered, Reply]:
        """What `read` makes of the reply, and the reply, after retries if need be.

        What is refused, or fails still after them, is an `EngineFailure` without the key in it.
        """
        for attempt in range(self.retries + 1):
            last = attempt == self.retries
            wait = _wait(None, attempt)
            try:
                with self._open("POST", self.path, orjson.dumps(body)) as reply:
                    if reply.status == 200:
                        reply.retries = attempt
                        return read(reply), reply
                    said = reply.read(2000).decode("utf-8", "replace")
                if reply.status not in AGAIN or last:
                    raise refusal(said, f"HTTP {reply.status}: ")
                wait = _wait(reply.header("Retry-After"), attempt)
            except Torn as torn:
                if last and torn.answered is not None:
                    return torn.answered, reply
                if last:
                    raise EngineFailure("half line", str(torn)) from torn
            except TimeoutError as error:
                raise EngineFailure("timeout", f"no byte for {self.seconds:g} s") from error
            except (OSError, http.client.HTTPException) as error:
                if last:
                    raise EngineFailure("refused", self._without_key(f"the connection broke: {error}")) from error
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def without_key(self, data: bytes) -> bytes:
        """What the server sent, with the key's name in place of the key, also as JSON escapes it."""
        key = self._key()
        if not key:
            return data
        name = f"[{self.key_variable}]".encode()
        for form in {key.encode(), orjson.dumps(key)[1:-1], orjson.dumps(key)[1:-1].replace(b"/", b"\\/")}:
            data = data.replace(form, name)
        return data

    def _open(self, method: str, path: str, body: bytes | None) -> Reply:
        parts = _parts(self.url)
        host, port = parts.hostname or "", parts.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=self.seconds, context=ssl.create_default_context())
            if parts.scheme == "https"
            else http.client.HTTPConnection(host, port, timeout=self.seconds)
        )
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream", "User-Agent": NAME}
        headers |= self.headers
        if key := self._key():
            headers[self.key_header] = f"Bearer {key}" if self.key_header == "Authorization" else key
        try:
            asked = time.perf_counter()
            connection.request(method, parts.path.rstrip("/") + path, body, headers)
            return Reply(connection, connection.getresponse(), asked, self.without_key)
        except BaseException:
            connection.close()
            raise

    def _key(self) -> str:
        return os.environ.get(self.key_variable, "") if self.key_variable else ""

    def _without_key(self, text: str) -> str:
        return self.without_key(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


class Whole(Protocol):
    """What is put together from the events of an answer."""

    pieces: int

    @property
    def prompt_tokens(self) -> int | None: ...

    @property
    def cached_tokens(self) -> int | None: ...

    @property
    def output_tokens(self) -> int | None: ...

    def add(self, event: Mapping[str, Any]) -> None: ...

    @property
    def is_torn(self) -> bool: ...

    def check_fits(self) -> None: ...

    def written(self, names: WireNames) -> bytes: ...


def timed(server: ChatServer, body: Mapping[str, Any], make: Callable[[], Whole], names: WireNames) -> Answer:
    """A turn asked and answered, by the clock beside it."""
    began = time.perf_counter()

    def read(reply: Reply) -> tuple[Whole, float | None, float]:
        answer, first = make(), None
        for event in reply.events():
            answer.add(event)
            if first is None and answer.pieces:
                first = time.perf_counter() - reply.asked
        found = answer, first, time.perf_counter()
        if answer.is_torn:
            raise Torn("the answer ended in its middle", found)
        return found

    (answer, first, ended), reply = server.ask(body, read)
    answer.check_fits()
    return Answer(
        server.without_key(answer.written(names)),
        ended - (began if reply.retries else reply.asked),
        first if answer.pieces > 1 else None,
        answer.prompt_tokens,
        answer.output_tokens,
        answer.pieces,
        reply.retries,
        answer.cached_tokens,
    )


class Torn(Exception):
    """An answer that ended in its middle. answered: what there is of it, where that is worth keeping."""

    def __init__(self, why: str, answered: Any = None) -> None:
        super().__init__(why)
        self.answered = answered


class Reply:
    """A response and the connection that ends with it.

    asked: when the request was sent, by `time.perf_counter`. retries: requests before it that failed.
    """

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        asked: float,
        clean: Callable[[bytes], bytes],
    ) -> None:
        self._connection = connection
        self._response = response
        self._clean = clean
        self.status = response.status
        self.asked = asked
        self.retries = 0

    def header(self, name: str) -> str | None:
        return self._response.getheader(name)

    def read(self, most: int) -> bytes:
        return self._clean(self._response.read(most))

    def events(self) -> Iterator[dict[str, Any]]:
        """The events of the stream as they come; of a server that does not stream, its one answer."""
        try:
            yield from _events(self, self._response, self._clean)
        except TimeoutError as error:
            raise EngineFailure("timeout", "the answer stopped in the middle") from error
        except (OSError, http.client.HTTPException) as error:
            raise Torn(f"the connection broke in the middle: {type(error).__name__}") from error

    def __enter__(self) -> Reply:
        return self

    def __exit__(self, *_: object) -> None:
        self._response.close()
        self._connection.close()


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise HarnessError(f"url={url!r} is no address of a server; give one such as http://127.0.0.1:8080/v1")
    if parts.username or parts.password or parts.query:
        raise HarnessError(
            "url: it is written into results, so no user, password or query in it; a key goes into a variable"
        )
    return parts


def _events(
    reply: Reply, response: http.client.HTTPResponse, clean: Callable[[bytes], bytes]
) -> Iterator[dict[str, Any]]:
    kind = (reply.header("Content-Type") or "").partition(";")[0].strip().lower()
    if kind != "text/event-stream":
        yield _object(_bounded(reply))
        return
    total = 0
    while line := response.readline(MOST_BYTES + 1):
        total += len(line)
        if total > MOST_BYTES:
            raise EngineFailure("flood", f"an answer of more than {MOST_BYTES:,} bytes")
        name, _, value = clean(line).rstrip(b"\r\n").partition(b":")
        if name != b"data":
            continue
        if value.strip() == b"[DONE]":
            return
        yield _object(value)
    # Without [DONE]: some servers leave it out, so whether the answer is whole is for its reader to say.


def _bounded(reply: Reply) -> bytes:
    whole = reply.read(MOST_BYTES + 1)
    if len(whole) > MOST_BYTES:
        raise EngineFailure("flood", f"an answer of more than {MOST_BYTES:,} bytes")
    return whole


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise EngineFailure("refused", f"the server's answer is no JSON: {error}", bytes(text)) from error
    if not isinstance(value, dict):
        raise EngineFailure("refused", "the server's answer is no JSON object", bytes(text))
    return value


def _wait(told: str | None, attempt: int) -> float:
    try:
        seconds = float(told or "")
    except ValueError:
        seconds = FIRST_WAIT * (1 << attempt) * (1 + random.random())  # so that those who were refused at once part
    return min(LONGEST_WAIT, max(0.0, seconds))
