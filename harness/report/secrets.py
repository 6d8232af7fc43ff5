"""Keys, tokens and mail addresses in names that a report prints: found by detect-secrets, replaced by a number.

A finding is masked with the word around it, since some detectors name only a part of what they found. The entropy
detectors are left out: the hashes and UUIDs in the ids of sessions look like keys to them. Nothing is verified over the
network.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Protocol

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import RegexBasedDetector

LEFT_OUT = frozenset({"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector"})
SHORTEST = 8
"""Characters of a secret that is masked away from the words that tell it for one."""
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
    denylist = (
        re.compile(
            r"\b(?:sk-[\w-]{16,}|AIza[\w-]{35}|hf_[A-Za-z0-9]{30,}|gsk_\w{30,}|xai-\w{30,}|github_pat_\w{22,}"
            r"|npm_[A-Za-z0-9]{36})",
            re.ASCII,
        ),
    )


class BearerToken(RegexBasedDetector):
    """What stands behind `Bearer` in a header, and the secret half of an AWS key without quotes around it."""

    secret_type = "Bearer token"
    denylist = (
        re.compile(r"\bbearer\s+(?=[\w.~+/-]*\d)([\w.~+/-]{20,})", re.ASCII | re.IGNORECASE),
        re.compile(
            r"\baws_?secret_?(?:access_?)?key\W{1,5}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])", re.ASCII | re.IGNORECASE
        ),
    )


_BETWEEN = r"(?:[\s\d:+|→-]|\\[nrt])+"
"""Between the lines of a key: line ends, also escaped ones, and what numbered lines and differences put before them."""


class PrivateKeyBlock(RegexBasedDetector):
    """A private key with its lines; the library's detector names the first line only."""

    secret_type = "Private key block"
    denylist = (
        re.compile(
            rf"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,}})*"
            rf"(?:{_BETWEEN}[A-Za-z0-9+/=]{{1,15}}(?={_BETWEEN}-----END))?"
            rf"(?:{_BETWEEN}-----END (?:[A-Z]+ )*PRIVATE KEY-----)?"
        ),
    )


@cache
def detectors() -> tuple[Detector, ...]:
    """The library's detectors and those above."""
    known: Mapping[str, type[Detector]] = get_mapping_from_secret_type_to_class()
    return (
        *(c() for c in known.values() if c.__name__ not in LEFT_OUT),
        MailAddress(),
        VendorKey(),
        BearerToken(),
        PrivateKeyBlock(),
    )


class Mask:
    """Replaces secrets by `[masked 1]`, `[masked 2]`, …: equal ones by the same number, different ones by another, so
    that names which differ still do. Numbers follow the order in which texts are given."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._done: dict[str, str] = {}
        self._known: set[str] = set()

    def learn(self, texts: Iterable[str]) -> None:
        """Look at texts beforehand: what is told for a secret by the words around it in one of them (`password = "…"`)
        is masked wherever it stands, also alone. Short ones and plain words are left out."""
        for text in texts:
            self._known |= {s for s in _found(text) if len(s) >= SHORTEST and any(map(str.isdigit, s))}
        self._done.clear()

    def __call__(self, text: str) -> str:
        if text not in self._done:
            self._done[text] = self._masked(text)
        return self._done[text]

    def pieces(self, parts: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """A text in pieces, masked as the whole of it would be. A secret that lies in several pieces becomes one, with
        the flag if any of them has it."""
        given = list(parts)
        text = "".join(piece for piece, _ in given)
        found: list[tuple[str, bool]] = []
        spans = _spans(text, self._known)
        begin = 0
        for piece, flag in given:
            end = begin + len(piece)
            at = begin
            for start, stop in spans:
                if start < end and stop > begin:
                    if start >= begin:
                        found += [(text[at:start], flag), (self._name(text[start:stop]), flag)]
                    elif flag:
                        found[-1] = (found[-1][0], True)
                    at = min(stop, end)
            if at < end:
                found.append((text[at:end], flag))
            begin = end
        return [(piece, flag) for piece, flag in found if piece]

    def _masked(self, text: str) -> str:
        return "".join(piece for piece, _ in self.pieces([(text, False)]))

    def _name(self, secret: str) -> str:
        return f"[masked {self._numbers.setdefault(secret, len(self._numbers) + 1)}]"


def _found(text: str) -> set[str]:
    return {s for d in detectors() for s in d.analyze_string(text) if s}


def _spans(text: str, known: Collection[str]) -> list[tuple[int, int]]:
    """Where secrets stand, from left to right, each with the word around it, touching ones joined."""
    found = _found(text) | {s for s in known if s in text}
    spans = [_whole_words(text, *m.span()) for secret in found for m in re.finditer(re.escape(secret), text)]
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def _whole_words(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span with the words that it begins and ends in, without the punctuation behind the last."""
    found = stop
    if _WORD.match(text, start):
        while start and _WORD.match(text[start - 1]):
            start -= 1
    if _WORD.match(text, stop - 1):
        last = _WORD.match(text, stop)
        stop = last.end() if last else stop
        while stop > found and text[stop - 1] in ".:!*":
            stop -= 1
    return start, stop
