"""CAR's typed preview: what the model sees of a stored value beside its handle.

    r1 = text(len=53.7KB, lines=812, head="…", tail="…")
    r2 = array(len=100, [:3]=[{id:0,name:row 0, …}, …], [-2:]=[…])
    r3 = json(content: text(len=48.8KB, lines=3), path: "./big.txt", bytes=50080)

Raw text is cut first and escaped afterwards, so a preview can be longer than its budgets say; an object's
key names and short fields are shown in full. Both, and what stands at budgets of nothing (`, [-0:]=[]`, `{, …}`),
are as in the reference compiled with those constants, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from itertools import islice

from harness.errors import HarnessError
from harness.json.value import JsonValue, plain, serialize, well_formed
from harness.preview.rust_debug import debug_string
from harness.preview.text import clip_head, clip_string, clip_tail, human_bytes, line_count, utf8_length


@dataclass(frozen=True, slots=True)
class Budgets:
    """The constants of the preview; the defaults are the reference's. All are 0 or more, bytes are of UTF-8.

    text_head_bytes, text_tail_bytes: of a text longer than both together, how much of each end is shown.
    seq_head, seq_tail: of an array longer than both together, how many elements of each end.
    element_bytes: how much of a string, a number or a word in an array; a string field of an object longer than
        this is shown by its size alone.
    key_limit, keys_named: of an object with more keys than `key_limit` only the first `keys_named` names are
        shown.
    row_keys, row_value_bytes: of an object in an array, how many fields and how much of each value.
    """

    text_head_bytes: int = 400
    text_tail_bytes: int = 200
    seq_head: int = 3
    seq_tail: int = 2
    element_bytes: int = 120
    key_limit: int = 24
    keys_named: int = 8
    row_keys: int = 2
    row_value_bytes: int = 24

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or value < 0:
                raise HarnessError(f"the preview budget {field.name} is {value!r}: give a number, 0 or more")


REFERENCE_BUDGETS = Budgets()


class Measured:
    """A value with the facts about it that no budget changes, so that many budgets cost one measurement.

    value: without what UTF-8 and 64 bits cannot hold (`harness.json.value.plain`). It must not be
        changed.
    size: bytes of a text, or of the compact JSON of anything else.
    """

    def __init__(self, value: JsonValue) -> None:
        self.value: JsonValue
        if isinstance(value, str):
            self.value = value if value.isascii() else well_formed(value)
            self.size = utf8_length(self.value)
        else:
            self.value, raw = plain(value)
            self.size = len(raw)

    @cached_property
    def lines(self) -> int:
        """Lines of a text."""
        return line_count(self.value)

    @cached_property
    def head(self) -> Callable[[int], str]:
        """The beginning of a text within so many bytes, as it stands in the preview; remembered."""
        return cache(lambda budget: debug_string(clip_head(self.value, budget)))

    @cached_property
    def tail(self) -> Callable[[int], str]:
        """The same of its end."""
        return cache(lambda budget: debug_string(clip_tail(self.value, budget)))

    @cached_property
    def fields(self) -> dict[str, Measured]:
        """The string fields of an object, measured."""
        return {key: Measured(value) for key, value in self.value.items() if isinstance(value, str)}


def render_preview(handle: str, value: JsonValue | Measured, budgets: Budgets = REFERENCE_BUDGETS) -> str:
    """The preview of a value under its handle (`r1`), without the hint.

    value: JSON (see `harness.json.value.JsonValue`), or `Measured` once for many budgets.
    """
    return "".join(preview_pieces(handle, value, budgets))


def preview_pieces(handle: str, value: JsonValue | Measured, budgets: Budgets = REFERENCE_BUDGETS) -> tuple[str, ...]:
    """The same in pieces, cut where tokens are additive (`harness.tokens.alike`): of a text that is cut, its head and
    its tail are in pieces of their own, so that many budgets have few different pieces."""
    measured = value if isinstance(value, Measured) else Measured(value)
    if isinstance(measured.value, str):
        first, *more = _text(measured, budgets)
        return f"{handle} = {first}", *more
    return (f"{handle} = {_whole(measured, budgets)}",)


def reference_hint(handle: str) -> str:
    """The line below a preview that tells the model how to pass the whole value on."""
    return (
        f'\n[full value retained this run — pass "${handle}" as a tool argument to operate on all of it, '
        f'or "${handle}.<field>" for one field]'
    )


def _whole(measured: Measured, budgets: Budgets) -> str:
    if isinstance(measured.value, list):
        return _array(measured.value, budgets)
    if isinstance(measured.value, dict):
        return _object(measured, budgets)
    return _scalar(measured.value)


def _text(text: Measured, budgets: Budgets) -> tuple[str, ...]:
    facts = f"len={human_bytes(text.size)}, lines={text.lines}"
    if text.size <= budgets.text_head_bytes + budgets.text_tail_bytes:
        return (f"text({facts}) {debug_string(text.value)}",)
    head, tail = text.head(budgets.text_head_bytes), text.tail(budgets.text_tail_bytes)
    return f"text({facts}, head", f"={head}, tail", f"={tail})"


def _array(items: list[JsonValue], budgets: Budgets) -> str:
    head, tail = budgets.seq_head, budgets.seq_tail
    if len(items) <= head + tail:
        return f"array(len={len(items)}, [{_elements(items, budgets)}])"
    first, last = _elements(items[:head], budgets), _elements(items[len(items) - tail :], budgets)
    return f"array(len={len(items)}, [:{head}]=[{first}], [-{tail}:]=[{last}])"


def _elements(items: list[JsonValue], budgets: Budgets) -> str:
    return ", ".join(_element(item, budgets) for item in items)


def _element(item: JsonValue, budgets: Budgets) -> str:
    if isinstance(item, str):
        return debug_string(clip_string(item, budgets.element_bytes))
    if isinstance(item, dict):
        return _row(item, budgets)
    if isinstance(item, list):
        return f"array(len={len(item)})"
    return clip_string(_scalar(item), budgets.element_bytes)


def _row(row: dict[str, JsonValue], budgets: Budgets) -> str:
    cells = [f"{key}:{_cell(row[key], budgets)}" for key in list(row)[: budgets.row_keys]]
    more = ", …" if len(row) > budgets.row_keys else ""
    return f"{{{','.join(cells)}{more}}}"


def _cell(value: JsonValue, budgets: Budgets) -> str:
    return clip_string(_scalar_or_type(value), budgets.row_value_bytes)


def _scalar_or_type(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"array({len(value)})"
    return "{…}" if isinstance(value, dict) else _scalar(value)


def _object(measured: Measured, budgets: Budgets) -> str:
    value: dict[str, JsonValue] = measured.value
    if len(value) > budgets.key_limit:
        names = ", ".join(islice(value, budgets.keys_named))
        return f"json(keys={len(value)} total, first=[{names}, …], bytes={measured.size})"
    shown = ", ".join(
        f"{key}: {_field(measured.fields[key], budgets) if isinstance(field, str) else _nested(field)}"
        for key, field in value.items()
    )
    return f"json({shown}, bytes={measured.size})"


def _field(text: Measured, budgets: Budgets) -> str:
    if text.size <= budgets.element_bytes:
        return debug_string(text.value)
    return f"text(len={human_bytes(text.size)}, lines={text.lines})"


def _nested(value: JsonValue) -> str:
    if isinstance(value, list):
        return f"array(len={len(value)})"
    if isinstance(value, dict):
        return f"json(keys={len(value)})"
    return _scalar(value)


def _scalar(value: JsonValue) -> str:
    return serialize(value).decode("ascii")
