"""Settings are declared once: the option, the suite's key, the cited command and the record are of one field."""

from __future__ import annotations

import shlex
import tomllib
from dataclasses import MISSING, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
import pytest
from click.shell_completion import ShellComplete

from harness.cli import cli
from harness.errors import HarnessError
from harness.runs.kinds import all_kinds
from harness.settings import (
    Settings,
    command_line,
    declared,
    from_options,
    from_table,
    is_many,
    scalar,
    setting,
    with_options,
)

KINDS = list(all_kinds().values())


@dataclass(frozen=True)
class Made(Settings):
    """One field of every kind."""

    paths: tuple[str, ...] = setting("FILE...", "Files.", path=True)
    names: tuple[str, ...] = setting("--name N", "Names.", ("a", "b"))
    count: int = setting("--count N", "How many.", 5, least=1)
    share: float = setting("--share X", "How much.", 0.5, above=0)
    way: Literal["up", "down"] = setting("--way W", "Which way.", "up")
    also: bool = setting("--also", "This too.", False)
    word: str | None = setting("--word W", "A word.", None)


def parsed(cls: type[Settings], words: list[str]) -> Any:
    command = with_options(cls)(click.Command("made"))
    return from_options(cls, command.make_context("made", words).params)


@pytest.mark.parametrize(
    "settings",
    [
        Made(("x",)),
        Made(("-x", "a b", "ü"), names=("c",), count=1, share=1e-9, way="down", also=True, word="-1 'q'"),
        Made(("x",), names=("a",), share=3.0, word=""),
    ],
)
def test_the_cited_command_makes_the_settings_again(settings: Made) -> None:
    assert parsed(Made, shlex.split(command_line("made", settings))[2:]) == settings
    assert Made.from_record(settings.to_record()) == settings


OTHER: dict[str, Any] = {
    "evidence": "0.9",
    "task": "file",
    "repetition": "file",
    **dict.fromkeys(("columns", "where"), "task=a"),
    "predict": "a=identity",
    "doses": "a=2",
}
"""Where a field takes no text of any kind."""


def other(name: str, option: Any, hint: Any, default: Any) -> Any:
    """A value that is not the default, as the command line takes it."""
    if get_origin(hint) is Literal:
        return next(v for v in get_args(hint) if v != default)
    least = option.least or 0
    value: Any = {int: int(least) + 7, float: least + 0.25, bool: True, str: "identity"}[scalar(hint)]
    if name in OTHER:
        value = scalar(hint)(OTHER[name])
    return (value,) if is_many(hint) else value


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_setting_of_every_kind_comes_back_from_the_command_that_is_cited(kind: Any) -> None:
    given = {f.name: other(f.name, o, h, f.default) for f, o, h in declared(kind.settings)}
    settings = kind.settings(**given)
    command = cli.get_command(click.Context(cli), kind.name)
    assert command is not None
    context = command.make_context(kind.name, shlex.split(command_line(kind.name, settings))[2:])
    assert from_options(kind.settings, context.params) == settings


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_setting_is_a_key_of_a_suite(kind: Any, tmp_path: Path) -> None:
    table = {}
    for field, option, hint in declared(kind.settings):
        value = other(field.name, option, hint, field.default)
        table[field.name] = list(value) if is_many(hint) else value
    found = from_table(kind.settings, table, "here", tmp_path)
    for field, option, _ in declared(kind.settings):
        if not option.path:
            assert getattr(found, field.name) != field.default


def test_paths_of_a_suite_are_relative_to_it(tmp_path: Path) -> None:
    found = from_table(Made, {"paths": ["a.txt", "../b"]}, "here", tmp_path / "suites")
    assert found.paths == (str(tmp_path / "suites" / "a.txt"), str(tmp_path / "b"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("count = 3", "here needs paths"),
        ('paths = ["a"]\ncuont = 3', r"unknown key here.cuont \(did you mean 'count'\?\); known: paths, names"),
        ('paths = ["a"]\ncount = 1.5', "here.count must be a whole number, not 1.5"),
        ('paths = ["a"]\ncount = 0', "here: count is 0: give 1 or more"),
        ('paths = ["a"]\nshare = 0.0', "here: share is 0.0: give more than 0"),
        ('paths = ["a"]\nshare = nan', "here: share is nan"),
        ('paths = ["a"]\nway = "left"', "here: way is 'left': give up or down"),
        ('paths = "a"', "here.paths must be a list"),
        ('paths = ["a"]\nalso = 1', "here.also must be true or false, not 1"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=said):
        from_table(Made, tomllib.loads(text), "s.toml: here", tmp_path)


def test_a_record_of_an_older_program_has_the_defaults_of_what_came_later() -> None:
    assert Made.from_record({"paths": ["x"]}) == Made(("x",))
    with pytest.raises(HarnessError, match=r"does not know \(gone\)"):
        Made.from_record({"paths": ["x"], "gone": 1})


def test_what_must_be_given_is_said() -> None:
    assert [f.name for f, _, _ in declared(Made) if f.default is MISSING] == ["paths"]
    with pytest.raises(HarnessError, match=r"FILE\.\.\. is missing: files"):
        parsed(Made, ["--count", "2"])
    assert replace(Made(("x",)), count=2).count == 2


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        (["replay", "--policy"], "car_r", ["car_read"]),
        (["loop", "--tasks"], "s", ["sql", "service"]),
        (["bench", "--engine"], "tin", ["tiny"]),
    ],
)
def test_a_shell_completes_what_there_is_to_choose_from(words: list[str], begun: str, offered: list[str]) -> None:
    shell = ShellComplete(cli, {}, "harness", "_HARNESS_COMPLETE")
    assert sorted(item.value for item in shell.get_completions(words, begun)) == sorted(offered)
