"""JSON lines that a person may have written: read strictly, and every complaint names the place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import HarnessError, did_you_mean
from harness.json.value import MalformedJson, parse_value

_NAMES: dict[type, str] = {str: "a text", list: "a list", dict: "an object", bool: "true or false", int: "a number"}


class Place:
    """Where something stands, for messages: a file, a line, and a path in it."""

    def __init__(self, line: str, inner: str = "") -> None:
        self.line = line
        self.inner = inner

    def __truediv__(self, inner: str) -> Place:
        return Place(self.line, f"{self.inner}.{inner}" if self.inner else inner)

    def error(self, message: str) -> HarnessError:
        return HarnessError(f"{self.line}: {self.inner}: {message}" if self.inner else f"{self.line}: {message}")

    def wrong(self, wanted: str, found: object) -> HarnessError:
        shown = json.dumps(found, ensure_ascii=False)
        return self.error(f"{wanted}, not {shown if len(shown) <= 60 else shown[:57] + '...'}")

    def check(self, record: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        """The record, if it is an object with none but these keys."""
        if not isinstance(record, dict):
            raise self.wrong("must be an object", record)
        for key in record:
            if key not in keys:
                raise self.error(f"no key is called {key!r}{did_you_mean(key, keys)}; there are: {', '.join(keys)}")
        return record

    def get(self, record: dict[str, Any], key: str, kind: type, default: Any = ...) -> Any:
        """The value of a key, checked against the type; without a default the key must be there."""
        if key not in record:
            if default is ...:
                raise self.error(f"{key!r} is missing")
            return default
        value = record[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise (self / key).wrong(f"must be {_NAMES[kind]}", value)
        return value


def records(path: Path) -> Iterator[tuple[Place, Any]]:
    """The JSON value of each line that is not empty, with its place."""
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); give the path of a task file") from error
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = Place(f"{path}:{number}")
            try:
                value = parse_value(line)
                json.loads(line, object_pairs_hook=_no_doubles)
            except (MalformedJson, _Doubled) as error:
                raise place.error(f"not one JSON value a line: {error}") from error
            yield place, value


class _Doubled(ValueError):
    pass


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Doubled(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is given twice")
    return record
