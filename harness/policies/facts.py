"""What a marker can say of one cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.policies import template
from harness.policies.family import Arrival
from harness.policies.sizes import short_size, spaced_size
from harness.policies.units import Bytes, Unit, line_count, utf8_length


@dataclass(frozen=True, slots=True)
class Facts(Mapping[str, int | str]):
    """The fields of `template.FIELDS` for a cut that leaves out `arrival.value[start:end]`.

    Each is worked out only when a marker names it, since most name one or two. length: of the value, in base units of
    `measure`; limit, head_budget, tail_budget: in its units.
    """

    arrival: Arrival
    start: int
    end: int
    measure: Unit
    length: int
    elided_bytes: int
    limit: int
    head_budget: int
    tail_budget: int
    path_template: str

    def __getitem__(self, name: str) -> int | str:
        value = self.arrival.value
        match name:
            case "total":
                return -(-self.length // self.measure.step)
            case "limit":
                return self.limit
            case "elided":
                of_bytes = isinstance(self.measure, Bytes)
                return -(-self.elided_bytes // self.measure.step) if of_bytes else self.units(self.gap())
            case "excess":
                return -(-self.length // self.measure.step) - self.limit
            case "head":
                return self.head_budget
            case "tail":
                return self.tail_budget
            case "shown":
                return self.units(value[: self.start])
            case "bytes":
                return utf8_length(value)
            case "chars":
                return len(value)
            case "tokens4":
                return -(-utf8_length(value) // 4)
            case "lines":
                return line_count(value)
            case "elided_bytes":
                return self.elided_bytes
            case "elided_chars":
                return self.end - self.start
            case "elided_lines":
                return line_count(self.gap())
            case "head_lines":
                return line_count(value[: self.start])
            case "next_line":
                return value.count("\n", 0, self.start) + 1
            case "first_tail_line":
                return value.count("\n", 0, self.end) + 1
            case "size":
                return short_size(utf8_length(value))
            case "char_size":
                return spaced_size(len(value))
            case "unit":
                return self.measure.noun
            case "tool":
                return self.arrival.tool
            case "id":
                return self.arrival.id
            case "path":
                return template.fill(self.path_template, self)
            case _:
                raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(template.FIELDS)

    def __len__(self) -> int:
        return len(template.FIELDS)

    def gap(self) -> str:
        """What is left out."""
        return self.arrival.value[self.start : self.end]

    def units(self, text: str) -> int:
        """Length of a text in the policy's unit, rounded up."""
        return -(-self.measure.length(text) // self.measure.step)
