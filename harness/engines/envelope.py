"""The JSON envelope in which an engine answers one turn, read as `cactus-rs` 0.1.0 reads it.

`Completion` is what the engine wrote: numbers as written, what is absent is None. `Completion.reference` is
the same turn in the reference's own terms, with its defaults for what is absent and its 32-bit floats.
Figures come from the first, comparisons
with the reference from the second: there a missing rate is 0.0 and a missing validation counts as grounded.

    completion = parse_completion(text)
    turn_state(completion)      # TurnState.GROUNDED
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from harness.engines.strict_json import (
    Node,
    Number,
    as_array,
    as_fields,
    as_flag,
    as_number,
    as_struct,
    as_tag,
    as_text,
    as_value,
    read_nodes,
)
from harness.json.value import JsonValue, MalformedJson, serialize

_Path = tuple[str | int, ...]


class EnvelopeError(ValueError):
    """The text is not an envelope. The message names the place and what stands there."""


class CompleteError(Exception):
    """A well-formed envelope that reports a failure of the engine.

    detail: the reason, in the reference's words. completion: the envelope, with what it reports beside the failure.
    """

    def __init__(self, detail: str, completion: Completion | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.completion = completion


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. An absent name is "", absent arguments are None, as in the reference."""

    name: str
    arguments: JsonValue

    @property
    def arguments_json(self) -> str:
        """The arguments as compact JSON."""
        return serialize(self.arguments).decode("utf-8")


@dataclass(frozen=True, slots=True)
class Validation:
    """The engine's own check. ungrounded: argument paths, or values, that it could not trace to the input."""

    ungrounded: tuple[str, ...] | None = None
    negation: bool | None = None

    @property
    def is_grounded(self) -> bool:
        """Whether nothing was flagged: neither an argument nor a negation."""
        return not self.ungrounded and not self.negation


@dataclass(frozen=True, slots=True)
class Stats:
    """What a turn cost: tokens per second and megabytes, 32-bit floats, 0.0 where the engine said nothing."""

    prefill_tps: float
    decode_tps: float
    peak_ram_mb: float


@dataclass(frozen=True, slots=True)
class ReferenceCompletion:
    """A turn as the reference understands it, with its defaults."""

    kind: str
    calls: tuple[Call, ...]
    grounded_calls: tuple[Call, ...]
    suppressed_calls: tuple[Call, ...]
    reasoning: str | None
    reason: str | None
    confidence: float
    stats: Stats
    validation: Validation


@dataclass(frozen=True, slots=True)
class Completion:
    """One turn as the engine reported it. None: absent (or null, where the envelope allows it).

    text: the envelope itself. reported: the fields that stand in it, unknown ones included.
    """

    text: str
    reported: frozenset[str]
    type: str | None = None
    success: bool | None = None
    error_code: str | None = None
    function_calls: tuple[Call, ...] | None = None
    suppressed_calls: tuple[Call, ...] | None = None
    reasoning: str | None = None
    reason: str | None = None
    confidence: Number | None = None
    prefill_tps: Number | None = None
    decode_tps: Number | None = None
    peak_ram_mb: Number | None = None
    validation: Validation | None = None

    @property
    def reference(self) -> ReferenceCompletion:
        """The turn in the reference's terms."""
        calls = self.function_calls or ()
        validation = self.validation or Validation()
        return ReferenceCompletion(
            kind=self.type if self.type in ("call", "respond") else "unknown",
            calls=calls,
            grounded_calls=calls if validation.is_grounded else (),
            suppressed_calls=self.suppressed_calls or (),
            reasoning=self.reasoning,
            reason=self.reason,
            confidence=_single_or_zero(self.confidence),
            stats=Stats(*map(_single_or_zero, (self.prefill_tps, self.decode_tps, self.peak_ram_mb))),
            validation=Validation(validation.ungrounded or (), validation.negation or False),
        )


class TurnState(StrEnum):
    """What became of one turn (METHOD section 6)."""

    GROUNDED = "grounded"
    FLAGGED = "flagged"
    WITHHELD = "withheld"
    NO_CALL = "no call"
    NOT_REPORTED = "not reported"
    FAILED = "failed"


def turn_state(turn: Completion | EnvelopeError | CompleteError | None) -> TurnState:
    """The state of a turn, from what the engine wrote. None stands for a crash or a timeout: no envelope at all.

    A turn of which any call was held back is *withheld*, whatever else it did. So is one without calls whose
    validation
    flags something: the calls it speaks of were dropped.
    """
    if not isinstance(turn, Completion):
        return TurnState.FAILED
    if turn.suppressed_calls:
        return TurnState.WITHHELD
    flagged = turn.validation is not None and not turn.validation.is_grounded
    if not turn.function_calls:
        return TurnState.WITHHELD if flagged else TurnState.NO_CALL
    if turn.validation is None:
        return TurnState.NOT_REPORTED
    return TurnState.FLAGGED if flagged else TurnState.GROUNDED


