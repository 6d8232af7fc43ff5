"""Uses of results that leave no span to find: a sum, a count, "there is no error in it".

They are flagged by the tool that is called and by what an answer says, and counted apart, neither as borne nor as
missing. The words are English; of answers in other languages only sums are flagged.
"""

from __future__ import annotations

import re
import string
from typing import Literal

from harness.tool_table import tool
from harness.transcript import Message

Spanless = Literal["tool", "count", "sum", "verdict"]
"""How a result may have been used.

tool: by a call that passes on thought, sums or verdicts (`spanless` in the tool table). The others are answers. count:
says how many things there are. sum: holds a number of three or more digits that stands nowhere in its prompt. verdict:
says that something is absent, alike, right or wrong.
"""

PROSE = 20_000
"""Characters of an answer that are read; longer ones are files, not prose."""

_COUNT = re.compile(
    r"(?:[0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:[a-z-]++ )?[a-z]{2,}s(?![a-z])"
)
_VERDICT = re.compile(
    r"(?:no|without|zero) (?:[\w-]++ ){0,2}(?:errors?|warnings?|failures?|issues?|problems?|matches|results|changes"
    r"|differences|conflicts|mentions?|occurrences|references)(?!\w)"
    r"|(?:all|every) (?:[\w-]++ ){0,3}(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|match(?:ed|es)?|correct)(?!\w)"
    r"|not (?:[\w-]++ ){0,2}(?:exist|contain|include|found|present|used|eligible|available|match|defined|work)"
)
_VERDICT_FIRST = re.compile("no |not |without|zero|all |every ")
_VERDICTS = frozenset(("none", "neither", "nothing", "identical", "unchanged", "equivalent"))
_NUMERALS = frozenset(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"))
_NO_MARKS = str.maketrans(dict.fromkeys(string.punctuation, " "))
_DIGIT = re.compile("[0-9]")
_COUNT_FIRST = re.compile("[0-9]|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve")


def _says(text: str, first: re.Pattern[str], pattern: re.Pattern[str]) -> bool:
    # Looking for the first words alone is ten times faster than for the patterns.
    starts = (found.start() for found in first.finditer(text))
    return any(
        pattern.match(text, at) is not None
        for at in starts
        if at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "_.,/:$-")
    )


def spanless_uses(message: Message, unsourced_number: bool) -> tuple[Spanless, ...]:
    """How an assistant message may use results without leaving a span.

    unsourced_number: whether it holds a number of three or more digits that stands nowhere before it.
    """
    if message.calls:
        return ("tool",) if any(tool(call.name).spanless for call in message.calls) else ()
    text = " ".join(message.text[:PROSE].lower().replace("n't", " not").split())
    words = frozenset(text.translate(_NO_MARKS).split())
    found: list[Spanless] = []
    if (words & _NUMERALS or _DIGIT.search(text)) and _says(text, _COUNT_FIRST, _COUNT):
        found.append("count")
    if unsourced_number:
        found.append("sum")
    if words & _VERDICTS or _says(text, _VERDICT_FIRST, _VERDICT):
        found.append("verdict")
    return tuple(found)
