"""The bundled words that stand for a value (`synonyms.toml`): evidence for an enum that the input names otherwise."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Synonyms:
    """values: per folded value the words for it. true, false: words that switch something on, and off.

    opposites: per name of a boolean argument the words that say false.
    """

    values: dict[str, tuple[str, ...]]
    true: tuple[str, ...]
    false: tuple[str, ...]
    opposites: dict[str, tuple[str, ...]]


@cache
def bundled() -> Synonyms:
    table = tomllib.loads(files("harness.grounding").joinpath("synonyms.toml").read_text(encoding="utf-8"))
    values = {value: tuple(words) for value, words in table["values"].items()}
    opposites = {name: tuple(words) for name, words in table["opposites"].items()}
    return Synonyms(values, tuple(table["true"]["words"]), tuple(table["false"]["words"]), opposites)
