"""Keys, tokens and mail addresses in names that a report prints: found by detect-secrets, replaced by a number.

A finding is masked with the word around it, since some detectors name only a part of what they found. The entropy
detectors are left out: the hashes and UUIDs in the ids of sessions look like keys to them. Nothing is verified over the
network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import RegexBasedDetector

LEFT_OUT = frozenset({"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector"})
_WORD = re.compile(r"[^\s/\\\"'`&?=,;()<>\[\]{}|#]+")


class Detector(Protocol):
    """What is used of a detect-secrets plugin."""

    def analyze_string(self, string: str) -> Iterator[str]: ...


class MailAddress(RegexBasedDetector):
    """Mail addresses; the user of a Git remote is none."""

    secret_type = "Mail address"
    denylist = (re.compile(r"\b(?!git@)[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII),)


class VendorKey(RegexBasedDetector):
    """Keys of model vendors that the library does not know yet, by their published prefixes."""

    secret_type = "Vendor key"
    denylist = (re.compile(r"\b(?:sk-[\w-]{16,}|AIza[\w-]{35}|hf_[A-Za-z0-9]{30,}|gsk_\w{30,}|xai-\w{30,})", re.ASCII),)


@cache
def detectors() -> tuple[Detector, ...]:
    """The library's detectors and the two above."""
    known: Mapping[str, type[Detector]] = get_mapping_from_secret_type_to_class()
    return (*(c() for c in known.values() if c.__name__ not in LEFT_OUT), MailAddress(), VendorKey())


class Mask:
    """Replaces secrets by `[masked 1]`, `[masked 2]`, …: equal ones by the same number, different ones by another, so
    that names which differ still do. Numbers follow the order in which texts are given."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._done: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        if text not in self._done:
            self._done[text] = self._masked(text)
        return self._done[text]

    def _masked(self, text: str) -> str:
        out, end = [], 0
        for start, stop in _spans(text):
            number = self._numbers.setdefault(text[start:stop], len(self._numbers) + 1)
            out += [text[end:start], f"[masked {number}]"]
            end = stop
        return "".join([*out, text[end:]])


def _spans(text: str) -> list[tuple[int, int]]:
    """Where secrets stand, from left to right, each with the word around it, touching ones joined."""
    found = {s for d in detectors() for s in d.analyze_string(text) if s}
    spans = []
    for secret in found:
        for match in re.finditer(re.escape(secret), text):
            words = [w.span() for w in _WORD.finditer(text) if w.start() < match.end() and w.end() > match.start()]
            spans.append((min([match.start(), *(s for s, _ in words)]), max([match.end(), *(e for _, e in words)])))
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined
