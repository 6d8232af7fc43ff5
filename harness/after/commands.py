"""Shell commands, as far as it has to be known what they show: of which files, and what they leave out by themselves.

>>> command = read_command("cd /repo && cat src/a.py | head -20")
>>> command.stem, command.limits, command.looks
('cat src/a.py', ('head -20',), True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FILTERS = frozenset({
    "head", "tail", "sed", "grep", "egrep", "fgrep", "rg", "awk", "gawk", "cut", "wc", "jq", "less", "more",
    "uniq", "sort", "column", "tr", "fold"
})  # fmt: skip
"""Programs that, behind a pipe, leave out some of what is in front."""
CUTTERS = frozenset({
    "head", "tail", "sed", "grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "cut", "wc", "jq"
})  # fmt: skip
"""Programs that show some of a file."""
SEARCHERS = frozenset({
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd"
})  # fmt: skip
LOOKERS = CUTTERS | SEARCHERS | frozenset({
    "cat", "nl", "tac", "less", "more", "bat", "ls", "tree", "strings", "xxd", "od", "diff", "file", "stat"
})  # fmt: skip
GIT_LOOKERS = frozenset({
    "show", "diff", "log", "blame", "grep", "status", "ls-files"
})  # fmt: skip
SELF_CUT = frozenset({"head", "tail"})
_WRITES = re.compile(r"(?<![0-9&>])>{1,2}(?!&)\s*(?!/dev/null)\S|\bsed\s+(?:-\S+\s+)*-i|\btee\b")
_PREFIX = re.compile(
    r"^\s*(?:cd\s+\S+|source\s+\S+|\.\s+\S+|export\s+\S+|set\s+-\S+|conda\s+activate\s+\S+)\s*(?:&&|;)\s*"
)
_NOISE = re.compile(r"\s*(?:\d?>&\d|\d?>\s*/dev/null|&>\s*/dev/null|\|\|\s*true\b)")
_SELECTS = re.compile(r"\s(?:-k|--filter|--grep|-run)[ =]\S+")
"""Options by which a test runner runs some of its tests."""
_WORD = re.compile(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'|([^\s'\"]+)")
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
_STEP = re.compile(r"&&|\|\||;|\n")
LONGEST = 20_000
"""Characters of a command that are looked at; longer ones write files."""


@dataclass(frozen=True, slots=True)
class Command:
    """stem: without `cd`, redirections and the filters behind pipes. plain: the same without options. targets: names of
    files and folders in it. limits: the filters, and the programs that show some of a file, as written. looks: it shows
    something and is not known to write. searches: the pattern, of a search."""

    stem: str
    plain: str
    targets: frozenset[str]
    limits: tuple[str, ...]
    looks: bool
    searches: str = ""


def read_command(text: str) -> Command:
    """What a command shows."""
    text = text[:LONGEST]
    while (found := _PREFIX.match(text)) is not None:
        text = text[found.end() :]
    text = _NOISE.sub("", text).strip()
    if "<<" in text:
        return Command(text, text, _paths(words(text)), (), False)
    stems: list[str] = []
    limits: list[str] = []
    targets: set[str] = set()
    pattern = ""
    looks = not _WRITES.search(text)
    for step in filter(None, (step.strip() for step in _outside_quotes(_STEP, text))):
        first, *pipes = _outside_quotes(_PIPE, step)
        stems.append(first.strip())
        inside = words(first)
        program = inside[0].rpartition("/")[2] if inside else ""
        named = [word for word in inside[1:] if not word.startswith("-")]
        if program in SEARCHERS and named and program not in ("find", "fd"):
            pattern = pattern or named[0]
            targets.update(_paths(named[1:]))
        else:
            targets.update(_paths(named if program != "sed" else named[1:]))
        if program in CUTTERS:
            limits.append(first.strip())
        elif program not in LOOKERS:
            limits += _SELECTS.findall(first)
        for pipe in pipes:
            piped = words(pipe)
            if piped and piped[0] in FILTERS:
                limits.append(pipe.strip())
            elif pipe.strip():
                stems[-1] += f" | {pipe.strip()}"
        looks = looks and (program in LOOKERS or (program == "git" and bool(GIT_LOOKERS & set(named[:1]))))
    plain = " ".join(word for word in words(" ; ".join(stems)) if not word.startswith("-"))
    return Command("; ".join(stems), plain, frozenset(targets), tuple(limits), looks, pattern)


def words(text: str) -> list[str]:
    """The words of a command, quotes taken off."""
    return [next((group for group in match.groups() if group is not None), "") for match in _WORD.finditer(text)]


def cuts_itself(text: str) -> bool:
    """Whether the command cuts what it prints: `| head`, `| tail -3`."""
    pipes = _outside_quotes(_PIPE, text[:LONGEST])[1:]
    return any((inside := words(pipe)) and inside[0] in SELF_CUT for pipe in pipes)


def _paths(found: list[str]) -> frozenset[str]:
    return frozenset(clean for word in found if (clean := _clean(word)))


def _clean(word: str) -> str:
    """A name of a file or folder, or nothing."""
    word = word.strip("(){}[],:;`").removeprefix("./").rstrip("/")
    named = "/" in word or re.search(r"[\w-]\.[A-Za-z]\w{0,9}(?:::|$)", word) is not None
    return word if named and len(word) > 2 and not word.startswith(("-", "/dev/", "s/", "$")) else ""


def _outside_quotes(at: re.Pattern[str], text: str) -> list[str]:
    """The text split where the pattern stands outside of quotation marks."""
    hidden = _WORD.sub(lambda m: m[0] if m[3] is not None else re.sub(r"[^\w\s]|\n", "_", m[0]), text)
    parts, start = [], 0
    for found in at.finditer(hidden):
        parts.append(text[start : found.start()])
        start = found.end()
    return [*parts, text[start:]]
