"""How every plot looks, and how it becomes bytes that are the same for the same run."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from harness.report.part import Part
from harness.text import harmless

matplotlib.use("Agg")

COLOURS = ("#0072b2", "#b34700", "#004d33", "#607848", "#302454", "#006ce4", "#303c00", "#181884")
"""On white, each with a contrast of 4.5 : 1 or more, and apart from one another also to eyes that see no red or no
green. A page has its own for a dark background (`--plot-1` and so on in `report.css`)."""

MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "d")
INK = "#111111"
GREY = "#6b6b6b"
WIDTH = 5.6
"""Of a figure, in inches: so narrow that its letters can still be read on a telephone."""

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "harness",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GREY,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.1,
    "legend.frameon": False,
    "axes.unicode_minus": False,
}


AS_LAID_OUT: dict[Any, Any] = {"figure.constrained_layout.use": False, "figure.autolayout": False}
"""While a figure is saved: matplotlib gives it a new layout engine afterwards, the one that the style names."""


def colour(report: Part, policy: str) -> str:
    """The same policy has the same colour in every plot of a report; identity has that of the text."""
    others = [p for p in report.run.policies if p != "identity"]
    return INK if policy == "identity" else COLOURS[others.index(policy) % len(COLOURS)]


def mark(report: Part, policy: str) -> str:
    """A second cue beside the colour."""
    return MARKS[report.run.policies.index(policy) % len(MARKS)]


def label(text: str, most: int = 44) -> str:
    """A name that fits into a plot, its end kept, since that tells paths apart; nothing in it can break the SVG."""
    shown = re.sub(r"[\n\t\ufffe\uffff]", " ", harmless(text))
    return shown if len(shown) <= most else "…" + shown[1 - most :]


@contextmanager
def styled() -> Iterator[None]:
    """The style, and quiet about glyphs: names may be in any script, and the browser has its own fonts for SVG."""
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from font")
        yield


def lay_out(figure: Figure) -> None:
    """Find the places of everything in a figure, without drawing it."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)


def keep_layout(figure: Figure) -> None:
    """Later drawing finds no place again: that takes longer than the drawing."""
    with matplotlib.rc_context(AS_LAID_OUT):
        figure.set_layout_engine(None)


def svg(figure: Figure) -> str:
    """A figure as a transparent SVG element."""
    stream = io.StringIO()
    with matplotlib.rc_context(AS_LAID_OUT):
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return re.sub(r"\s*<metadata>.*?</metadata>|<!--.*?-->\s*", "", text[text.index("<svg") :], flags=re.DOTALL)


def png(figure: Figure) -> bytes:
    """A figure as PNG, on white, 150 dots per inch."""
    stream = io.BytesIO()
    with matplotlib.rc_context(AS_LAID_OUT):
        figure.savefig(stream, format="png", facecolor="white", dpi=150, metadata={"Software": None})
    return stream.getvalue()


def svg_file(element: str) -> str:
    """An SVG file, on white, from its element."""
    head, body = element.split(">", 1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}>\n<rect width="100%" height="100%" fill="white"/>{body}'


def inline_svg(element: str, name: str) -> str:
    """An SVG element for a page: its colours those of the page, light or dark, as wide as its place, and every id its
    own."""
    head, body = element.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", body)
    body = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", body)
    for number, tint in enumerate(COLOURS, 1):
        body = body.replace(tint, f"var(--plot-{number})")
    return f"{head}>{body}".replace(INK, "currentColor").replace(GREY, "var(--plot-grey)")
