"""Which ways into a value its preview names, so that a reference to what is there need not be guessed."""

from __future__ import annotations

from collections.abc import Sequence

from harness.json.value import JsonValue
from harness.preview.typed import REFERENCE_BUDGETS, Budgets

Path = tuple[str | int, ...]


def names_path(value: JsonValue, path: Path, budgets: Budgets = REFERENCE_BUDGETS) -> bool:
    """Whether the preview of a value shows a path into it: every key, and of an index the element or its neighbour
    (or the array has one element).

    A preview shows the keys of an object and, of the elements that it shows of an array, the first fields; what is
    below them it only counts.
    """
    if not path:
        return True
    first, *rest = path
    if isinstance(value, dict):
        return first in _keys(value, budgets) and _only(value[first], rest)
    if not isinstance(value, list) or not isinstance(first, int):
        return False
    shown = _elements(value, budgets)
    if len(value) > 1 and not any(abs(first - n) <= 1 for n in shown):
        return False
    if not rest or not isinstance(rest[0], str):
        return _only(value[first], rest)
    rows = [row for n in shown if isinstance(row := value[n], dict)]
    return any(rest[0] in list(row)[: budgets.row_keys] for row in rows) and _only(value[first][rest[0]], rest[1:])


def _keys(value: dict[str, JsonValue], budgets: Budgets) -> Sequence[str]:
    return list(value) if len(value) <= budgets.key_limit else list(value)[: budgets.keys_named]


def _elements(items: list[JsonValue], budgets: Budgets) -> Sequence[int]:
    """The indices of the elements that a preview shows."""
    if len(items) <= budgets.seq_head + budgets.seq_tail:
        return range(len(items))
    return [*range(budgets.seq_head), *range(len(items) - budgets.seq_tail, len(items))]


def _only(value: JsonValue, path: Sequence[str | int]) -> bool:
    """Whether a path leads through arrays of one element alone, of which the preview tells the length."""
    for step in path:
        if not isinstance(value, list) or len(value) != 1 or step != 0:
            return False
        value = value[0]
    return True
