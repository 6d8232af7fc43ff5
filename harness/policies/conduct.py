"""How a program behaved that renders for the harness: how long it took, how it failed, whether it answers alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. message: the index of the message that holds the result. seconds: until the answer was there.

    failed: the kind of failure, empty if there was none; the result then stands as recorded. again: the text of a
    second answer to the same question, `None` where it was not asked twice. memory: bytes at the peak so far of the
    process and all that it started, `None` where that is not known.
    """

    message: int
    seconds: float
    failed: str = ""
    again: str | None = None
    memory: int | None = None


@dataclass
class Conduct:
    """Everything that was asked in one session, in order."""

    asked: list[Asked] = field(default_factory=list)


@runtime_checkable
class Program(Protocol):
    """What a policy is that a program of somebody else's stands behind."""

    def ran(self) -> Mapping[str, Any]:
        """What ran: hashes and versions, as a manifest holds them."""


def draw(text: str, of: int) -> bool:
    """Whether a text is in the sample of one in `of`; the same texts whenever it is asked."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return of > 0 and int.from_bytes(digest) % of == 0
