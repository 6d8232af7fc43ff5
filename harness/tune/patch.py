"""A recommendation for `car` as a patch for the reference's `value_store.rs`: its constants, literals that become
constants where they change, and the gate below which a result is not previewed, as code.

    harness tune --policy car ... && patch value_store.rs < reports/RUN/value_store.patch
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

from harness.policies.car import Car
from harness.policies.spec import NamedPolicy
from harness.preview import Budgets

NAMES = {
    "text_head_bytes": "TEXT_HEAD_BYTES",
    "text_tail_bytes": "TEXT_TAIL_BYTES",
    "seq_head": "SEQ_HEAD_ITEMS",
    "seq_tail": "SEQ_TAIL_ITEMS",
    "element_bytes": "ELEMENT_BUDGET",
    "key_limit": "KEY_LIMIT",
    "keys_named": "KEYS_NAMED",
    "row_keys": "ROW_KEYS",
    "row_value_bytes": "ROW_VALUE_BYTES",
}
"""The constant of every budget. The last four are literals in the reference."""
LITERALS = {
    "key_limit": "How many keys of an object are described before only names are listed.",
    "keys_named": "How many names of such an object are listed.",
    "row_keys": "How many fields of an object in a sequence to show.",
    "row_value_bytes": "How much of each of them to show.",
}
"""What their lines say, where they become constants."""
GATE = "MIN_PREVIEW_BYTES"
FILE = "value_store.rs"
SOURCE = "54cb21ee7ee6e6d7bf85f0a3e2a00cf001351e457012a308eaf0964dbdb76d58"
"""SHA-256 of the file that the patch is made for (Parslee-ai/car, `value_store.rs`)."""
REFERENCE = Budgets()


@dataclass(frozen=True)
class _Hunk:
    """Lines of the reference from `line` on (1 is the first), each with what becomes of it."""

    line: int
    lines: tuple[tuple[str, tuple[str, ...]], ...]

    def text(self, moved: int) -> str:
        """In a unified diff, where the hunks before it added `moved` lines. One line of context on either side: a hunk
        with less of it behind than before is taken for the end of a file."""
        written = [line for old, new in self.lines for line in _diff(old, new)]
        touched = [n for n, line in enumerate(written) if line[0] != " "]
        first, last = touched[0] - 1, touched[-1] + 1
        written, at = written[first : last + 1], self.line + first
        old, new = (sum(line[0] in signs for line in written) for signs in (" -", " +"))
        return "\n".join([f"@@ -{at},{old} +{at + moved},{new} @@", *written])

    @property
    def added(self) -> int:
        return sum(len(new) for _, new in self.lines) - len(self.lines)


def _diff(old: str, new: tuple[str, ...]) -> list[str]:
    if old not in new:
        return [f"-{old}", *(f"+{line}" for line in new)]
    at = len(new) - 1 - new[::-1].index(old)
    return [*(f"+{line}" for line in new[:at]), f" {old}", *(f"+{line}" for line in new[at + 1 :])]


def reference_patch(policy: NamedPolicy) -> str:
    """The unified diff; empty where nothing changes, and for policies without the reference's preview."""
    if not isinstance(policy.family, Car):
        return ""
    hunks = list(_hunks(policy.family))
    if not hunks:
        return ""
    parts = [f"--- a/{FILE}", f"+++ b/{FILE}"]
    moved = 0
    for hunk in hunks:
        parts.append(hunk.text(moved))
        moved += hunk.added
    return "\n".join(parts) + "\n"


def beside_the_patch(policy: NamedPolicy) -> list[str]:
    """What the patch leaves to do by hand, a sentence each."""
    family = policy.family
    if not isinstance(family, Car):
        return []
    said = []
    if family.min_bytes:
        said.append(
            "the gate works where the loop calls SessionValues::admit in place of put, render_preview and "
            "reference_hint; `recorded` is the text that would stand in the prompt without a preview"
        )
    said += [
        f"{name}={value if isinstance(value, str) else ', '.join(value)} is no constant there and not in the patch"
        for name, value in (("parse", family.parse), ("exempt", family.exempt), ("only", family.only))
        if value not in ("recorded", ())
    ]
    return said


def changed(family: Car) -> dict[str, int]:
    """The budgets that are not the reference's."""
    values = {field.name: int(getattr(family, field.name)) for field in fields(Budgets)}
    return {name: value for name, value in values.items() if value != getattr(REFERENCE, name)}


