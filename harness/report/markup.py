"""Text that comes out of recordings and engines, made fit to stand in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabulate import tabulate

from harness.text import harmless

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&@])")


def escaped(text: str) -> str:
    """Text that shows as itself in Markdown, whatever is in it."""
    return _SPECIAL.sub(r"\\\1", harmless(text).replace("\n", " "))


def code(text: str) -> str:
    """A name as code, where nothing in it means anything: no markup, no link, no mention."""
    shown = harmless(text).replace("\n", " ").replace("|", "\\|")
    fence = _fence(shown, 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(text: str) -> str:
    """Text of several lines as a block of code."""
    shown = harmless(text)
    fence = _fence(shown, 3)
    return f"{fence}text\n{shown}\n{fence}"


def _fence(text: str, least: int) -> str:
    return "`" * max(least, 1 + max((len(run) for run in re.findall("`+", text)), default=0))


def pipe_table(headers: Sequence[str], cells: Sequence[Sequence[str]], left: Sequence[bool] = (True,)) -> str:
    """A table of cells that are Markdown already; columns marked in `left` are set to the left."""
    align = ["left" if n < len(left) and left[n] else "right" for n in range(len(headers))]
    return tabulate(cells, headers=headers, tablefmt="pipe", colalign=align if cells else None, disable_numparse=True)
