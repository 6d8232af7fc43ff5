"""Where each argument of a call comes from: the harness's own check, by named rules that are printed with the result.

    for argument in ground_call(call, tool, Said.of(turn.context, turn.input, turn.today)):
        argument.path, argument.state, argument.rule, argument.source      # minutes, derived, unit, user

A value is *grounded* if it stands in the input, however it is written there; *derived* if a rule computes it from
something that does; a *default* if the schema states it; else *ungrounded*. The first rule that holds is reported. The
rules look for evidence, not for sense: that the 7 in "bus 7" is not the hour is for scoring to see. That a value is a
member of its enum is no evidence at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from harness.engines.envelope import Call
from harness.grounding.booleans import Hit, ground_boolean
from harness.grounding.defaults import default_rule
from harness.grounding.evidence import Evidence
from harness.grounding.numeric import ground_number
from harness.grounding.sources import Said, Source
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
    """One value of a call's arguments.

    rule: name of the rule that decided. source: what it is traced to. span: where in the input, if anywhere.
    """

    path: str
    value: JsonValue
    state: Origin
    rule: str
    span: Span | None = None
    source: Source = Source.NOTHING


_G, _D = Origin.GROUNDED, Origin.DERIVED
RULES: dict[str, tuple[Origin, str]] = {
    "handle": (_G, "a reference to a handle, or a path, that the input offers: `$r1.items.0`"),
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
    "clock": (Origin.UNGROUNDED, "stands only in the sentence that states the day: nobody asked for that day"),
    "furniture": (
        Origin.UNGROUNDED,
        "stands only in what a policy or a system prompt added: a marker, a hint, a descriptor (`text(len=1.2KB)`)",
    ),
    "own words": (Origin.UNGROUNDED, "stands only in what the engine itself said before"),
    "unknown handle": (Origin.UNGROUNDED, "a reference to a handle that the input does not show"),
    "nothing": (Origin.UNGROUNDED, "no rule finds the value in the input"),
}
"""Every rule: the state that it gives, and what it accepts."""


_HANDLE = re.compile(r"\$(r\d+)(?:\.\S+)?")
_NO_EVIDENCE = {"clock": Source.CLOCK, "furniture": Source.FURNITURE, "own words": Source.OWN}
_LOOSE = "words apart"
"""A rule that yields to any other, whoever said it."""


def ground_call(
    call: Call,
    tool: Mapping[str, Any] | None,
    said: Said | str,
    today: date | None = None,
    synonyms: Mapping[str, Sequence[str]] | None = None,
) -> list[ArgumentGrounding]:
    """Trace each value of a call's arguments to the input; nested ones by the path of each leaf.

    tool: the tool's definition; None, if the call names none that is declared. said: the input by its sources; a text
    is the user's. today: the day of speaking, for a text; else it is taken from the input where that states it ("Today
    is 30 November 2026"). synonyms: further words for a value, beside the bundled ones.
    """
    tool = tool or {}
    said = Said.of((), said, today) if isinstance(said, str) else said
    return [
        _ground(said, path, value, schema, tool, synonyms or {})
        for path, value, schema in _leaves(call.arguments, tool.get("parameters") or {}, "")
        if path
    ]


def _ground(
    said: Said,
    path: str,
    value: JsonValue,
    schema: Mapping[str, Any],
    tool: Mapping[str, Any],
    synonyms: Mapping[str, Sequence[str]],
) -> ArgumentGrounding:
    def found(rule: str, source: Source, span: Span | None = None) -> ArgumentGrounding:
        return ArgumentGrounding(path, value, RULES[rule][0], rule, span, source)

    if value is None or value == [] or value == {} or (isinstance(value, str) and not value.strip()):
        return found("empty", Source.SCHEMA)
    if isinstance(value, str) and (handle := _HANDLE.fullmatch(value)):
        span = said.shows(handle[1])
        return found("handle", Source.RESULT, span) if span else found("unknown handle", Source.NOTHING)

    def hits(*sources: Source) -> Iterator[tuple[str, Source, Span | None]]:
        for piece in said.from_sources(*sources):
            if hit := _hit(piece.evidence, path, value, schema, tool, synonyms):
                yield hit[0], piece.source, said.place(piece, hit[1])

    loose = None
    for hit in hits(Source.USER, Source.RESULT):
        if hit[0] != _LOOSE:
            return found(*hit)
        loose = loose or hit
    if loose:
        return found(*loose)
    if value in said.offers:
        return found("handle", Source.RESULT)
    if default := default_rule(value, schema):
        return found(default, Source.SCHEMA)
    for rule, source in _NO_EVIDENCE.items():
        if stands := next(hits(source), None):
            return found(rule, source, stands[2])
    return found("nothing", Source.NOTHING)


def _hit(
    found: Evidence,
    path: str,
    value: JsonValue,
    schema: Mapping[str, Any],
    tool: Mapping[str, Any],
    synonyms: Mapping[str, Sequence[str]],
) -> Hit:
    match value:
        case bool():
            return ground_boolean(found, value, path)
        case int() | float():
            return ground_number(found, value, path, schema, tool)
        case str():
            return ground_text(found, value, path, schema, tool, synonyms)
    return None


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
