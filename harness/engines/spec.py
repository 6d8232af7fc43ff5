"""From what a user writes to an engine: `name` or `name:key=value,key=value`, or a TOML table with the key `engine`.

tiny
needle:library=lib/libneedle3.so,weights=needle3.cact
command:run="./my-engine --quiet"
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any, get_type_hints

from harness import Engine
from harness.engines import ENGINES, GROUP
from harness.errors import HarnessError, did_you_mean
from harness.registry import load, load_all
from harness.spec import convert, plain, split_spec, wanted, written


@dataclasses.dataclass(frozen=True)
class EngineSpec:
    """An engine not yet started. label: as it is written, unique in a run. settings: all, as JSON holds them."""

    label: str
    name: str
    settings: Mapping[str, Any]

    def make(self) -> Engine:
        """The engine itself, in this process, before `load`."""
        cls = engine_class(self.name)
        engine: Engine = cls(**_typed(cls, self.name, self.settings))
        return engine


def read_spec(spec: str | Mapping[str, Any]) -> EngineSpec:
    """Raises `HarnessError` for unknown names and settings and for values that will not do."""
    if isinstance(spec, str):
        name, given = split_spec(spec, "engine")
    else:
        given = dict(spec)
        name = given.pop("engine", "")
        if not isinstance(name, str) or not name:
            raise HarnessError('a table that describes an engine needs its name: add engine = "tiny" or another')
    cls = engine_class(name)
    engine = cls(**_typed(cls, name, given))
    settings = {f.name: plain(getattr(engine, f.name)) for f in _settings(cls)}
    changed = {f.name: settings[f.name] for f in _settings(cls) if settings[f.name] != plain(f.default)}
    label = ",".join(f"{key}={written(value)}" for key, value in changed.items())
    return EngineSpec(f"{name}:{label}" if label else name, name, settings)


def read_specs(specs: Sequence[str | Mapping[str, Any]]) -> list[EngineSpec]:
    """Several engines of one run. One that is given again is told apart by its number: `tiny`, `tiny#2`."""
    found: dict[str, EngineSpec] = {}
    for one in map(read_spec, specs):
        number = sum(label == one.label or label.startswith(f"{one.label}#") for label in found) + 1
        label = one.label if number == 1 else f"{one.label}#{number}"
        found[label] = dataclasses.replace(one, label=label)
    return list(found.values())


def engine_class(name: str) -> Any:
    """The class of an engine, loaded from where the registry says that it is: a dataclass whose fields are settings."""
    cls = load(ENGINES, GROUP, name)
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise HarnessError(f"engine {name!r} is registered as {cls!r}: it must be a dataclass with its settings")
    return cls


def describe_engines() -> list[dict[str, str]]:
    """A row an engine: its name, the first sentence on it, its settings with their defaults."""
    rows = []
    for name in load_all(ENGINES, GROUP):
        cls = engine_class(name)
        what = (sys.modules[cls.__module__].__doc__ or "").strip().partition("\n")[0]
        settings = (
            f.name if f.default is dataclasses.MISSING else f"{f.name}={written(plain(f.default))}"
            for f in _settings(cls)
        )
        rows.append({"engine": name, "what": what, "settings": ", ".join(settings)})
    return rows


def _settings(cls: Any) -> list[dataclasses.Field[Any]]:
    return [field for field in dataclasses.fields(cls) if field.init]


def _typed(cls: Any, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    known = [field.name for field in _settings(cls)]
    written_hints = {field.name: field.type for field in _settings(cls)}
    hints = get_type_hints(type(cls.__name__, (), {"__module__": cls.__module__, "__annotations__": written_hints}))
    found = {}
    for key, value in given.items():
        if key not in known:
            there = ", ".join(known) or "none"
            raise HarnessError(f"engine {name!r} has no setting {key!r}{did_you_mean(key, known)}; there are: {there}")
        try:
            found[key] = convert(hints[key], value)
        except (ValueError, TypeError, OverflowError) as error:
            wish = wanted(hints[key])
            raise HarnessError(f"engine {name!r}: {key}={value!r} will not do; give {wish}") from error
    missing = [f.name for f in _settings(cls) if f.default is dataclasses.MISSING and f.name not in found]
    if missing:
        raise HarnessError(f"engine {name!r} needs {' and '.join(missing)}: write {name}:{missing[0]}=…")
    return found
