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

from harness.report.replay import Replay
from harness.text import harmless

matplotlib.use("Agg")

# Each has a contrast of 3 or more both on white and on the dark background of the page.
COLOURS = (
    "#3b7dd8",
    "#d9534f",
    "#2e9e5b",
    "#b0810f",
    "#b552c4",
    "#1b93a8",
    "#d2691e",
    "#808080",
    "#7c6bd6",
    "#c2418a",
    "#5f8a1e",
)
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "d")
INK = "#111111"
GREY = "#808080"

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


def colour(report: Replay, policy: str) -> str:
    """The same policy has the same colour in every plot of a report; identity has that of the text."""
    others = [p for p in report.run.policies if p != "identity"]
    return INK if policy == "identity" else COLOURS[others.index(policy) % len(COLOURS)]


def mark(report: Replay, policy: str) -> str:
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


def svg(figure: Figure) -> str:
    """A figure as a transparent SVG element."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return re.sub(r"\s*<metadata>.*?</metadata>|<!--.*?-->\s*", "", text[text.index("<svg") :], flags=re.DOTALL)


def png(figure: Figure) -> bytes:
    """A figure as PNG, on white, 150 dots per inch."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", facecolor="white", dpi=150, metadata={"Software": None})
    return stream.getvalue()


def svg_file(element: str) -> str:
    """An SVG file, on white, from its element."""
    head, body = element.split(">", 1)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}>\n<rect width="100%" height="100%" fill="white"/>{body}'


def inline_svg(element: str, name: str) -> str:
    """An SVG element for a page: black replaced by the colour of the text around it, as wide as its place, and every id
    its own."""
    head, body = element.split(">", 1)
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', body))
    body = re.sub(r' id="([^"]*)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", body)
    body = re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", body)
    return f"{head}>{body}".replace(INK, "currentColor")
