"""A session played through a proxy: what was sent, what arrived, and what was done to it on the way."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import lru_cache
from multiprocessing.util import Finalize

from harness.engines.turn import EngineFailure
from harness.policies.wire.cut_off import Watch, cut_off
from harness.policies.wire.dialects import DIALECTS
from harness.policies.wire.matched import Arrived, matched
from harness.policies.wire.proxy import Proxy, request_bytes
from harness.policies.wire.said import Said
from harness.policies.wire.session import Request, as_read, requests
from harness.policies.wire.upstream import Turn, Upstream
from harness.transcript import Transcript


@dataclass(frozen=True)
class Setup:
    """words, environment: with `{port}` and `{upstream}` in them. dialect: a name. seconds: for one request.
    keeps_state: whether it is started anew for every session."""

    words: tuple[str, ...]
    environment: tuple[str, ...]
    dialect: str
    streams: bool
    seconds: float
    start_seconds: float
    keeps_state: bool


@dataclass(frozen=True)
class Step:
    """One request. arrived: its messages as they arrived, `sent` being numbers of the transcript's; what was sent, if
    nothing arrived. dropped: messages that did not. tools: as in `Matched`. told: what was done to it, by name.
    seconds: that the proxy took; own_seconds: that the harness took. failed: the kind of failure, empty without one.
    """

    arrived: tuple[Arrived, ...]
    dropped: tuple[int, ...]
    tools: tuple[tuple[int | None, str], ...]
    told: Counter[str]
    seconds: float
    own_seconds: float
    failed: str
    memory: int | None


@dataclass
class Played:
    """cut_off: whether the proxy had no network but loopback. tried: addresses and names besides, if that is seen."""

    steps: list[Step] = field(default_factory=list)
    cut_off: bool = False
    tried: tuple[str, ...] = ()


def play(transcript: Transcript, setup: Setup) -> Played:
    """Play a session from its first request to its last."""
    if not setup.keeps_state:
        return _running(setup).play(transcript)
    with closing(Line(setup)) as line:
        return line.play(transcript)


class Line:
    """A proxy with our upstream behind it, in a thread of its own: only that one, and what it starts, is cut off."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._stop = False
        self._thread = ThreadPoolExecutor(1, "wire")
        self._proxy: Proxy | None = None
        self._upstream: Upstream | None = None
        self._watch: Watch | None = None

    def play(self, transcript: Transcript) -> Played:
        """By a proxy that is started if none runs. One that was interrupted ends behind its request."""
        try:
            return self._thread.submit(self._play, transcript).result()
        except BaseException:
            self._stop = True
            raise

    def close(self) -> None:
        """End the proxy, and the thread."""
        self._stop = True
        self._thread.shutdown()
        if self._proxy is not None:
            self._proxy.close()
        if self._upstream is not None:
            self._upstream.close()
        if self._watch is not None:
            self._watch.close()

    def _play(self, transcript: Transcript) -> Played:
        proxy, upstream = self._open()
        played = Played(cut_off=self._watch is not None)
        for request in requests(transcript, self._setup.dialect, self._setup.streams):
            if self._stop:
                break
            played.steps.append(_step(request, self._setup, proxy, upstream))
        if self._watch is not None:
            played.tried = self._watch.seen()
        return played

    def _open(self) -> tuple[Proxy, Upstream]:
        if self._upstream is None:
            if cut_off():
                self._watch = Watch()
            self._upstream = Upstream()
        if self._proxy is not None and not self._proxy.running:
            self._proxy.close()
            self._proxy = None
        if self._proxy is None:
            setup = self._setup
            self._proxy = Proxy(setup.words, setup.environment, self._upstream.port, setup.start_seconds)
        return self._proxy, self._upstream


@lru_cache(maxsize=16)
def _running(setup: Setup) -> Line:
    """The one that is kept from session to session, until this process ends."""
    line = Line(setup)
    # Also where a worker of multiprocessing ends, which leaves without looking at what else there is to finish.
    Finalize(line, line.close, exitpriority=10)
    return line


def _step(request: Request, setup: Setup, proxy: Proxy, upstream: Upstream) -> Step:
    began = time.perf_counter()
    dialect = DIALECTS[setup.dialect]
    sent = as_read(dialect, request)
    body = request_bytes(dialect.body(request.sent))
    upstream.turn = turn = Turn(request.answer, request.sent.model)
    asked = time.perf_counter()
    failed, told = "", Counter[str]()
    try:
        reply = proxy.post(dialect.path, body, setup.seconds)
        if reply.status != 200:
            failed = "refused"
        elif not turn.arrived:
            told["answered by itself"] = 1
    except EngineFailure as failure:
        failed = failure.kind
    answered = time.perf_counter()
    if not proxy.running:
        failed = failed or "crash"
    told += Counter(turn.strange)
    told["asked more than once"] = max(0, len(turn.arrived) - 1)
    arrived = sent
    if turn.arrived:
        name, arrived = turn.arrived[0]
        told["another dialect"] = int(name != setup.dialect)
    return _told(request, sent, arrived, told, failed, answered - asked - turn.seconds, began, answered - asked, proxy)


def _told(
    request: Request,
    sent: Said,
    arrived: Said,
    told: Counter[str],
    failed: str,
    seconds: float,
    began: float,
    there_and_back: float,
    proxy: Proxy,
) -> Step:
    found = matched(sent, arrived)
    numbered = tuple(
        one if one.sent is None else replace(one, sent=request.messages[one.sent]) for one in found.arrived
    )
    return Step(
        arrived=numbered,
        dropped=tuple(request.messages[at] for at in found.dropped),
        tools=found.tools,
        told=+(told + found.told),
        seconds=max(0.0, seconds),
        own_seconds=time.perf_counter() - began - max(0.0, seconds),
        failed=failed,
        memory=proxy.memory(),
    )
