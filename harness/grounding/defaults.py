"""Defaults: what a schema says that a value is, if nobody says otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from harness.grounding.folding import Folded
from harness.json.value import JsonValue

_STATED = re.compile(r"\bdefaults?(?:ed)?\b(?: value)?(?: is| are| to|:|=)?\s*[\"'`]?", re.IGNORECASE)


def default_rule(value: JsonValue, schema: Mapping[str, Any]) -> str | None:
    """The rule by which a value is a default of its schema, or None."""
    if "default" in schema and type(schema["default"]) is type(value) and schema["default"] == value:
        return "schema default"
    description = str(schema.get("description") or "")
    written = Folded(str(value)).text
    for found in _STATED.finditer(description):
        rest = Folded(description[found.end() :]).text
        if rest.startswith(written) and not rest[len(written) : len(written) + 2].strip(" .").isalnum():
            return "described default"
    return None
