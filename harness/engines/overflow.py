"""Whether what an engine says of a failure is that the prompt does not fit into its window.

Engines have no common code for it: OpenAI has `context_length_exceeded`, llama.cpp `exceed_context_size_error`, others
a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from harness.engines.turn import EngineFailure

_SAID: Final = re.compile(
    r"context[_ -]?(?:length|size|window)[_ -]?(?:exceeded|overflow|error)|exceed\w*[_ ].{0,40}context"
    r"|maximum context|(?:prompt|input|request) (?:is |was )?too (?:long|large)|(?:does not|doesn't) fit"
    r"|context_overflow|window was too small",
    re.IGNORECASE,
)


def is_overflow(said: str) -> bool:
    """Whether a failure's code or sentence speaks of a prompt that is too long."""
    return _SAID.search(said) is not None


def refusal(said: str, where: str = "") -> EngineFailure:
    """A turn that an engine refused, as `overflow` if that is why. where: put in front of what it said."""
    return EngineFailure("overflow" if is_overflow(said) else "refused", where + said[:500])
