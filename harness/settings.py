"""Settings declared once. A field of a `Settings` class gives the option of the command line, the key of a suite's
table, the words of the cited command and what a run records of it.

    @dataclass(frozen=True)
    class PlanSettings(Settings):
        '''What a plan is asked.'''

        paths: tuple[str, ...] = setting("PATH...", "Recordings.", path=True)
        repetitions: int = setting("--repetitions N", "How often every task is asked.", 5, least=1)

A field's type says what it takes: `str`, `int`, `float`, `bool`, `str | None`, a `Literal` of texts, or a tuple of
texts, which is given once a value.
"""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args, get_origin, get_type_hints

import click
from click.shell_completion import CompletionItem

from harness.errors import HarnessError, did_you_mean

Read = Callable[[Any], Any]
Names = Callable[[], Iterable[str]]
S = TypeVar("S", bound="Settings")

_WANTED = {tuple: "a list", str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclasses.dataclass(frozen=True)
class Option:
    """What a field says of itself beside its name, type and default.

    flag: of the option; empty for positional arguments. least, above: bounds of a number, the second left out itself.
    path: names files, in a suite relative to it. named: each may be written NAME=PATH. read: turns what was given, one
    value at a time, into what is recorded; raises `HarnessError`. names: what there is to choose from, for completion
    in a shell. kind: of the command line's type where it is more than the field's.
    """

    flag: str
    metavar: str
    help: str
    least: float | None
    above: float | None
    path: bool
    named: bool
    read: Read | None
    names: Names | None
    kind: click.ParamType[Any] | None


def setting(
    usage: str,
    help: str,
    default: Any = MISSING,
    *,
    least: float | None = None,
    above: float | None = None,
    path: bool = False,
    named: bool = False,
    read: Read | None = None,
    names: Names | None = None,
    kind: click.ParamType[Any] | None = None,
) -> Any:
    """A field with its option. usage: `--flag METAVAR`, `--flag` for a switch, `METAVAR` for an
    argument, `METAVAR...` for the arguments of a tuple.

    Without a default the setting must be given.
    """
    flag, metavar = usage.partition(" ")[::2] if usage.startswith("-") else ("", usage)
    option = Option(flag, metavar, help, least, above, path, named, read, names, kind)
    return dataclasses.field(default=default, metadata={"option": option})


@dataclasses.dataclass(frozen=True)
class Settings:
    """Base of the settings classes; every field is made by `setting`. Bounds and choices hold however one is made."""

    def __post_init__(self) -> None:
        for field, option, hint in declared(type(self)):
            value = getattr(self, field.name)
            if get_origin(hint) is Literal and value not in get_args(hint):
                raise HarnessError(f"{field.name} is {value!r}: give {' or '.join(get_args(hint))}")
            if isinstance(value, int | float) and not _within(value, option):
                raise HarnessError(f"{field.name} is {value!r}: give {_bounds(option)}")

    def to_record(self) -> dict[str, Any]:
        """As a journal, a manifest and a suite's plan hold it."""
        return dataclasses.asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """From what `to_record` gave and JSON brought back; what was no setting yet has its default. Raises
        `HarnessError` for fields that there are not."""
        if odd := sorted(record.keys() - {field.name for field in dataclasses.fields(cls)}):
            raise HarnessError(f"settings that this program does not know ({', '.join(odd)}): make the run again")
        return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in record.items()})


@dataclasses.dataclass(frozen=True)
class Nothing(Settings):
    """No settings."""


def declared(cls: type[Settings]) -> Iterator[tuple[Field[Any], Option, Any]]:
    """The fields of a class with their options and types."""
    hints = get_type_hints(cls)
    for field in dataclasses.fields(cls):
        yield field, field.metadata["option"], hints[field.name]


def scalar(hint: Any) -> type:
    """The type of one value: of a tuple's items, of what may also be `None`, of a choice."""
    if get_origin(hint) is Literal:
        return str
    return next(kind for kind in (bool, int, float, str) if kind in (hint, *get_args(hint)))


def is_many(hint: Any) -> bool:
    return get_origin(hint) is tuple


# The command line


def with_options(*classes: type[Settings]) -> Callable[[click.Command], click.Command]:
    """Adds the options of settings classes to a command, in the order of their fields."""

    def add(command: click.Command) -> click.Command:
        command.params[:0] = [_parameter(*one) for cls in classes for one in declared(cls)]
        return command

    return add


def _parameter(field: Field[Any], option: Option, hint: Any) -> click.Parameter:
    complete = _completion(option.names) if option.names else None
    kind = option.kind or _click_type(option, hint)
    if not option.flag:
        many = -1 if is_many(hint) else 1
        return click.Argument(
            [field.name], nargs=many, required=False, metavar=option.metavar, type=kind, shell_complete=complete
        )
    many, switch = is_many(hint), hint is bool
    default = None if many or field.default is MISSING else field.default
    return click.Option(
        [option.flag, field.name],
        type=None if switch else kind,
        is_flag=switch,
        multiple=many,
        default=default,
        show_default=not switch and default not in (None, "", 0),
        metavar=None if switch else option.metavar,
        help=f"{option.help.removesuffix('.')} (repeatable)." if many else option.help,
        shell_complete=complete,
    )


