"""Whether the calls of a turn are right, and which parts of them are: counts, so that rates are formed by the reader.

Two readings stand side by side. `right` compares as the turn asks (`harness.bench.comparing`): by default as Needle's
own evaluation does, texts without regard to case, 3.0 equal to 3. `exact` compares the JSON values as they are. Neither
minds the order of calls, unless the turn says that it matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from harness.bench.comparing import EXACT, READINGS, Reading
from harness.bench.task import ExpectedCall, Turn
from harness.engines.envelope import Call
from harness.json.value import JsonValue


@dataclass(frozen=True, slots=True)
class TurnScore:
    """A turn's calls against the calls that are right.

    exact, right: all calls, and none more; see above. answer: the list of right calls that it was held against (0: the
    turn's `expected`, n: alternative n - 1), the one that it comes nearest to. needs_call: whether that list has calls.

    expected_calls, calls: how many there should be, and are. matched_names, matched_calls: how many of them agree, one
    with one, in name, and in name and arguments (as `right` compares). Over the pairs that agree in name:
    expected_arguments: arguments that there should be, and optional ones that are given; right_arguments: those of them
    that agree; missing_arguments: those that are not given; arguments: all that are given; extra_arguments: given and
    not in the answer. unknown_arguments: of all calls, arguments that their tool does not have; unknown_tools: calls
    of a tool that is not declared; None, if the tools were not given. confusions: (expected name, called name) of the
    calls that agree with none in name, paired in order; None where one side has no more.
    """

    exact: bool
    right: bool
    answer: int
    needs_call: bool
    expected_calls: int
    calls: int
    matched_names: int
    matched_calls: int
    expected_arguments: int
    arguments: int
    right_arguments: int
    missing_arguments: int
    extra_arguments: int
    unknown_arguments: int | None
    unknown_tools: int | None
    confusions: tuple[tuple[str | None, str | None], ...]


def score_turn(turn: Turn, calls: Sequence[Call], tools: Sequence[Mapping[str, Any]] | None = None) -> TurnScore:
    """Hold the calls of an engine against every list of calls that is right; the nearest one is reported."""
    scores = [
        _score(turn, answer, expected, calls, tools)
        for answer, expected in enumerate((turn.expected, *turn.alternatives))
    ]
    return max(scores, key=lambda score: (score.right, score.exact, score.matched_calls, score.matched_names,
                                          score.right_arguments, -score.extra_arguments, -score.answer))  # fmt: skip


def call_agrees(expected: ExpectedCall, call: Call, reading: Reading) -> bool:
    """Whether a call is the expected one: its name, no argument missing that is needed, and none wrong or too many."""
    return reading.name(expected.name) == reading.name(call.name) and _agrees(
        expected, expected.arguments, _arguments(call), "", reading
    )


def _score(
    turn: Turn,
    answer: int,
    expected: Sequence[ExpectedCall],
    calls: Sequence[Call],
    tools: Sequence[Mapping[str, Any]] | None,
) -> TurnScore:
    reading = READINGS[turn.comparison]
    matched = _matching(expected, calls, reading)
    pairs = _pairs_by_name(expected, calls, matched, reading)
    arguments = [_compare(expected[wanted], calls[given], reading) for wanted, given in pairs.items()]
    return TurnScore(
        exact=_all_agree(expected, calls, turn.ordered, EXACT),
        right=_all_agree(expected, calls, turn.ordered, reading),
        answer=answer,
        needs_call=bool(expected),
        expected_calls=len(expected),
        calls=len(calls),
        matched_names=len(pairs),
        matched_calls=len(matched),
        expected_arguments=sum(found["expected"] for found in arguments),
        arguments=sum(found["given"] for found in arguments),
        right_arguments=sum(found["right"] for found in arguments),
        missing_arguments=sum(found["missing"] for found in arguments),
        extra_arguments=sum(found["extra"] for found in arguments),
        unknown_arguments=None if tools is None else _unknown_arguments(calls, tools),
        unknown_tools=None
        if tools is None
        else sum(call.name not in {tool["name"] for tool in tools} for call in calls),
        confusions=tuple(
            zip_longest(
                (call.name for at, call in enumerate(expected) if at not in pairs),
                (call.name for at, call in enumerate(calls) if at not in pairs.values()),
            )
        ),
    )


def _all_agree(expected: Sequence[ExpectedCall], calls: Sequence[Call], ordered: bool, reading: Reading) -> bool:
    if len(expected) != len(calls):
        return False
    if ordered:
        return all(call_agrees(wanted, given, reading) for wanted, given in zip(expected, calls, strict=True))
    return len(_matching(expected, calls, reading)) == len(expected)


def _matching(expected: Sequence[ExpectedCall], calls: Sequence[Call], reading: Reading) -> dict[int, int]:
    """As many pairs of agreeing calls as there can be, each call in one: expected to given (augmenting paths)."""
    agreeing = [[at for at, call in enumerate(calls) if call_agrees(wanted, call, reading)] for wanted in expected]
    taken: dict[int, int] = {}

    def place(wanted: int, tried: set[int]) -> bool:
        for given in agreeing[wanted]:
            if given not in tried:
                tried.add(given)
                if given not in taken or place(taken[given], tried):
                    taken[given] = wanted
                    return True
        return False

    for wanted in range(len(expected)):
        place(wanted, set())
    return {wanted: given for given, wanted in taken.items()}


def _pairs_by_name(
    expected: Sequence[ExpectedCall], calls: Sequence[Call], matched: Mapping[int, int], reading: Reading
) -> dict[int, int]:
    """The matched calls, and of the rest those of one name, the ones with most arguments in common first."""
    pairs = dict(matched)
    free = [at for at in range(len(calls)) if at not in pairs.values()]
    candidates = sorted(
        (-_compare(wanted, calls[given], reading)["right"], at, given)
        for at, wanted in enumerate(expected)
        if at not in pairs
        for given in free
        if reading.name(wanted.name) == reading.name(calls[given].name)
    )
    for _, at, given in candidates:
        if at not in pairs and given not in pairs.values():
            pairs[at] = given
    return pairs


def _compare(expected: ExpectedCall, call: Call, reading: Reading) -> Counter[str]:
    """The arguments of a pair of calls, counted."""
    given, wanted = _arguments(call), expected.arguments
    counted: Counter[str] = Counter(given=len(given))
    for name in {**wanted, **given}:
        if name not in given:
            if name not in expected.optional:
                counted += Counter(expected=1, missing=1)
        elif name not in wanted and name not in expected.accept:
            counted["extra"] += 1
        else:
            counted["expected"] += 1
            counted["right"] += _value_agrees(expected, wanted, given, name, name, reading)
    return counted


def _agrees(expected: ExpectedCall, wanted: JsonValue, given: JsonValue, path: str, reading: Reading) -> bool:
    """Whether a value is the expected one at its path, or one of those accepted there."""
    if any(reading.value(value) == reading.value(given) for value in expected.accept.get(path, ())):
        return True
    if isinstance(wanted, dict) and isinstance(given, dict):
        return all(
            _value_agrees(expected, wanted, given, name, f"{path}.{name}" if path else name, reading)
            for name in {**wanted, **given}
        )
    if isinstance(wanted, list) and isinstance(given, list):
        return len(wanted) == len(given) and all(
            _agrees(expected, one, other, f"{path}[{at}]", reading)
            for at, (one, other) in enumerate(zip(wanted, given, strict=True))
        )
    return reading.value(wanted) == reading.value(given)


def _value_agrees(
    expected: ExpectedCall,
    wanted: Mapping[str, JsonValue],
    given: Mapping[str, JsonValue],
    name: str,
    path: str,
    reading: Reading,
) -> bool:
    if name not in given:
        return path in expected.optional
    if name not in wanted:
        return any(reading.value(value) == reading.value(given[name]) for value in expected.accept.get(path, ()))
    return _agrees(expected, wanted[name], given[name], path, reading)


def _arguments(call: Call) -> Mapping[str, JsonValue]:
    """The arguments by name. Absent ones are none; what is no object has no names, and agrees with nothing."""
    if call.arguments is None:
        return {}
    return call.arguments if isinstance(call.arguments, dict) else {"": call.arguments}


def _unknown_arguments(calls: Sequence[Call], tools: Sequence[Mapping[str, Any]]) -> int:
    stated = {tool["name"]: (tool.get("parameters") or {}).get("properties") or {} for tool in tools}
    return sum(name not in stated[call.name] for call in calls if call.name in stated for name in _arguments(call))