@dataclass(frozen=True, slots=True)
class FlaggedArgument:
    """An argument that an entry of `ungrounded` means. call: index among the calls. path: keys and indexes below it."""

    entry: str
    call: int
    path: _Path


def flagged_arguments(completion: Completion) -> list[FlaggedArgument]:
    """The arguments that `ungrounded` names, kept calls before suppressed ones (whose indexes go on from theirs).

    An entry is taken as `tool.argument.x[0].y`, else as the same path without the tool, else as the value
    itself (a string, or anything else as compact JSON). Of several arguments that fit all are given; an
    entry that fits none gives none.
    """
    if completion.validation is None or not completion.validation.ungrounded:
        return []
    by_form: tuple[dict[str, list[tuple[int, _Path]]], ...] = ({}, {}, {})
    calls = (completion.function_calls or ()) + (completion.suppressed_calls or ())
    for index, call in enumerate(calls):
        for dotted, path, value in _arguments(call.arguments, "", ()):
            text = value if isinstance(value, str) else serialize(value).decode("utf-8")
            for form, name in zip(by_form, (f"{call.name}.{dotted}", dotted, text), strict=True):
                form.setdefault(name, []).append((index, path))
    return [
        FlaggedArgument(entry, index, path)
        for entry in completion.validation.ungrounded
        for index, path in next((form[entry] for form in by_form if entry in form), [])
    ]


def _arguments(value: JsonValue, dotted: str, path: _Path) -> Iterator[tuple[str, _Path, JsonValue]]:
    if path:
        yield dotted, path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _arguments(item, f"{dotted}.{key}" if dotted else key, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _arguments(item, f"{dotted}[{index}]", (*path, index))


def parse_completion(text: str | bytes) -> Completion:
    """Read an envelope.

    Raises `EnvelopeError` for what is none, `CompleteError` for one that reports a failure, and nothing else.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text.encode("utf-8").decode("utf-8")
        return _completion(decoded, read_nodes(decoded))
    except UnicodeError as error:
        raise EnvelopeError(f"the envelope is not UTF-8: {error}") from error
    except MalformedJson as error:
        raise EnvelopeError(f"cannot read the envelope: {error}") from error


_RATES = ("confidence", "prefill_tps", "decode_tps", "peak_ram_mb")
_FIELDS = (
    *("type", "success", "error", "error_code", "function_calls", "suppressed_calls", "reasoning", "reason"),
    *_RATES,
    "validation",
)


def _completion(text: str, root: Node) -> Completion:
    given = as_fields(root, _FIELDS, "envelope")
    for key, node in root:
        if key not in given:
            as_value(node, key, depth=1)
    success = as_flag(given["success"], "success") if "success" in given else None
    texts = {
        name: None if given.get(name) is None else as_text(given[name], name)
        for name in ("error", "error_code", "reasoning", "reason")
    }
    numbers = {name: as_number(given[name], name) if name in given else None for name in _RATES}
    completion = Completion(
        text=text,
        reported=frozenset(key for key, _ in root),
        type=as_tag(given["type"], "type") if "type" in given else None,
        success=success,
        error_code=texts["error_code"],
        function_calls=_calls(given, "function_calls"),
        suppressed_calls=_calls(given, "suppressed_calls"),
        reasoning=texts["reasoning"],
        reason=texts["reason"],
        validation=_validation(given["validation"]) if "validation" in given else None,
        **numbers,
    )
    if success is False or texts["error"] is not None:
        raise CompleteError(_detail(texts["error"], texts["error_code"]), completion)
    return completion


def _calls(given: dict[str, Node], name: str) -> tuple[Call, ...] | None:
    if name not in given:
        return None
    return tuple(_call(node, f"{name}[{index}]") for index, node in enumerate(as_array(given[name], name)))


def _call(node: Node, place: str) -> Call:
    given = as_struct(node, ("name", "arguments"), place)
    name = as_text(given["name"], f"{place}.name") if "name" in given else ""
    # The envelope, the list of calls and the call are three containers around the arguments.
    return Call(name, as_value(given.get("arguments"), f"{place}.arguments", depth=3))


def _validation(node: Node) -> Validation:
    given = as_struct(node, ("ungrounded", "negation"), "validation")
    ungrounded = negation = None
    if "ungrounded" in given:
        place = "validation.ungrounded"
        ungrounded = tuple(as_text(entry, place) for entry in as_array(given["ungrounded"], place))
    if "negation" in given:
        negation = as_flag(given["negation"], "validation.negation")
    return Validation(ungrounded, negation)


def _detail(error: str | None, code: str | None) -> str:
    if error is not None:
        return error if code is None else f"{error} ({code})"
    if code is not None:
        return f"the engine reported failure {code}"
    return "the engine reported a failure without saying why"


def _single_or_zero(number: Number | None) -> float:
    return 0.0 if number is None else number.single
