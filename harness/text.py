"""Putting things on a terminal."""

from __future__ import annotations

import re

import click

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def aside(text: str) -> None:
    """Say something besides, on standard error: what a program reads stays clean."""
    click.echo(text, err=True)


def harmless(text: str) -> str:
    """Text from a transcript with its control characters made visible, so that it cannot drive the terminal."""
    return _CONTROL.sub(_visible, text.encode("utf-8", "replace").decode("utf-8"))


def one_line(text: str) -> str:
    """`harmless`, with line ends and tabs made visible as well: a name cannot pass for several lines."""
    return harmless(text).replace("\n", "␊").replace("\t", "␉")


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else f"\\u{{{code:x}}}"


def short(text: str, most: int = 44) -> str:
    """Text that fits into a cell, its beginning and its end kept."""
    return text if len(text) <= most else f"{text[: most - 11]} … {text[-8:]}"


def count(value: int | float | None) -> str:
    """An integer with thousands separators; what is not known says so."""
    return "not identified" if value is None else f"{value:,.0f}"


def number(value: int, what: str) -> str:
    """So many of something, in its singular or plural: `1 cluster`, `1,260 runs`."""
    return f"{count(value)} {what}" + "s" * (value != 1)


def size(value: int) -> str:
    """Bytes for people: 17 B, 4.2 kB, 1.3 MB (powers of 1000)."""
    if value < 1000:
        return f"{value} B"
    power = 1 if value < 10**6 else 2 if value < 10**9 else 3
    return f"{value / 1000**power:.1f} {('kB', 'MB', 'GB')[power - 1]}"


def share(part: float, whole: float) -> str:
    """A percentage, or `-` where there is nothing to take it of."""
    return f"{100 * part / whole:.1f} %" if whole else "-"
