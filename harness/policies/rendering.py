"""What a policy gives back, and what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.preview.typed import Budgets
from harness.transcript import ToolCall, ToolResult

Reach = Literal["none", "rerun", "file", "handle-read", "handle-arg"]
"""How the model can come by what a rendering leaves out: not at all; by running the tool again, narrowed; by
reading the file to which it was spilled; by a tool that shows a part of a handle; only by passing the handle
on as an argument."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """The text that stands in the prompt for one tool result.

    elided_bytes: UTF-8 bytes of the value that do not stand in `text`; 0 if all of it is there. reach: what the
    policy leaves for what is elided. handle: the name under which the whole value is kept for the run. preview: of
    the reference's typed preview, its budgets: they tell which fields of the value the text names.
    """

    text: str
    elided_bytes: int = 0
    reach: Reach = "none"
    handle: str | None = None
    preview: Budgets | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request's prompt, as a history policy sees it before the model does.

    request: number of the request, from 0. shown: indices of the transcript's messages in the prompt, in
    order.
    tokens: per message index, the tokens of its current view, framing included. views: per message index of a
    tool result, its current rendering. total: prompt tokens of this request as things stand.
    """

    request: int
    shown: Sequence[int]
    tokens: NDArray[np.int64]
    views: Mapping[int, Rendering]
    total: int


class Run(Protocol):
    """A policy's state over one transcript."""

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        """How the result in message `index` is rendered when it arrives. Called once a result, in order."""

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        """What changes before this request: new renderings by message index. Empty for an admission policy.

        A change stays until it is changed again. Only summaries change messages that hold no result.
        """
