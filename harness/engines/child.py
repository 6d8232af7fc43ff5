"""The process in which an engine runs: a JSON line in, a JSON line out, started by `harness.engines.process`.

The engine's own output goes to standard error, so that a library that prints cannot disturb the lines.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import orjson

from harness import Engine
from harness.children import end_with_parent
from harness.engines.raw import pack
from harness.engines.spec import EngineSpec
from harness.engines.turn import EngineFailure, TurnInput
from harness.errors import HarnessError


class Worker:
    """Carries out requests on one engine, and keeps account of the CPU time that was not the engine's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._inside = 0.0
        self._began = time.process_time()

    def carry_out(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request. A failed turn and a wrong setup are answers too."""
        before = time.process_time()
        try:
            return self._call(request)
        except EngineFailure as failure:
            return {"failed": failure.kind, "detail": failure.detail, "envelope": pack(failure.received)}
        except HarnessError as error:
            return {"failed": "setup", "detail": str(error)}
        finally:
            self._inside += time.process_time() - before

    def _call(self, request: dict[str, Any]) -> dict[str, Any]:
        engine = self._engine
        match request["do"]:
            case "load":
                began = time.perf_counter()
                engine.load()
                seconds = time.perf_counter() - began
                return {"seconds": seconds, "identity": engine.identity().to_record()}
            case "declare":
                declared = engine.declare(request["tools"], request["system"])
                return {"seconds": declared.seconds, "prefix_tokens": declared.prefix_tokens}
            case "complete":
                if request["reset"]:
                    engine.reset()
                turn = TurnInput(request["id"], request["input"], request["context"], request.get("chat", ()))
                answer = engine.complete(turn, request["max_tokens"])
                return {"envelope": pack(answer.envelope)} | answer.to_record()
            case "overhead":
                return {"seconds": time.process_time() - self._began - self._inside}
            case what:
                raise AssertionError(f"unknown request {what!r}")


def main() -> None:
    """Serve until the input ends."""
    end_with_parent()
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    first = orjson.loads(sys.stdin.buffer.readline())
    engine = EngineSpec(first["label"], first["name"], first["settings"]).make()
    worker = Worker(engine)
    lines.write(orjson.dumps({}) + b"\n")
    lines.flush()
    try:
        for line in sys.stdin.buffer:
            lines.write(orjson.dumps(worker.carry_out(orjson.loads(line))) + b"\n")
            lines.flush()
    finally:
        engine.close()


if __name__ == "__main__":
    main()
