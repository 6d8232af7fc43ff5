"""One HTML file that needs no network: what is to be seen first of every part, then its sections."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.report.plots.drawing import drawn
from harness.report.report import Report
from harness.report.screen import KINDS
from harness.text import count, harmless, size


class Html:
    """`index.html`, one page that needs no network."""

    name = "html"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "index.html"
        path.write_text(page(report), encoding="utf-8", errors="replace")
        return [path]


def page(report: Report) -> str:
    """The whole page. Everything that comes from a recording or an engine is escaped, its control characters made
    visible; a script runs only if it is the page's own, told by its hash."""
    made = environment()
    parts = [(part, part.html(made, drawn(part))) for part in report.parts]
    data = {f"{part.place}-" if part.place else "": body.data for part, body in parts if body.data is not None}
    return made.get_template("page.html.j2").render(
        report=report,
        heading=report.title or report.parts[0].title,
        scripts=[
            _script("report.js"),
            *([_script("budgets.js")] if any("budgets" in d for d in data.values()) else []),
        ],
        style=Markup(_asset("report.css")),
        bodies=parts,
        citations=[(part, part.citation()) for part in report.parts],
        data=Markup(embedded(data)),
    )


def embedded(data: dict[str, Any]) -> str:
    """JSON that can stand in a script element: nothing in it ends the element, opens another or breaks a line."""
    text = orjson.dumps(data).decode("utf-8")
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def environment() -> Environment:
    """The templates, which escape what is put into them."""
    made = Environment(
        loader=PackageLoader("harness.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.filters |= {
        "harmless": harmless,
        "count": count,
        "size": size,
        "name": _name,
        "tight": _tight,
    }
    made.globals["kinds"] = KINDS
    return made


def _script(name: str) -> dict[str, Any]:
    """A script and what the page's policy knows it by."""
    text = _asset(name)
    return {
        "text": Markup(text),
        "hash": base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii"),
    }


def _asset(name: str) -> str:
    return files("harness.report").joinpath("templates", name).read_text(encoding="utf-8")


def _name(text: Any, most: int = 60) -> str:
    """A name for a table cell, its end kept, since that tells paths apart; the whole of it goes into the title."""
    shown = harmless(str(text))
    return shown if len(shown) <= most else "…" + shown[1 - most :]


def _tight(text: str) -> str:
    """No line break between a number and its percent sign."""
    return text.replace(" %", "\u00a0%")
