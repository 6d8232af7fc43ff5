"""A policy over a recording of the agent that has it: what that agent cut already stays as it stands.

The whole value is not known there, or known from a file and shown by the agent as it stands; cutting what is left once
more would be no policy of anybody's. So a preset that is not set tighter than the agent's own changes nothing of a
result that bears its own mark, and such a result is *not identified*. CAR gives every value a handle above a size that
is not known: in a recording that bears its previews, all results stay.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from harness.formats.clipping import left_by
from harness.policies.car import Car
from harness.policies.family import Arrival, Family
from harness.policies.presets import Preset
from harness.policies.rendering import Prompt, Rendering, Run
from harness.policies.units import utf8_length
from harness.preview.recorded import recorded_preview
from harness.transcript import ToolCall, ToolResult, Transcript

LOOSER = frozenset({"min_bytes", "exempt"})
"""Settings by which a policy can only touch less than its preset does."""


class OwnRecording:
    """A run whose agent has shown some results cut already: `stays` are their messages."""

    def __init__(self, run: Run, stays: frozenset[int]) -> None:
        self.run = run
        self.stays = stays

    def admit(self, index: int, result: ToolResult, call: ToolCall | None) -> Rendering:
        return as_it_stands(result) if index in self.stays else self.run.admit(index, result, call)

    def arrive(self, arrival: Arrival) -> Hashable:
        """What the text of the next result depends on (`harness.policies.family.Stateless`)."""
        if arrival.index in self.stays:
            return None
        depends: Hashable = self.run.arrive(arrival)  # type: ignore[attr-defined]  # those who ask know that it has it
        return depends

    def pieces(self, arrival: Arrival) -> tuple[str, ...]:
        """The text of the result that arrived last, in pieces where tokens are additive."""
        if arrival.index in self.stays:
            return (arrival.result.content,)
        pieces: tuple[str, ...] = self.run.pieces(arrival)  # type: ignore[attr-defined]
        return pieces

    def rewrite(self, prompt: Prompt) -> Mapping[int, Rendering]:
        changes = self.run.rewrite(prompt)
        return {i: view for i, view in changes.items() if i not in self.stays} if changes else changes


def as_it_stands(result: ToolResult) -> Rendering:
    """A result as its agent showed it. What a joined file holds besides is in that file; what a handle holds, only the
    handle gives."""
    seen = recorded_preview(result.content)
    if seen is not None and not seen.whole:
        return Rendering(result.content, 0, "handle-arg", seen.handle)
    if result.whole is not None:
        elided = max(0, utf8_length(result.whole) - utf8_length(result.content))
        return Rendering(result.content, elided, "file")
    return Rendering(result.content)


def stays(
    family: Family, preset: Preset | None, settings: Mapping[str, Any], own: Mapping[str, Any], transcript: Transcript
) -> frozenset[int]:
    """The results that a policy leaves alone in a recording of its own agent. settings: of the policy; own: of the
    preset as it is shipped, empty without one."""
    results = [(i, m.result) for i, m in enumerate(transcript.messages) if m.result is not None]
    if isinstance(family, Car):
        previewed = any(recorded_preview(result.content) for _, result in results)
        return frozenset(i for i, _ in results) if previewed else frozenset()
    marks = left_by(preset.name) if preset else frozenset()
    if not any(result.clipped in marks for _, result in results) or is_tighter(settings, own):
        return frozenset()
    return frozenset(i for i, result in results if result.clipped in marks)


def is_tighter(settings: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether some setting may make the policy cut more than the preset does."""
    return any(_may_cut_more(settings[key], value) for key, value in own.items() if key not in LOOSER)


def _may_cut_more(value: Any, own: Any) -> bool:
    if isinstance(value, (int, float)) and isinstance(own, (int, float)) and not isinstance(value, bool):
        return value < own
    return bool(value != own)
