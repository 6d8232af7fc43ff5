"""What a grid is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import product

from harness.engines.spec import EngineSpec, engine_class, read_spec
from harness.errors import HarnessError
from harness.runs import fields as shared
from harness.settings import Settings, setting


@dataclass(frozen=True)
class GridSettings(Settings):
    """Which engines, at which sizes, under which of their settings."""

    engines: tuple[str, ...] = shared.engines()
    axes: tuple[str, ...] = setting(
        "--axis NAME=V+V", "A setting of the engines to vary: threads=1+2, kv=f16+q8_0.", ()
    )
    prompts: tuple[int, ...] = setting(
        "--prompt N", "Tokens of a prompt; the default is 128 to 8192.", (128, 512, 1024, 2048, 4096, 8192), least=16
    )
    written: int = setting("--written N", "Tokens to be written behind each prompt.", 64, least=2)
    turns: int = setting("--turns N", "Unique prompts of a size in a repetition.", 3, least=1)
    repetitions: int = setting("--repetitions N", "How often the grid is gone through.", 5, least=1)
    starts: int = setting("--starts N", "Cold and warm starts of each engine.", 3, least=0)
    minutes: float = setting("--minutes M", "Without a pause, at the end, for each engine.", 0.0, least=0)
    turn_seconds: float = shared.turn_seconds(120.0)

    def specs(self) -> list[EngineSpec]:
        """The engines, each under every combination of the axes, told apart by their labels. Raises `HarnessError`."""
        if not self.engines:
            raise HarnessError("no engine to measure: name one with --engine")
        axes = [list(_points(axis)) for axis in self.axes]
        found: dict[str, EngineSpec] = {}
        for written in self.engines:
            for point in product(*axes):
                more = ",".join(f"{name}={value}" for name, value in point)
                mark = ("," if ":" in written else ":") if more else ""
                spec = read_spec(f"{written}{mark}{more}")
                if spec.label in found:
                    raise HarnessError(f"{spec.label} is asked for twice: give each engine and each value once")
                found[spec.label] = spec
        return [_going_on(spec) for spec in found.values()]

    def sizes(self) -> list[int]:
        return sorted(set(self.prompts))


def _points(axis: str) -> Iterator[tuple[str, str]]:
    name, _, values = axis.partition("=")
    if not name or not values:
        raise HarnessError(f"--axis {axis!r} is no axis: write a setting and its values, such as threads=1+2")
    yield from ((name, value) for value in values.split("+"))


def _going_on(spec: EngineSpec) -> EngineSpec:
    """The same engine as it writes on until its budget ends, where it can: a grid asks for tokens, not for calls."""
    if "raw" in {field.name for field in fields(engine_class(spec.name))}:
        return replace(spec, settings={**spec.settings, "raw": True})
    return spec
