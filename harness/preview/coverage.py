"""How much of a value a preview shows, in bytes of the value.

For a text this is exact: the ranges of its head and tail. For JSON it is counted in the compact JSON of the
value, whatever
the recorded text looked like: a byte is shown if the key or scalar that it spells stands in the preview
    (escaped or bare), or if it is the punctuation around shown ones. Of a clipped string the kept UTF-8
    bytes count; a field of which only kind and size are shown counts nothing beyond its key. So `shown ==
    total` exactly when nothing is left out, and no budget that grows makes `shown` smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from harness.json.value import JsonValue, serialize
from harness.preview.text import clip_head, clip_tail, utf8_length
from harness.preview.typed import REFERENCE_BUDGETS, Budgets, Measured

LABEL = len("array(0)")
"""Bytes that it takes to say in a cell that a list or an object is empty."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Bytes of the value (of a text, or of compact JSON), and how many of them the preview shows."""

    total: int
    shown: int

    @property
    def elided(self) -> int:
        """Bytes of the value that the preview does not show."""
        return self.total - self.shown


def visible_ranges(text: str | Measured, budgets: Budgets = REFERENCE_BUDGETS) -> tuple[tuple[int, int], ...]:
    """The byte ranges of a text (UTF-8, end exclusive) that its preview shows; empty ranges are left out."""
    measured = text if isinstance(text, Measured) else Measured(text)
    if measured.size <= budgets.text_head_bytes + budgets.text_tail_bytes:
        ends = [(0, measured.size)]
    else:
        head = utf8_length(clip_head(measured.value, budgets.text_head_bytes))
        tail = utf8_length(clip_tail(measured.value, budgets.text_tail_bytes))
        ends = [(0, head), (measured.size - tail, measured.size)]
    return tuple(end for end in ends if end[0] < end[1])


def coverage(value: JsonValue | Measured, budgets: Budgets = REFERENCE_BUDGETS) -> Coverage:
    """How many bytes of the value its preview shows (see above for how they are counted)."""
    measured = value if isinstance(value, Measured) else Measured(value)
    if isinstance(measured.value, str):
        shown = sum(end - start for start, end in visible_ranges(measured, budgets))
    elif isinstance(measured.value, list):
        shown = _array(measured.value, budgets)
    elif isinstance(measured.value, dict):
        shown = _object(measured, budgets)
    else:
        shown = measured.size
    return Coverage(measured.size, shown)


def _array(items: list[JsonValue], budgets: Budgets) -> int:
    if len(items) > budgets.seq_head + budgets.seq_tail:
        items = items[: budgets.seq_head] + items[len(items) - budgets.seq_tail :]
    return _listed([_element(item, budgets) for item in items])


def _object(measured: Measured, budgets: Budgets) -> int:
    value: dict[str, JsonValue] = measured.value
    if len(value) > budgets.key_limit:
        return sum(utf8_length(key) for key in islice(value, budgets.keys_named))
    return _listed([_key(key) + _field(field, budgets) for key, field in value.items()])


def _element(item: JsonValue, budgets: Budgets) -> int:
    if isinstance(item, str):
        return _clipped(item, budgets.element_bytes)
    if isinstance(item, dict):
        return _listed([_key(key) + _cell(item[key], budgets) for key in islice(item, budgets.row_keys)])
    return _nested(item) if isinstance(item, list) else min(len(serialize(item)), budgets.element_bytes)


def _cell(value: JsonValue, budgets: Budgets) -> int:
    if isinstance(value, str):
        return _clipped(value, budgets.row_value_bytes)
    if isinstance(value, (list, dict)):
        return _nested(value) if budgets.row_value_bytes >= LABEL else 0
    return min(len(serialize(value)), budgets.row_value_bytes)


def _field(value: JsonValue, budgets: Budgets) -> int:
    if isinstance(value, str):
        return len(serialize(value)) if utf8_length(value) <= budgets.element_bytes else 0
    return _nested(value)


def _nested(value: JsonValue) -> int:
    if isinstance(value, (list, dict)):
        return 0 if value else 2
    return len(serialize(value))


def _clipped(text: str, budget: int) -> int:
    if utf8_length(text) <= budget:
        return len(serialize(text))
    return utf8_length(clip_head(text, budget))


def _key(key: str) -> int:
    return len(serialize(key)) + 1


def _listed(parts: list[int]) -> int:
    """Brackets and commas on top of the parts."""
    return sum(parts) + max(len(parts) - 1, 0) + 2
