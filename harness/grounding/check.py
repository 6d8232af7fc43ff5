"""Where each argument of a call comes from: the harness's own check, by named rules that are printed with the result.

    for argument in ground_call(call, tool, turn.text, today=turn.today):
        argument.path, argument.state, argument.rule      # minutes, derived, unit

A value is *grounded* if it stands in the input, however it is written there; *derived* if a rule computes it from
something that does; a *default* if the schema states it; else *ungrounded*. The first rule that holds is reported. The
rules look for evidence, not for sense: that the 7 in "bus 7" is not the hour is for scoring to see. That a value is a
member of its enum is no evidence at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from harness.engines.envelope import Call
from harness.grounding.booleans import ground_boolean
from harness.grounding.defaults import default_rule
from harness.grounding.evidence import Evidence, evidence
from harness.grounding.numeric import ground_number
from harness.grounding.span import Span
from harness.grounding.texts import ground_text
from harness.json.value import JsonValue


class Origin(StrEnum):
    """Where a value comes from. Only `ungrounded` is an invention."""

    GROUNDED = "grounded"
    DERIVED = "derived"
    DEFAULT = "default"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True)
class ArgumentGrounding:
    """One value of a call's arguments. rule: name of the rule that decided. span: where in the input, if anywhere."""

    path: str
    value: JsonValue
    state: Origin
    rule: str
    span: Span | None = None


_G, _D = Origin.GROUNDED, Origin.DERIVED
RULES: dict[str, tuple[Origin, str]] = {
    "handle": (_G, "a reference to a handle that the input shows, such as `$r1.items.0`"),
    "text": (_G, "the same words one behind the other, and nothing else; case, Unicode form and spacing aside"),
    "punctuation aside": (_G, 'the same words one behind the other: `living_room`, `LivingRoom` for "living room"'),
    "accents aside": (_G, 'the same words but for accents: `Zurich` for "Zürich"'),
    "sign": (_G, "a value without letters or digits that stands in the input as it is"),
    "number": (_G, 'the same number in digits: `1500` for "1,500"'),
    "number words": (
        _G,
        'the same number in English words: `12` for "a dozen", `12 Oak Street` for "twelve Oak Street"',
    ),
    "ordinal": (_G, 'the same number as an ordinal: `3` for "third" or "3rd"'),
    "fraction": (_G, 'the same number as a fraction: `0.5` for "half"'),
    "spoken digits": (_G, 'digits said one by one: `911` for "nine one one"'),
    "digits": (_G, 'five or more digits, grouped otherwise: `+442079460958` for "+44 20 7946 0958"'),
    "date": (_G, 'the same day, written otherwise: `2026-05-03` for "3 May 2026"'),
    "time": (_G, 'the same time of day: `07:30` for "half past seven"'),
    "synonym": (_G, 'a word that is listed for this value: `celsius` for "°C"'),
    "switch word": (
        _G,
        "on, enable, yes for true; off, disable, no for false; of a boolean that only switches (`on`, `state`)",
    ),
    "named": (_G, "any other boolean that the input names; false if it is negated there, or its opposite is named"),
    "inflected": (_D, 'other forms of the same English words: `light` for "lights"'),
    "unit": (_D, 'a quantity in the unit that the schema or the value names: `30` minutes for "half an hour"'),
    "share of range": (_D, 'a part of the range that the schema states: `100` for "full", `50` for "half"'),
    "year of the day": (_D, 'a day whose year follows from the day of speaking: `2026-12-24` for "24 December"'),
    "relative date": (_D, 'counted from the day of speaking: `2026-12-01` for "tomorrow"'),
    "part of a date or time": (_D, "hour, minute, day, month or year of one that stands in the input"),
    "address": (_D, 'an address as it is said or shortened: `a@b.org` for "a at b dot org", a URL without its scheme'),
    "words apart": (_D, "all words in the same order, a few others between; articles and the like aside"),
    "schema default": (Origin.DEFAULT, "equals the `default` of the schema"),
    "described default": (Origin.DEFAULT, 'equals a default that the description states: "(default: 10)"'),
    "empty": (Origin.DEFAULT, "null, an empty text, list or object: says nothing"),
    "unknown handle": (Origin.UNGROUNDED, "a reference to a handle that the input does not show"),
    "nothing": (Origin.UNGROUNDED, "no rule finds the value in the input"),
}
"""Every rule: the state that it gives, and what it accepts."""


def ground_call(
    call: Call,
    tool: Mapping[str, Any] | None,
    input_text: str,
    today: date | None = None,
    synonyms: Mapping[str, Sequence[str]] | None = None,
) -> list[ArgumentGrounding]:
    """Trace each value of a call's arguments to the input; nested ones by the path of each leaf.

    tool: the tool's definition; None, if the call names none that is declared. today: the day of speaking, else it is
    taken from the input where that states it ("Today is 30 November 2026"). synonyms: further words for a value, beside
    the bundled ones.
    """
    tool = tool or {}
    found = evidence(input_text, today)
    return [
        _ground(found, path, value, schema, tool, synonyms or {})
        for path, value, schema in _leaves(call.arguments, tool.get("parameters") or {}, "")
        if path
    ]


def _ground(
    found: Evidence,
    path: str,
    value: JsonValue,
    schema: Mapping[str, Any],
    tool: Mapping[str, Any],
    synonyms: Mapping[str, Sequence[str]],
) -> ArgumentGrounding:
    match value:
        case bool():
            hit = ground_boolean(found, value, path)
        case int() | float():
            hit = ground_number(found, value, path, schema, tool)
        case str() if value.strip():
            hit = ground_text(found, value, path, schema, tool, synonyms)
        case _:
            hit = "empty", None
    rule, span = hit or (default_rule(value, schema) or "nothing", None)
    return ArgumentGrounding(path, value, RULES[rule][0], rule, span)


def _leaves(value: JsonValue, schema: Any, path: str) -> Iterator[tuple[str, JsonValue, Mapping[str, Any]]]:
    """The leaves as `harness.bench.paths.leaves` gives them, each with its schema."""
    schema = _branch(schema, value)
    if isinstance(value, dict) and value:
        stated = schema.get("properties") or {}
        for key, item in value.items():
            below = stated.get(key, schema.get("additionalProperties"))
            yield from _leaves(item, below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, schema.get("items"), f"{path}[{index}]")
    else:
        yield path, value, schema


def _branch(schema: Any, value: JsonValue) -> Mapping[str, Any]:
    """The schema itself, or the first of its alternatives that is for such a value."""
    if not isinstance(schema, Mapping):
        return {}
    kind = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}.get(
        type(value)
    )
    for branch in [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]:
        if isinstance(branch, Mapping) and branch.get("type") in (kind, "number" if kind == "integer" else kind):
            return {**schema, **branch}
    return schema
