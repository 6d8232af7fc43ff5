"""Keys, tokens, passwords and mail addresses in what is printed: found by patterns and detect-secrets, replaced by a
number.

A finding is masked with the word around it, since some detectors name only a part of what they found. The entropy
detectors are left out: the hashes and UUIDs in the ids of sessions look like keys to them. Nothing is verified over the
network. What is found and missed, by kind: docs/secrets.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final, Protocol

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

LEFT_OUT = frozenset({"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector", "PrivateKeyDetector"})
SHORTEST = 8
"""Characters of a secret that is masked away from the words that tell it for one."""
_WORD = re.compile(r"[^\s/\\\"'`&?=,;()<>\[\]{}|#]+")


Span = tuple[int, int]


def secret_spans(text: str) -> Iterator[Span]:
    """Where secrets stand in a text, in no order, some in several findings. Linear in the text: every pattern of this
    project is bounded, and the library's are asked line by line."""
    for pattern in PATTERNS:
        for found in pattern.finditer(text):
            yield found.span(found.lastindex or 0)
    yield from _named_values(text)
    yield from _private_keys(text)
    for start, line in _lines(text):
        for secret in {s for detector in detectors() for s in detector.analyze_string(line) if s}:
            at = line.find(secret)
            while at >= 0:
                yield start + at, start + at + len(secret)
                at = line.find(secret, at + len(secret))


_START = r"(?<![A-Za-z0-9])"
"""Where a key may begin: also behind `_` and `-`, as in the name of a file."""

PATTERNS: Final = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        # Mail addresses; the user of a Git remote is none.
        r"(?!git@)(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
        r"(?<=[\w.+-]{64})@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
        # Keys by their published prefixes.
        _START + r"sk-[A-Za-z0-9_-]{16,256}",
        _START + r"AIza[\w-]{35}",
        _START + r"hf_[A-Za-z0-9]{30,64}",
        _START + r"gsk_[A-Za-z0-9]{30,128}",
        _START + r"xai-[A-Za-z0-9]{30,128}",
        _START + r"gh[opsur]_[A-Za-z0-9]{36,255}",
        _START + r"github_pat_\w{22,255}",
        _START + r"glpat-[\w-]{20,64}",
        _START + r"npm_[A-Za-z0-9]{36}",
        _START + r"pypi-[\w-]{16,512}",
        _START + r"xox[abeoprs]-[A-Za-z0-9-]{10,255}",
        _START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
        _START + r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}",
        _START + r"SG\.[\w-]{16,64}\.[\w-]{16,64}",
        _START + r"dop_v1_[a-f0-9]{64}",
        _START + r"eyJ[\w-]{10,4096}\.eyJ[\w-]{10,8192}(?:\.[\w-]{8,2048})?",
        # What stands behind a word that says so, with a digit in it.
        r"(?i:\bbearer)\s{1,4}(?=[^\s\d]{0,200}\d)([\w.~+/=-]{20,2048})",
        r"(?i:\bbasic)\s{1,4}([A-Za-z0-9+/]{16,512}={0,2})(?![A-Za-z0-9+/])",
        r"(?i:sshpass)\s{1,4}-p\s{0,4}['\"]?([^\s'\"]{3,128})",
        r"(?i:curl)[^\n]{0,200}?\s-u\s{0,4}['\"]?[\w.@-]{1,64}:([^\s'\"]{3,128})",
        r"(?i:--?(?:password|passwd|pass|token|api-key|secret))[ =]['\"]?(?=[^\s'\"]{0,200}[\d!#$%^&*])"
        r"([^\s'\"]{4,256})",
        r"(?i:https?|ftp|ssh|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp)://"
        r"[^\s/:@'\"]{0,128}:([^\s/@'\"]{3,128})@",
    )
)
"""Each finds a secret, or has it in its last group. Every repetition is bounded, so that a search is linear."""

_NAMED: Final = re.compile(
    _START + r"(?:[A-Za-z0-9]{1,32}[_.-]){0,4}"
    r"((?i:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api_?-?key|(?:access|secret|private|auth|signing"
    r"|encryption|account)_?-?key|session(?:_?id)?|auth|sessid|phpsessid|connect\.sid))"
    r"(?:[_-][A-Za-z0-9]{1,16}){0,2}\\?['\"]?\s{0,3}(?:=>|[:=])\s{0,3}(\\?['\"]?)([^\s'\"`,;&|<>(){}\[\]\\]{4,512})",
    re.ASCII,
)
"""`name = value`: the word that says what it is, a quote if there is one, the value."""
_PASSWORD: Final = re.compile(r"(?i)pass|pwd")
_PLACEHOLDER: Final = re.compile(
    r"(?i)^[$%].*|^x{3,}$|^\*+$|^\.{3,}$|^(?:your|my|the|example|changeme|placeholder|redacted|masked|none|null|true"
    r"|false|undefined|string|required|optional|os\.|process\.|env\.|self\.|config\.|settings\.|args\.|request\.).*"
)
_CODE: Final = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$")
_QUANTITY: Final = re.compile(r"[\d.]+[A-Za-z]{1,3}")


