"""The floor of a tuning: the least share of requests with dependencies that see all of theirs.

Written `95%`, `95` or `0.95`. A share under a half is refused: who writes 0.02 means a loss, and would get a policy
that may hide 98 % of what the agent needs.
"""

from __future__ import annotations

from typing import Any

import click

from harness.errors import HarnessError

DEFAULT = 0.95
LEAST = 0.5


def floor_of(value: Any) -> float:
    """The share. Raises `HarnessError` for what may be meant otherwise."""
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise HarnessError(f"evidence {text!r}: give the share that must stay visible, such as 95% or 0.95") from None
    share = number / 100 if text.endswith("%") or number > 1 else number
    if LEAST <= share <= 1:
        return share
    if 0 <= share < LEAST:
        raise HarnessError(
            f"evidence is {text}: it is the share of requests that must still see all they depend on, so this would "
            f"let {1 - share:.0%} of them miss something; a loss of at most {share:.0%} is written {1 - share:.0%}"
        )
    raise HarnessError(f"evidence is {text}: give a share from {LEAST:.0%} to 100%, such as 95%")


class Floor(click.ParamType[float]):
    """On the command line."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return floor_of(value)
