"""Whether the arguments of a call keep to the schema of their tool, as an engine's client would check them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, UnknownType

from harness.engines.envelope import Call
from harness.json.value import serialize


def schema_breaks(calls: Sequence[Call], tools: Mapping[str, Mapping[str, Any]]) -> int | None:
    """How many calls break the schema of their tool, or are of a tool that was not declared. None where a schema is
    none itself, so that nothing can be said."""
    broken = 0
    for call in calls:
        tool = tools.get(call.name)
        if tool is None:
            broken += 1
            continue
        try:
            schema = tool.get("parameters") or {}
            Draft202012Validator.check_schema(schema)
            broken += not Draft202012Validator(schema).is_valid(json.loads(serialize(call.arguments)))
        except (SchemaError, UnknownType):
            return None
    return broken
