"""Measuring and cutting text by UTF-8 bytes, as the reference does.

Texts must be free of half surrogate pairs.
"""

from __future__ import annotations


def utf8_length(text: str) -> int:
    """Bytes of the text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def line_count(text: str) -> int:
    """Lines as Rust's `str::lines` counts them: only `\\n` ends one, and a last line need not be ended."""
    return text.count("\n") + (text != "" and not text.endswith("\n"))


def human_bytes(size: int) -> str:
    """A size as `999B`, `1.2KB`, `3.0MB`: steps of 1024, one decimal, halves to even, nothing above MB."""
    if size < 1024:
        return f"{size}B"
    if size < 1024**2:
        return f"{float(size) / 1024:.1f}KB"
    return f"{float(size) / 1024**2:.1f}MB"


def clip_head(text: str, budget: int) -> str:
    """The longest beginning of whole characters within so many bytes."""
    head = text[:budget]
    return head if head.isascii() else head.encode("utf-8")[:budget].decode("utf-8", "ignore")


def clip_tail(text: str, budget: int) -> str:
    """The longest end of whole characters within so many bytes."""
    tail = text[-budget:] if budget else ""
    return tail if tail.isascii() else tail.encode("utf-8")[-budget:].decode("utf-8", "ignore")


def clip_string(text: str, budget: int) -> str:
    """The text if it fits into so many bytes, else its beginning and `…` on top of the budget."""
    if len(text) <= budget and utf8_length(text) <= budget:
        return text
    return clip_head(text, budget) + "…"
