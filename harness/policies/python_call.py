"""A function as a policy, in this process: `python:call=package.module:function`.

It is called with the result's text, and with `tool` and `arguments` by name where it takes them. It returns a text, or
what a `command` may answer. What it raises is a crash, and the result stands as recorded. A call that never returns is
never ended: for that, and where memory matters, give it a process of its own with `command`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

from harness.engines.turn import EngineFailure, sha256_of
from harness.errors import HarnessError
from harness.policies.family import Arrival
from harness.policies.program import Answered, Filter, Filtering, answered


@dataclass(frozen=True, kw_only=True)
class Python(Filtering):
    """What a function makes of each result: `call` is `package.module:function`, or of a class, which is made anew for
    every session if it keeps state, and called.
    """

    call: str = ""

    def open(self) -> Filter:
        return Called(self.call)

    def shared(self) -> Filter:
        return _shared(self.call)

    def ran(self) -> Mapping[str, Any]:
        found = _found(self.call)
        file = inspect.getsourcefile(inspect.unwrap(found))
        package = self.call.partition(":")[0].partition(".")[0]
        versions: dict[str, str] = {}
        for name in packages_distributions().get(package, ()):
            try:
                versions[name] = version(name)
            except PackageNotFoundError:
                continue
        return {"call": self.call, "versions": versions, "hashes": {"module": sha256_of(Path(file))} if file else {}}


class Called:
    """The function, and which of the names it takes."""

    def __init__(self, call: str) -> None:
        found = _found(call)
        self._function: Callable[..., Any] = _made(found) if inspect.isclass(found) else found
        taken = inspect.signature(self._function).parameters
        every = any(p.kind is p.VAR_KEYWORD for p in taken.values())
        self._names = [name for name in ("tool", "arguments") if every or name in taken]

    def ask(self, arrival: Arrival) -> Answered:
        known = {"tool": arrival.tool, "arguments": arrival.call.arguments if arrival.call else ""}
        try:
            found = self._function(arrival.value, **{name: known[name] for name in self._names})
        except Exception as error:  # whatever a stranger's function does
            raise EngineFailure("crash", f"{type(error).__name__}: {error}") from error
        return answered(found)

    def memory(self) -> int | None:
        return None

    def close(self) -> None:
        pass


@lru_cache(maxsize=64)
def _shared(call: str) -> Filter:
    return Called(call)


def _made(found: Any) -> Any:
    """An object of a class, which must be one that can be called."""
    made = found()
    if not callable(made):
        raise HarnessError(f"{found.__qualname__} makes nothing that can be called: give it a __call__ method")
    return made


def _found(call: str) -> Any:
    module, _, attribute = call.partition(":")
    if not module or not attribute:
        raise HarnessError(f"call={call!r} names no function: give package.module:function")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise HarnessError(f"call={call!r} cannot be found ({error}); is its package installed here?") from error
    if not callable(found):
        raise HarnessError(f"call={call!r} is no function: give package.module:function")
    return found