def _named_values(text: str) -> Iterator[Span]:
    """Values of passwords, tokens and keys: no placeholder, nor what a program calls a variable."""
    for found in _NAMED.finditer(text):
        value = found[3].rstrip(".:!")
        fits = _is_password if _PASSWORD.search(found[1]) else _is_key
        if not _PLACEHOLDER.match(value) and fits(value):
            yield found.start(3), found.start(3) + len(value)


def _is_password(value: str) -> bool:
    """A digit or a sign in it, and not what a program would have there: a name, or names with dots."""
    return any(c.isdigit() for c in value) or (not _CODE.match(value) and any(c in "!@#$%^&*+~" for c in value))


def _is_key(value: str) -> bool:
    """Long, with digits and letters, and not a number with its unit: `token: 4096` stays."""
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return len(value) >= SHORTEST and mixed and not _QUANTITY.fullmatch(value)


_BEGIN: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST_KEY: Final = 20_000
_KEY_LINE: Final = re.compile(r"[\s\d:+|→-]{0,24}[A-Za-z0-9+/=]{16,200}(?=\s|\\[nrt]|$)")
_LINE_END: Final = re.compile(r"\s{0,4}(?:\r?\n|\\r\\n|\\n)")


def _private_keys(text: str) -> Iterator[Span]:
    """Private keys from their first to their last line, also escaped, numbered, or in a difference; of one that is cut
    off, as far as lines look like a key's."""
    begins = [m.span() for m in _BEGIN.finditer(text)]
    ends = [m.end() for m in _END.finditer(text)] if begins else []
    for number, (start, at) in enumerate(begins):
        limit = min(begins[number + 1][0] if number + 1 < len(begins) else len(text), at + _LONGEST_KEY)
        place = bisect_right(ends, at)
        if place < len(ends) and ends[place] <= limit:
            yield start, ends[place]
            continue
        while at < limit and (gap := _LINE_END.match(text, at)) and (line := _KEY_LINE.match(text, gap.end(), limit)):
            at = line.end()
        yield start, at


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with where they begin, in pieces of bounded length that overlap, so that the library's patterns, some of
    which are quadratic, take a time that is linear in the text."""
    start = 0
    for line in text.splitlines(keepends=True):
        for at in range(0, max(1, len(line) - OVERLAP), PIECE - OVERLAP):
            yield start + at, line[at : at + PIECE]
        start += len(line)


PIECE: Final = 2000
OVERLAP: Final = 300
"""Characters of a piece of a line, and of what two pieces share: as long as what the library finds."""


class Detector(Protocol):
    """What is used of a detect-secrets plugin."""

    def analyze_string(self, string: str) -> Iterator[str]: ...


@cache
def detectors() -> tuple[Detector, ...]:
    """The library's detectors."""
    known: Mapping[str, type[Detector]] = get_mapping_from_secret_type_to_class()
    return tuple(c() for c in known.values() if c.__name__ not in LEFT_OUT)


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
    return {text[start:stop] for start, stop in secret_spans(text)}


def _spans(text: str, known: Collection[str]) -> list[Span]:
    """Where secrets stand, from left to right, each with the word around it, touching ones joined."""
    found = set(secret_spans(text))
    found |= {m.span() for s in known if s in text for m in re.finditer(re.escape(s), text)}
    words = _Words(text) if found else None
    spans = [words.whole(*span) for span in found] if words else []
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


class _Words:
    """The words of a text, and what of a span they make."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans = [m.span() for m in _WORD.finditer(text)]
        self._starts = [start for start, _ in self._spans]

    def whole(self, start: int, stop: int) -> Span:
        """The span with the words that it begins and ends in, without the punctuation behind the last."""
        found = stop
        if word := self._at(start):
            start = word[0]
        if word := self._at(stop - 1):
            stop = word[1]
            while stop > found and self._text[stop - 1] in ".:!*":
                stop -= 1
        return start, stop

    def _at(self, place: int) -> Span | None:
        number = bisect_right(self._starts, place) - 1
        return self._spans[number] if number >= 0 and place < self._spans[number][1] else None