def _hunks(family: Car) -> Iterator[_Hunk]:
    new = changed(family)
    gate = _gate(family.min_bytes)
    if new or gate:
        yield _constants(new, gate)
    if gate:
        yield _Hunk(75, (("", ("",)), (_GET, (*ADMIT, _GET))))
    yield from _keys(new)
    yield from _rows(new)


def _constants(new: dict[str, int], gate: str) -> _Hunk:
    lines: list[tuple[str, tuple[str, ...]]] = [("", ("",))]
    for comment, names in _BLOCK:
        lines.append((f"/// {comment}", (f"/// {comment}",)))
        for name in names:
            lines.append((_const(name, getattr(REFERENCE, name)), (_const(name, new.get(name, _of(name))),)))
    lifted = [
        line for name, says in LITERALS.items() if name in new for line in (f"/// {says}", _const(name, new[name]))
    ]
    if gate:
        lifted += ["/// Results of fewer bytes stay as the tool gave them.", f"const {GATE}: usize = {gate};"]
    lines.append(("", (*lifted, "")))
    return _Hunk(42, (*lines, (_AFTER, (_AFTER,))))


_BLOCK = (
    ("How much of a string preview to show at each end.", ("text_head_bytes", "text_tail_bytes")),
    ("How many elements of a sequence to sample at each end.", ("seq_head", "seq_tail")),
    ("How much of a single sampled element to show before eliding it.", ("element_bytes",)),
)
_AFTER = "/// Per-run store of full tool results, addressed by short handles."
_GET = "    pub fn get(&self, handle: &str) -> Option<&Value> {"
ADMIT = (
    "    /// What stands in the transcript for a tool result: `recorded`, the text that the tool",
    "    /// gave, below the gate; else the preview of `value` and the hint, and the value is kept.",
    "    pub fn admit(&mut self, value: Value, recorded: &str) -> String {",
    f"        if recorded.len() < {GATE} {{",
    "            return recorded.to_string();",
    "        }",
    "        let handle = self.put(value);",
    "        let preview = render_preview(&handle, &self.values[&handle]);",
    '        format!("{preview}{}", reference_hint(&handle))',
    "    }",
    "",
)


def _keys(new: dict[str, int]) -> Iterator[_Hunk]:
    if new.keys() & {"key_limit", "keys_named"}:
        limit = "    if map.len() > {} {{"
        named = "        let keys: Vec<&str> = map.keys().take({}).map(String::as_str).collect();"
        before, after = "    // model knows which one to address.", "        return format!("
        yield _Hunk(
            216,
            (
                (before, (before,)),
                _lifted(limit, new, "key_limit"),
                _lifted(named, new, "keys_named"),
                (after, (after,)),
            ),
        )


def _rows(new: dict[str, int]) -> Iterator[_Hunk]:
    if new.keys() & {"row_keys", "row_value_bytes"}:
        cell = '                .map(|(k, v)| format!("{{k}}:{{}}", clip_str(&scalar_or_type(v), {})))'
        more = '            let more = if map.len() > {} {{ ", …" }} else {{ "" }};'
        before, between = "                .iter()", "                .collect();"
        after = '            format!("{{{}{more}}}", inner.join(","))'
        yield _Hunk(
            265,
            (
                (before, (before,)),
                _lifted("                .take({})", new, "row_keys"),
                _lifted(cell, new, "row_value_bytes"),
                (between, (between,)),
                _lifted(more, new, "row_keys"),
                (after, (after,)),
            ),
        )


def _lifted(line: str, new: dict[str, int], name: str) -> tuple[str, tuple[str, ...]]:
    """A line of the reference with its literal, and with the constant where that changes."""
    old = line.format(_of(name))
    return old, (line.format(NAMES[name]) if name in new else old,)


def _const(name: str, value: int) -> str:
    return f"const {NAMES[name]}: usize = {value};"


def _of(name: str) -> int:
    return int(getattr(REFERENCE, name))


def _gate(min_bytes: float) -> str:
    """`recorded.len() < n` as the policy spares a result; empty for no gate."""
    if not min_bytes:
        return ""
    return "usize::MAX" if math.isinf(min_bytes) else str(math.ceil(min_bytes))
