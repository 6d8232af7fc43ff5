"""What a result that was cut says of the rest: where it is, by what it can be had, and how large the whole is.

A cut may name a file, a handle, or a tool that gives the rest. All of it is read from the text that the model saw; no
path is ever opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from harness.formats.clipping import Kind as MarkKind
from harness.formats.clipping import marks
from harness.formats.spilled import HEAD, TAIL
from harness.preview.recorded import UNITS, recorded_preview
from harness.transcript import ToolResult

Cut = Literal["clipped", "spilled", "previewed"]
CUTS: dict[MarkKind, Cut] = {"cut": "clipped", "refused": "clipped", "spilled": "spilled", "handle": "previewed"}
"""By the kind of a mark. What was removed from the prompt later was seen whole once, and is none of these."""

_FILE = re.compile(
    r"(?:saved to|output is in|full output|stored in|written to|available at|see|this path|search in)(?: it)?:?[ \t]+"
    r"[`'\"<]?((?:[A-Za-z]:\\|~?/|\.{0,2}/)[^\s\n\]`'\"<>]+)",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"\btla:[0-9a-f]{12}\b|\bhash=[0-9a-f]{6,64}\b|\$r\d+\b")
_TOOL = re.compile(
    r"(?:\b(?:use|call|with|using|via|through)\b (?:the )?[`'\"]?|[`'\"])"
    r"(\w*(?:retriev|expand|recall|fetch_full|inspect)\w*)"
    r"[`'\"]?(?:\(| tool|\b)",
    re.IGNORECASE,
)
_SIZES = (
    (re.compile(r"[Tt]oo large(?: to read at once)? \(([\d.,]+) ?(B|KB|MB)\)"), "bytes"),
    (re.compile(r"result \(([\d,.]+) characters[^)]*\) exceeds"), "characters"),
    (re.compile(r"was larger \(([\d,]+) characters\)"), "characters"),
    (re.compile(r"output truncated: ([\d,]+) chars total"), "characters"),
    (re.compile(r"chars omitted out of ([\d,]+) total"), "characters"),
    (re.compile(r"Original (?:size|length): ([\d,]+) (?:bytes|chars)"), "characters"),
)
_GONE = (
    (re.compile(r"<elided_chars>\r?\n(\d+) characters elided\r?\n</elided_chars>\s*"), "characters"),
    (re.compile(r"\.\.\. \[([\d,]+) characters truncated\] \.\.\."), "characters"),
    (re.compile(r"…(\d+) chars truncated…"), "characters"),
    (re.compile(r"\.\.\.\[truncated ([\d,]+) chars\]\.\.\."), "characters"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """cut: what was done. file, handle, tool: what the text names for the rest, empty if it does not. whole: size of
    the whole value, `None` where neither a joined file nor the text tells it; told_by: which of them."""

    cut: Cut
    file: str = ""
    handle: str = ""
    tool: str = ""
    whole: int | None = None
    told_by: str = ""

    @property
    def kind(self) -> str:
        """`handle`, `file`, or empty."""
        return "handle" if self.handle else "file" if self.file else ""


def cut_of(result: ToolResult) -> Cut | None:
    """What was done to a result; `None` for one that stands whole, or was taken out later."""
    if result.clipped is None:
        return None
    kinds = {mark.name: mark.kind for mark in marks()}
    return CUTS.get(kinds.get(result.clipped, "cut"))


def offer_of(result: ToolResult) -> Offer | None:
    """What a cut result says of the rest; `None` for one that is not cut."""
    cut = cut_of(result)
    if cut is None:
        return None
    whole, told_by = whole_size(result)
    seen = recorded_preview(result.content)
    if seen is not None:
        return Offer("previewed", handle=f"${seen.handle}", whole=whole, told_by=told_by)
    edges = result.content[:HEAD] + "\n" + result.content[HEAD:][-TAIL:]
    handle = _HANDLE.search(edges) if cut == "previewed" else None
    file = _FILE.search(edges) if cut == "spilled" or handle is None else None
    tool = _TOOL.search(edges) if cut == "previewed" else None
    return Offer(
        cut,
        file=file[1].rstrip(".),;:") if file else "",
        handle=handle[0] if handle else "",
        tool=tool[1] if tool else "",
        whole=whole,
        told_by=told_by,
    )


def whole_size(result: ToolResult) -> tuple[int | None, str]:
    """Size of the whole value, and what tells it: `joined` (its file is there, bytes), `stated` (the cut says so; bytes
    or characters as it states, rounded where it rounds), or nothing."""
    if result.whole is not None:
        return len(result.whole.encode("utf-8", "surrogatepass")), "joined"
    seen = recorded_preview(result.content)
    if seen is not None:
        return seen.size, "stated" if seen.size is not None else ""
    edges = result.content[:HEAD] + "\n" + result.content[HEAD:][-TAIL:]
    for pattern, _ in _SIZES:
        if (found := pattern.search(edges)) is not None:
            unit = found[2] if pattern.groups > 1 else "B"
            return round(float(found[1].replace(",", "").rstrip(".")) * UNITS[unit]), "stated"
    for pattern, _ in _GONE:
        if (found := pattern.search(result.content)) is not None:
            return len(result.content) - len(found[0]) + int(found[1].replace(",", "")), "stated"
    return None, ""
