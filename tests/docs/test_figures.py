"""Every figure on a page of docs/ has its origin in docs/figures.toml: the test or command that gives it, or where the
program or a source states it."""

from __future__ import annotations

import importlib
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from harness.cli import cli
from tests.conftest import ROOT

DOCS = ROOT / "docs"
FIGURE = re.compile(
    r"(?<![\w.`=/-])[+-]?\d[\d.,]*(?: to \d[\d.,]*)?\s?(?:%|M\b|MB|kB|ms|s|tok/s|tokens/s|points)(?![\w`])"
)
REGISTER = tomllib.loads((DOCS / "figures.toml").read_text(encoding="utf-8"))["figures"]
SEPARATE = frozenset({"columns.md", "policies.md"})
"""Pages that are made from the program, and compared with it by a test of their own."""


def sections() -> dict[tuple[str, str], int]:
    """By page and heading, how many figures stand there; code and the words about intervals do not count."""
    found: dict[tuple[str, str], int] = {}
    for page in sorted(DOCS.glob("*.md")):
        if page.name in SEPARATE:
            continue
        heading, fenced = "", False
        for line in page.read_text(encoding="utf-8").splitlines():
            fenced ^= line.startswith("```")
            if fenced or line.startswith("    "):
                continue
            if line.startswith("#"):
                heading = line.lstrip("# ")
            figures = [f for f in FIGURE.findall(line) if not f.startswith("95 %")]
            if figures:
                found[page.name, heading] = found.get((page.name, heading), 0) + len(figures)
    return found


def test_every_figure_has_its_origin() -> None:
    registered = {(entry["page"], entry["section"]): entry["figures"] for entry in REGISTER}
    assert registered == sections(), "say in docs/figures.toml where each figure comes from, and how many there are"


@pytest.mark.parametrize("entry", REGISTER, ids=lambda entry: f"{entry['page']}: {entry['section']}")
def test_the_origin_is_there(entry: dict[str, str]) -> None:
    origins = [key for key in ("test", "command", "stated", "recorded") if entry.get(key)]
    assert len(origins) == 1, "one of test, command, stated, recorded"
    (origin,) = origins
    where = entry[origin]
    if origin == "test":
        path, _, name = where.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    elif origin == "command":
        parses(where)
    elif origin == "stated":
        module, _, attribute = where.partition(":")
        assert hasattr(importlib.import_module(module), attribute)
    else:
        assert len(where) > 20, "which run, on what, and why it cannot be made again here"


def parses(line: str) -> None:
    """Whether the command line would take it; nothing is run."""
    name, *arguments = shlex.split(line)[1:]
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    command.make_context(name, arguments, resilient_parsing=False)


def test_paths_of_commands_are_in_the_tree() -> None:
    named = {word for entry in REGISTER for word in shlex.split(entry.get("command", "")) if word.startswith("tasks/")}
    assert [word for word in named if not (ROOT / Path(word)).exists()] == []
