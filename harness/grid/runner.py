"""The work of a grid: starts, then every size and every repetition, one engine at a time, then minutes on end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from harness.bench.claims import claims
from harness.bench.runner import REAL, World
from harness.bench.session import Handle
from harness.engines.envelope import CompleteError, EnvelopeError, parse_completion
from harness.engines.process import Started
from harness.engines.spec import EngineSpec
from harness.engines.turn import Answer, EngineFailure, TurnInput
from harness.engines.usage import Usage
from harness.errors import HarnessError
from harness.grid.power import clock, energy, joules
from harness.grid.prompts import Measured, measured, prompt, words_for
from harness.grid.settings import GridSettings
from harness.runs.kind import Going, Record

CANARY: Final = 512
"""Tokens of the prompt that is sent twice, or the largest size that is smaller."""


def work(settings: GridSettings, going: Going) -> Iterator[Record]:
    """The records of what is not done yet. Engines are stopped by a signal while another one runs."""
    world = going.world or REAL
    records = list(going.records())
    done = {_key(record) for record in records if record["kind"] != "run"}
    began = next(record["started"] for record in records if record["kind"] == "run")
    specs = settings.specs()
    pieces = len(specs) * (settings.starts + settings.repetitions + (settings.minutes > 0))
    running = {spec.label: Running(spec, world.open(spec, settings), world, began) for spec in specs}  # type: ignore[arg-type]
    try:
        for number, (key, engine, make) in enumerate(_plan(settings, running), 1):
            if key not in done:
                engine.go_on()
                yield {**dict(zip(("kind", "engine", "number"), key, strict=True)), **make()}
                engine.pause()
            going.progress(number, pieces)
    finally:
        for engine in running.values():
            engine.handle.close()


def _key(record: Record) -> tuple[str, str, int]:
    return record["kind"], record["engine"], record["number"]


def _plan(settings: GridSettings, running: dict[str, Running]) -> Iterator[tuple[tuple[str, str, int], Running, Any]]:
    for label, engine in running.items():
        for number in range(1, settings.starts + 1):
            yield ("starts", label, number), engine, engine.starts
    for number in range(1, settings.repetitions + 1):
        for label, engine in running.items():
            yield (("cells", label, number), engine, lambda e=engine, n=number: e.cells(settings, n))
    if settings.minutes:
        for label, engine in running.items():
            yield ("sustained", label, 1), engine, lambda e=engine: e.sustained(settings)


@dataclass
class Running:
    """An engine of the grid, started when it is first needed."""

    spec: EngineSpec
    handle: Handle
    world: World
    began: float
    _baseline: Usage | None = None
    _identity: Record = field(default_factory=dict)
    _remote: bool = False
    _probes: Measured | None = None

    def go_on(self) -> None:
        if self.handle.running:
            self.handle.go_on()

    def pause(self) -> None:
        if self.handle.running:
            self.handle.pause()

    def starts(self) -> Record:
        """A start with its files dropped from the system's cache as far as the system does it, and one right after."""
        return {"starts": [self._start_once(is_cold) for is_cold in (True, False)], "identity": self._identity}

    def _start_once(self, is_cold: bool) -> Record:
        self.handle.close()
        if is_cold:
            for value in self.spec.settings.values():
                _drop(str(value))
        started = self._start()
        loaded = self._peak()
        first, second = (self._turn(prompt(20, "start", is_cold, n), 8) for n in (1, 2))
        return {
            "cold": is_cold,
            "load_seconds": started.load_seconds,
            "loaded_bytes": loaded,
            "first_turn": first["first_seconds"],
            "second_turn": second["first_seconds"],
            "failure": first["failure"] or second["failure"],
        }

    def cells(self, settings: GridSettings, repetition: int) -> Record:
        """Every size once, ascending, and the canary."""
        self._warm(settings)
        turns: list[Record] = []
        for size in settings.sizes():
            for number in range(1, settings.turns + 1):
                text = prompt(self._words_for(size), self.spec.label, size, repetition, number)
                turns.append(self._named("cell", size, repetition, number, text, settings.written))
                if turns[-1]["failure"] == "overflow":
                    break
        small = [size for size in settings.sizes() if size <= CANARY] or settings.sizes()[:1]
        canary = prompt(self._words_for(small[-1]), "canary", repetition)
        turns += [self._named("canary", small[-1], repetition, n, canary, 2) for n in (1, 2)]
        return {"turns": turns, "identity": self._identity}

    def sustained(self, settings: GridSettings) -> Record:
        """The smallest size again and again until the time is over."""
        self._warm(settings)
        size = settings.sizes()[0]
        turns: list[Record] = []
        until = self.world.now() + 60 * settings.minutes
        while self.world.now() < until:
            number = len(turns) + 1
            text = prompt(self._words_for(size), self.spec.label, "sustained", number)
            turns.append(self._named("sustained", size, 0, number, text, settings.written))
            if turns[-1]["failure"]:
                break
        return {"turns": turns, "identity": self._identity}

    def _warm(self, settings: GridSettings) -> None:
        if not self.handle.running:
            self._start()
            for number in (1, 2):
                self._turn(prompt(20, "warm", number), settings.written)

    def _start(self) -> Started:
        try:
            started = self.handle.start()
            self.handle.declare([], "")
        except EngineFailure as failure:
            raise HarnessError(f"engine {self.spec.label} could not be started: {failure}") from failure
        self._baseline, self._remote = started.baseline, started.identity.remote
        self._identity = started.identity.to_record()
        return started

    def _words_for(self, size: int) -> int:
        if self._probes is None:
            self._probes = measured(lambda text: self._turn(text, 2)["prompt_tokens"])
        return words_for(size, self._probes)

    def _named(self, what: str, size: int, repetition: int, number: int, text: str, budget: int) -> Record:
        head = {"what": what, "prompt": size, "repetition": repetition, "number": number}
        head |= {"prompt_bytes": len(text), "started": self.world.now() - self.began}
        return head | self._turn(text, budget)

    def _turn(self, text: str, budget: int) -> Record:
        before = energy()
        try:
            if not self.handle.running:
                self._start()
            self.handle.reset()
            answer = self.handle.complete(TurnInput("grid/1", text), budget)
        except EngineFailure as failure:
            return _observed(Answer(b"")) | {"failure": failure.kind, "detail": failure.detail[:500]}
        seen = {"peak_bytes": self._peak(), "joules": joules(before, energy()), "clock_mhz": clock()}
        return _observed(answer) | {"failure": "", "detail": ""} | seen

    def _peak(self) -> int | None:
        now = self.handle.usage()
        if now is None or self._baseline is None or self._remote:
            return None
        return now.peak_bytes - self._baseline.peak_bytes


def _observed(answer: Answer) -> Record:
    found: Record = {
        name: getattr(answer, name) for name in ("seconds", "first_seconds", "prompt_tokens", "output_tokens")
    }
    found |= {"gaps": "", "claimed_prefill": None, "claimed_decode": None}
    found |= {"peak_bytes": None, "joules": None, "clock_mhz": None}
    try:
        completion = parse_completion(answer.envelope)
    except CompleteError as error:
        if error.completion is None:
            return found
        completion = error.completion
    except EnvelopeError:
        return found
    told = claims(completion)
    gaps = orjson.loads(answer.envelope).get("inter_token_ms")
    if isinstance(gaps, list) and all(isinstance(gap, int | float) for gap in gaps):
        found["gaps"] = "+".join(f"{gap:.3f}" for gap in gaps)
    return found | {"claimed_prefill": told.prefill, "claimed_decode": told.decode}


def _drop(value: str) -> None:
    """Ask the system to forget what it holds of a file; it keeps pages that somebody still uses."""
    if value and Path(value).is_file() and hasattr(os, "posix_fadvise"):
        with Path(value).open("rb") as stream:
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
