"""A field of a recording at another type than its reader expects: nothing vanishes without being counted.

For every reader and dialect, over the smallest JSON recording that its tests have, with its texts made long enough to
be told apart: one field or element at a time becomes null, a number, an array or object around the value, the object of
its elements, its JSON in a string. With *lines* as the reading audit counts them (16 characters or more, with words),
every line that a transcript of the unchanged recording holds must afterwards

- stand in a transcript still; or
- stand in the source, of which a transcript is read: it is counted as text that was not read (`text_read`); or
- be told of: one more problem, skipped source or unknown shape, a note that was not there, a record that ended
  otherwise than as a transcript; or
- be gone from the source, since null (which is absence) or a number took the value's place, and a number is read there.

And no change may raise. What still fails this is listed, and a listed one that no longer does fails the whole run.
"""

from __future__ import annotations

import random

import pytest

from tests.formats.changes import changed, documents, look, vanished, with_words, written
from tests.formats.samples import SAMPLES

EACH = 12
SILENT = {
    "cassettes": {"interactions.*.request.parsed_body.messages as number"},
    "dialects/genai-parts.json": {"messages.*.parts as number"},
    "gemini_cli": {
        "messages.*.content.*.text as number",
        "messages.*.toolCalls.*.result.*.functionResponse as number",
    },
    "inspect_ai": {
        "samples.*.attachments as number",
        "samples.*.attachments.0123456789abcdef0123456789abcdef as number",
        "samples.*.events.* as number",
        "samples.*.events.*.input.*.error as number",
        "samples.*.messages as number",
        "samples.*.messages.* as number",
        "samples.*.messages.*.content as number",
        "samples.*.messages.*.error as number",
        "samples.*.messages.*.error.message as number",
    },
    "kimi": {
        " as object",
        "message as object",
        "message.payload as object",
        "message.payload.return_value as object",
    },
    "langfuse": {"observations.*.input as number", "observations.*.output as number"},
    "otel": {
        "attributes.llm.input_messages.*.message as number",
        "attributes.llm.input_messages.*.message.contents as number",
        "attributes.llm.input_messages.*.message.contents.* as number",
    },
    "tau2": {"simulations.*.messages as number", "simulations.*.messages.*.tool_messages as number"},
}
"""Places whose change is not counted yet. Of numbers, the value is nowhere in the file."""


def smallest() -> dict[str, tuple[str, bytes]]:
    """By reader and dialect, as the tests' names call them."""
    found: dict[str, tuple[str, bytes]] = {}
    for sample, (name, data) in sorted(SAMPLES.items(), key=lambda item: len(item[1][1])):
        own = sample if sample.startswith(("dialects/", "side_files/")) else sample.partition("/")[0]
        if documents(data):
            found.setdefault(own, (name, data))
    return dict(sorted(found.items()))


@pytest.mark.parametrize("sample", smallest())
def test_nothing_vanishes_without_being_counted(sample: str) -> None:
    assert silent(sample, EACH) <= SILENT.get(sample, set())


@pytest.mark.slow
@pytest.mark.parametrize("sample", smallest())
def test_nothing_vanishes_whatever_is_changed(sample: str) -> None:
    assert silent(sample, None) == SILENT.get(sample, set())


def silent(sample: str, most: int | None) -> set[str]:
    """The changes of a sample, all or as many as `most` by a seed of its name, after which text vanishes uncounted."""
    name, data = smallest()[sample]
    values = with_words(documents(data), name)
    before = look(name, written(values))
    changes = list(changed(values))
    if most is not None:
        changes = random.Random(sample).sample(changes, min(most, len(changes)))
    return {
        what.removeprefix("*.").removeprefix("*")
        for what, after in changes
        if vanished(before, look(name, after), what, after)
    }
