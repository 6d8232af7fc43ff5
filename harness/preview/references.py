"""Which parts of a tool argument a reference could have stood for.

A value is found by the hash of its compact JSON, so that a lookup costs the same however much is stored. Of
equal values the newest handle is taken (it is the likeliest to be alive and in the model's view), in it the
outermost value, then the first. Equal means the same JSON to the byte: `1`, `1.0` and `true` differ, and so
do two orders of keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.json.value import JsonValue, serialize

if TYPE_CHECKING:
    from harness.preview.values import SessionValues

Place = tuple[str | int, ...]
"""Keys and indexes that lead to a part of a value."""

MIN_BYTES = 40
"""Shorter values (of compact JSON) are not worth a reference; METHOD section 3."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of an argument that equals a stored value or one of its fields.

    at: where the part stands; `()` is the whole argument.
    text: the reference to write instead, `"$r1.rows.0"`.
    bytes: of the part, as compact JSON.
    """

    at: Place
    text: str
    bytes: int


class ReferenceIndex:
    """From the hash of a value's compact JSON to its path, over all values stored so far."""

    def __init__(self) -> None:
        self._paths: dict[int, str] = {}
        self._handles = 0

    def path(self, values: SessionValues, raw: bytes) -> str | None:
        """The path (`r1.rows.0`) of the value with this compact JSON, among all values stored by now."""
        for handle in values.handles()[self._handles :]:
            found: dict[int, str] = {}
            for path, part in _parts(handle, values.lookup(handle)):
                found.setdefault(hash(part), path)
            self._paths.update(found)
            self._handles += 1
        return self._paths.get(hash(raw))


def _parts(path: str, value: JsonValue) -> Iterator[tuple[str, bytes]]:
    """All parts of a value that can be referred to and are long enough, outermost first."""
    if not isinstance(value, (str, list, dict)):
        return
    raw = serialize(value)
    if len(raw) < MIN_BYTES:
        return
    yield path, raw
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _parts(f"{path}.{index}", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if "." not in key:
                yield from _parts(f"{path}.{key}", item)


def find_references(values: SessionValues, argument: JsonValue) -> list[Reference]:
    """References for the whole argument, or else for the outermost parts of it that are stored, in order.

    Each resolves to exactly the part that it stands for. Parts under `MIN_BYTES` are not looked up.
    """
    return list(_found(values, argument, ()))


def _found(values: SessionValues, value: JsonValue, at: Place) -> Iterator[Reference]:
    if not isinstance(value, (str, list, dict)):
        return
    raw = serialize(value)
    if len(raw) < MIN_BYTES:
        return
    path = values.index.path(values, raw)
    if path is not None and same(values.lookup(path), value):
        yield Reference(at, f"${path}", len(raw))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _found(values, item, (*at, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _found(values, item, (*at, key))


def rewrite(values: SessionValues, argument: JsonValue) -> tuple[JsonValue, list[Reference]]:
    """The argument with references in place of what is stored, and these references.

    The result is resolved again as the agent's tools would do it. Where the original does not come back,
    because something else in it looks like a reference, the argument stays as it is, without references.
    """
    references = find_references(values, argument)
    rewritten = _replaced(argument, {reference.at: reference.text for reference in references}, ())
    if references and same(values.resolve(rewritten).params, argument):
        return rewritten, references
    return argument, []


def _replaced(value: JsonValue, texts: dict[Place, str], at: Place) -> JsonValue:
    if at in texts:
        return texts[at]
    if isinstance(value, list):
        return [_replaced(item, texts, (*at, index)) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: _replaced(item, texts, (*at, key)) for key, item in value.items()}
    return value


def same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are the same JSON: 1, 1.0 and True differ, 0.0 and -0.0, and orders of keys."""
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and one == other
    return repr(one) == repr(other)
