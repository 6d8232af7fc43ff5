"""Which model of the price snapshot a recorded model id means: dated, Bedrock, Vertex and gateway ids among them.

    us.anthropic.claude-sonnet-4-5-20250929-v1:0    claude-sonnet-4-5
    publishers/anthropic/models/claude-opus-4-1@20250805    claude-opus-4-1

The price is that of the model's maker; what a cloud adds for a region is not in the snapshot. An id with a word that is
not known, such as `-fast`, is of another price, and no model of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from harness.money.prices import price_models

CLOUD = re.compile(r"\A(?:(?:us|us-gov|eu|apac|global|jp|au|ca)\.)?(?:anthropic|openai|google|deepseek|moonshot|xai)\.")
ENDINGS = (
    re.compile(r"\[\d+m\]\Z"),  # Claude Code's mark of a long window
    re.compile(r"@[\w.-]+\Z"),  # a version on Vertex
    re.compile(r"-v?\d+:\d+\Z"),  # a version on Bedrock
    re.compile(r"(?<=\d{8})-v\d+\Z"),
    re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})\Z"),
    re.compile(r"-(?:latest|\d{3})\Z"),
    re.compile(r"-preview(?:-\d\d-\d\d(?:-\d{4})?)?\Z"),
)
CLAUDE = re.compile(r"\Aclaude-(\d(?:[.-]\d)?)-(opus|sonnet|haiku)(?:-thinking)?\Z")


@cache
def price_name(recorded: str) -> str | None:
    """The name under which the snapshot has the price of a recorded model; `None` if it has none."""
    known = _index()
    return next((known[name] for name in spellings(recorded) if name in known), None)


def spellings(recorded: str) -> Iterator[str]:
    """A model's id as it is, then shorter and shorter, without what clouds, gateways and dates add."""
    name = recorded.strip().lower()
    yield name
    name = CLOUD.sub("", name.rsplit("/", 1)[-1])
    yield from _claude(name)
    for ending in ENDINGS:
        shorter = ending.sub("", name)
        if shorter != name:
            name = shorter
            yield from _claude(name)


def _claude(name: str) -> Iterator[str]:
    yield name
    if not name.startswith("claude-"):
        return
    dashed = name.replace(".", "-").removesuffix("-thinking")
    yield dashed
    if turned := CLAUDE.match(dashed):
        yield f"claude-{turned[2]}-{turned[1]}"


@cache
def _index() -> dict[str, str]:
    """Names and aliases; of several models with one alias the first, whose maker sells it."""
    index: dict[str, str] = {}
    for name, model in price_models().items():
        for known in (name, *model.aliases):
            index.setdefault(known.lower(), name)
    return index
