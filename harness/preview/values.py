"""The values that a run keeps, and the references (`$r1`, `$r1.field.0`) that stand for them in arguments.

values = SessionValues()
values.put({"rows": [1, 2, 3]})                     # "r1"
values.resolve({"rows": "$r1.rows"}).params         # {"rows": [1, 2, 3]}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from harness.json.value import JsonValue
from harness.preview.references import ReferenceIndex


@dataclass(frozen=True, slots=True)
class Resolved:
    """params: with every reference replaced. references: those replaced, without `$`, in order."""

    params: JsonValue
    references: tuple[str, ...]


class SessionValues:
    """Values of one run as `r1`, `r2`, ... in the order of storing. They must not be changed afterwards."""

    def __init__(self) -> None:
        self._values: dict[str, JsonValue] = {}

    def put(self, value: JsonValue) -> str:
        """Keep a value and return its handle."""
        handle = f"r{len(self._values) + 1}"
        self._values[handle] = value
        return handle

    def __len__(self) -> int:
        return len(self._values)

    def handles(self) -> tuple[str, ...]:
        """All handles, the oldest first."""
        return tuple(self._values)

    def lookup(self, path: str) -> JsonValue:
        """What `r1` or `r1.field.0` stands for; `KeyError` if nothing.

        After the handle each part between dots is a key of an object or an index of an array: ASCII digits
        with an optional plus sign before them. An empty part is the empty key.
        """
        handle, dot, rest = path.partition(".")
        value = self._values[handle]
        for part in rest.split(".") if dot else ():
            value = _child(value, part, path)
        return value

    def resolve(self, params: JsonValue) -> Resolved:
        """Replace references in a tool's parameters.

        A reference is a whole string; keys are none, and what it stands for is not resolved again. One that
        stands for nothing stays as it is, without an error.
        """
        references: list[str] = []
        return Resolved(self._resolved(params, references), tuple(references))

    def _resolved(self, value: JsonValue, references: list[str]) -> JsonValue:
        if isinstance(value, dict):
            return {key: self._resolved(item, references) for key, item in value.items()}
        if isinstance(value, list):
            return [self._resolved(item, references) for item in value]
        if isinstance(value, str) and value.startswith("$"):
            try:
                found = self.lookup(value[1:])
            except KeyError:
                return value
            references.append(value[1:])
            return found
        return value

    @cached_property
    def index(self) -> ReferenceIndex:
        """Finds the reference that stands for a value (`harness.preview.references`)."""
        return ReferenceIndex()


def _child(value: JsonValue, part: str, path: str) -> JsonValue:
    if isinstance(value, dict):
        return value[part]
    if isinstance(value, list):
        digits = part[1:] if part.startswith("+") else part
        # An index of more digits than 64 bits have may still be small ("000...1"), but never large and
        # present.
        if digits.isascii() and digits.isdigit():
            digits = digits.lstrip("0") or "0"
            if len(digits) <= 20 and int(digits) < len(value):
                return value[int(digits)]
    raise KeyError(path)
