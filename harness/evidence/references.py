"""Arguments that a reference could have stood for, and the output tokens that this would have saved.

Every result is kept under a handle as it arrives, `r1`, `r2`, ... Each call's arguments are rewritten with references
in place of what equals a kept value or a field of one (40 or more bytes of compact JSON), and resolved again with the
code that an agent would use; only what comes back unchanged counts (`harness.preview.rewrite`), and only where the
reference is the shorter one in tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from harness.evidence.fields import Parse, stored_value
from harness.evidence.prompts import shown_prompts
from harness.preview import JsonValue, MalformedJson, SessionValues, parse_value, rewrite, serialize
from harness.preview.references import MIN_BYTES
from harness.transcript import Transcript


class Counter(Protocol):
    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Referencable:
    """An argument, or a part of one, that a reference could have stood for.

    request: from 0. call: which of its calls. at: keys and indexes that lead to the part. reference: `$r1.rows.0`.
    source: message of the result. bytes: of the part as compact JSON. tokens_saved: of output, always above 0.
    """

    request: int
    call: int
    at: tuple[str | int, ...]
    reference: str
    source: int
    bytes: int
    tokens_saved: int


def referencable(transcript: Transcript, counter: Counter, parse: Parse = "recorded") -> list[Referencable]:
    """All of them, in order. `parse`: how results are taken for JSON when they are kept."""
    values = SessionValues()
    sources: dict[str, int] = {}
    found: list[Referencable] = []
    kept = 0
    for k, shown in enumerate(shown_prompts(transcript)):
        for i in range(kept, shown.message):
            result = transcript.messages[i].result
            if result is not None:
                sources[values.put(stored_value(result, parse))] = i
        kept = shown.message
        for n, call in enumerate(transcript.messages[shown.message].calls):
            if len(call.arguments) < MIN_BYTES or not sources:
                continue
            argument = _parsed(call.arguments)
            for reference in rewrite(values, argument)[1]:
                source = sources[reference.text[1:].partition(".")[0]]
                saved = _saved(argument, reference.at, reference.text, counter)
                if saved > 0 and shown.of([source]):
                    found.append(Referencable(k, n, reference.at, reference.text, source, reference.bytes, saved))
    return found


def _parsed(text: str) -> JsonValue:
    try:
        return parse_value(text)
    except MalformedJson:
        return text


def _saved(argument: JsonValue, at: tuple[str | int, ...], reference: str, counter: Counter) -> int:
    part = argument
    for step in at:
        part = part[step]
    return counter.count(serialize(part).decode()) - counter.count(serialize(reference).decode())
