"""Where each argument of a call comes from: the harness's own check, by named rules that are printed with the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from harness.bench.task import Span
from harness.preview.json_value import JsonValue


class Origin(StrEnum):
    """Where a value comes from. Only `ungrounded` is an invention."""

    GROUNDED = "grounded"
    DERIVED = "derived"
    DEFAULT = "default"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class ArgumentGrounding:
    """One value of a call's arguments. rule: the name of the rule that decided. span: where in the input, if anywhere."""

    path: str
    value: JsonValue
    state: Origin
    rule: str
    span: Span | None = None