def _click_type(option: Option, hint: Any) -> click.ParamType[Any] | type:
    if get_origin(hint) is Literal:
        return click.Choice(get_args(hint))
    one = scalar(hint)
    if one is int and option.least is not None:
        return click.IntRange(int(option.least))
    if one is float and (option.least, option.above) != (None, None):
        return click.FloatRange(
            option.least if option.above is None else option.above, min_open=option.above is not None
        )
    return click.Path() if option.path else one


def _completion(names: Names) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    return lambda context, parameter, begun: [CompletionItem(name) for name in names() if name.startswith(begun)]


def from_options(cls: type[S], given: Mapping[str, Any]) -> S:
    """Settings from what click gave; what was not given keeps its default. Raises `HarnessError` for what is missing,
    out of bounds or unknown."""
    values = {}
    for field, option, hint in declared(cls):
        value = given.get(field.name)
        if value is None or value == ():
            if field.default is MISSING:
                raise HarnessError(f"{option.flag or option.metavar} is missing: {_lower(option.help)}")
            continue
        values[field.name] = _read(value, option, hint)
    return cls(**values)


def is_given(cls: type[Settings], context: click.Context) -> list[str]:
    """The settings that stood on the command line."""
    stood = click.core.ParameterSource.COMMANDLINE
    return [
        option.flag or option.metavar
        for field, option, _ in declared(cls)
        if context.get_parameter_source(field.name) is stood and context.params[field.name] != ()
    ]


def command_words(command: str, settings: Settings) -> list[str]:
    """The command that makes these settings again: every one that is not its default."""
    options: list[str] = []
    arguments: list[str] = []
    for field, option, hint in declared(type(settings)):
        value = getattr(settings, field.name)
        if value == field.default:
            continue
        texts = [_written(one) for one in (value if is_many(hint) else (value,))]
        if not option.flag:
            arguments += texts
        elif hint is bool:
            options += [option.flag] if value else []
        else:
            options += [word for text in texts for word in _words(option.flag, text)]
    if any(text.startswith("-") for text in arguments):
        return ["harness", command, *options, "--", *arguments]
    return ["harness", command, *arguments, *options]


def command_line(command: str, settings: Settings) -> str:
    """The same as one line for a shell."""
    return shlex.join(command_words(command, settings))


def _words(flag: str, text: str) -> list[str]:
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _written(value: Any) -> str:
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return str(value)


# A suite's table


def from_table(cls: type[S], table: Mapping[str, Any], place: str, folder: Path) -> S:
    """Settings from a TOML table. place: what the messages of `HarnessError` begin with. folder: what its paths are
    relative to."""
    known = {field.name: (field, option, hint) for field, option, hint in declared(cls)}
    check_keys(table, known, place)
    values = {}
    for key, value in table.items():
        _, option, hint = known[key]
        _check_type(value, tuple if is_many(hint) else scalar(hint), f"{place}.{key}")
        if option.path:
            value = [_below(folder, one, option) for one in value] if is_many(hint) else below(folder, value)
        try:
            values[key] = _read(value, option, hint)
        except HarnessError as error:
            raise HarnessError(f"{place}.{key}: {error}") from None
    missing = [name for name, (field, _, _) in known.items() if field.default is MISSING and not values.get(name)]
    if missing:
        raise HarnessError(f"{place} needs {', '.join(missing)}")
    try:
        return cls(**values)
    except HarnessError as error:
        raise HarnessError(f"{place}: {error}") from None


def check_keys(table: Mapping[str, Any], known: Iterable[str], place: str) -> None:
    """Raises `HarnessError` for a key that is not known, with the nearest that is."""
    for key in table:
        if key not in known:
            before, _, last = place.rpartition(" ")
            where = (
                f"{before} unknown key {last}.{key}"
                if last and not place.endswith(":")
                else f"{place} unknown key {key}"
            )
            raise HarnessError(f"{where}{did_you_mean(key, known)}; known: {', '.join(known)}")


def _check_type(value: Any, wanted: type, place: str) -> None:
    number = wanted is float and isinstance(value, int)
    fits = isinstance(value, list if wanted is tuple else wanted) or number
    if not fits or (isinstance(value, bool) and wanted is not bool):
        raise HarnessError(f"{place} must be {_WANTED[wanted]}, not {value!r}")


def below(folder: Path, path: str) -> str:
    """A path relative to a folder, as short as it can be written from here."""
    absolute = (folder / path).resolve()
    here = Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def named_path(text: str) -> tuple[str, str]:
    """`NAME=PATH` as its two parts, the name empty where there is none: a path has a slash before any equals sign."""
    name, equals, path = text.partition("=")
    return (name, path) if equals and "/" not in name and "\\" not in name else ("", text)


def _below(folder: Path, text: str, option: Option) -> str:
    name, path = named_path(text) if option.named else ("", text)
    return f"{name}={below(folder, path)}" if name else below(folder, path)


def _read(value: Any, option: Option, hint: Any) -> Any:
    read: Read = option.read or (lambda one: str(one) if isinstance(one, Path) else one)
    if is_many(hint):
        return tuple(read(one) for one in _sequence(value))
    return read(float(value) if scalar(hint) is float else value)


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else (value,)


def _within(value: float, option: Option) -> bool:
    if isinstance(value, float) and math.isnan(value):
        return False
    return (option.least is None or value >= option.least) and (option.above is None or value > option.above)


def _bounds(option: Option) -> str:
    return f"{option.least:g} or more" if option.least is not None else f"more than {option.above:g}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].removesuffix(".")
