"""A session played through a proxy: what was sent, what arrived, and what was done to it on the way."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

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
    """words, environment: with `{port}` and `{upstream}` in them. dialect: a name. seconds: for one request."""

    words: Sequence[str]
    environment: Sequence[str]
    dialect: str
    streams: bool
    seconds: float
    start_seconds: float


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
    """Play a session from its first request to its last, by a proxy that was just started."""
    return _apart(lambda: _play(transcript, setup))


def _apart(work: Callable[[], Played]) -> Played:
    """Do it in a thread of its own: only that one, and what it starts, is cut off from the network."""
    done: list[Played] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001  raised again where it was asked for
            failed.append(error)

    thread = threading.Thread(target=run, name="wire")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


def _play(transcript: Transcript, setup: Setup) -> Played:
    played = Played(cut_off=cut_off())
    with (
        _watched(played),
        _upstream() as upstream,
        Proxy(setup.words, setup.environment, upstream.port, setup.start_seconds) as proxy,
    ):
        for request in requests(transcript, setup.dialect, setup.streams):
            played.steps.append(_step(request, setup, proxy, upstream))
    return played


@contextmanager
def _watched(played: Played) -> Iterator[None]:
    if not played.cut_off:
        yield
        return
    watch = Watch()
    try:
        yield
    finally:
        watch.close()
        played.tried = tuple(sorted(watch.tried))


@contextmanager
def _upstream() -> Iterator[Upstream]:
    upstream = Upstream()
    try:
        yield upstream
    finally:
        upstream.close()


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
