"""Whether the calls of a turn are right, and which parts of them are: counts, so that rates are formed by the reader.

Two readings stand side by side. `right` compares as Needle's own evaluation does: texts without regard to case, 3.0
equal to 3. `exact` compares the JSON values as they are.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TurnScore:
    """A turn's calls against the calls that are right.

    exact, right: all calls, and none more; see above. answer: the list of right calls that it was held against (0: the
    turn's `expected`, n: alternative n - 1), the one that it comes nearest to. needs_call: whether that list has calls.

    expected_calls, calls: how many there should be, and are. matched_names, matched_calls: how many of them agree, one
    with one, in name, and in name and arguments (as `right` compares). Over the pairs that agree in name:
    expected_arguments, arguments, right_arguments: arguments that there should be, are, and agree; missing_arguments:
    required by the answer and not given; extra_arguments: given and not in the answer; unknown_arguments: those of them
    that the tool does not have. confusions: (expected name, called name) of the calls that are left over, paired in
    order; None where one side has no more.
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
    unknown_arguments: int
    confusions: tuple[tuple[str | None, str | None], ...]
