"""Uses of results that leave no span to find: a sum, a count, "there is no error in it".

They are flagged by the tool that is called and by what an answer says, and counted apart, neither as borne nor as
missing. The words are English; of answers in other languages only sums are flagged.
"""

from __future__ import annotations

import re
from typing import Literal

from harness.evidence.tool_table import tool
from harness.transcript import Message

Spanless = Literal["tool", "count", "sum", "verdict"]
"""How a result may have been used.

tool: by a call that passes on thought, sums or verdicts (`spanless` in the tool table). The others are answers. count:
says how many things there are. sum: holds a number of three or more digits that stands nowhere in its prompt. verdict:
says that something is absent, alike, right or wrong.
"""

_COUNT = re.compile(
    r"(?<![\w.,/:$-])(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+(?:[a-z-]+\s+)?[a-z]{2,}s\b"
)
_VERDICT = re.compile(
    r"\b(?:no|without|zero)\s+(?:[\w-]+\s+){0,2}(?:errors?|warnings?|failures?|issues?|problems?|matches|results|changes"
    r"|differences|conflicts|mentions?|occurrences|references)\b"
    r"|\b(?:all|every)\s+(?:[\w-]+\s+){0,3}(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|match(?:ed|es)?|correct)\b"
    r"|\b(?:does|do|did|is|are|was|were|has|have)(?:\s+not|n't)\s+(?:[\w-]+\s+){0,2}"
    r"(?:exist|contain|include|found|present|used|eligible|available|match|defined|work)\w*"
    r"|\b(?:none|neither|nothing)\b|\b(?:identical|unchanged|equivalent)\b",
    re.IGNORECASE,
)


def spanless_uses(message: Message, unsourced_number: bool) -> tuple[Spanless, ...]:
    """How an assistant message may use results without leaving a span.

    unsourced_number: whether it holds a number of three or more digits that stands nowhere before it.
    """
    if message.calls:
        return ("tool",) if any(tool(call.name).spanless for call in message.calls) else ()
    found: list[Spanless] = []
    if _COUNT.search(message.text):
        found.append("count")
    if unsourced_number:
        found.append("sum")
    if _VERDICT.search(message.text):
        found.append("verdict")
    return tuple(found)
