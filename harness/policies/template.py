"""Marker texts with fields, such as `[{elided} of {total} {unit} left out]`.

Fields are replaced once and only by numbers and names, never by templates found in a result. Braces that
should stand are doubled. A number may be grouped: `{limit:,}`.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import lru_cache

from harness.errors import HarnessError

NUMBERS = {
    "total": "length of the whole value, in the policy's unit",
    "limit": "the policy's limit, in its unit",
    "elided": "how much is left out, in the policy's unit",
    "excess": "total less limit: what many agents print in place of what they left out",
    "head": "budget of the head, in the policy's unit",
    "tail": "budget of the tail, in the policy's unit",
    "shown": "how much the head shows, in the policy's unit",
    "bytes": "UTF-8 bytes of the whole value",
    "chars": "code points of the whole value",
    "tokens4": "bytes / 4 of the whole value, rounded up",
    "lines": "lines of the whole value",
    "elided_bytes": "UTF-8 bytes left out",
    "elided_chars": "code points left out",
    "elided_lines": "lines left out, whole or in part",
    "head_lines": "lines of the head",
    "next_line": "number of the first line that the head does not show whole",
    "first_tail_line": "number of the first line of the tail",
}
NAMES = {
    "unit": "what the unit is called",
    "size": "UTF-8 bytes of the whole value, as `36.8KB`",
    "char_size": "code points of the whole value, as `97.7 KB`",
    "tool": "name of the tool",
    "path": "where the whole value was written",
    "id": "identifier of the call",
}
FIELDS = {**NUMBERS, **NAMES}


@lru_cache(maxsize=1024)
def fields(template: str, known: tuple[str, ...] = tuple(FIELDS)) -> frozenset[str]:
    """The fields that a template uses. One that is broken, or uses a field that is not known, is a `HarnessError`."""
    try:
        used = {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}
        if used <= set(known):
            template.format_map({name: 0 if name in NUMBERS else "" for name in known})
    except ValueError as error:
        raise HarnessError(f"{template!r} is no template ({error}): double the braces that stay") from error
    if unknown := used - set(known):
        raise HarnessError(f"{template!r} names the field {min(unknown)!r}, which is none of {', '.join(known)}")
    return frozenset(used)


def fill(template: str, facts: Mapping[str, int | str]) -> str:
    """The template with its fields replaced; a fact is only looked up if it is used."""
    return template.format_map(facts) if "{" in template or "}" in template else template
