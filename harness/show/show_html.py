"""`harness show --html`: the same prompt as a page, one policy or two side by side, with the evidence marked.

The page holds the text of the recording, escaped; keys, tokens and mail addresses in it are masked unless asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from harness.report.secrets import Mask
from harness.show.show import PromptView, cut_up, pieces, taken_lines


def write_page(path: Path, transcript: str, views: list[PromptView], mask: Mask | None) -> Path:
    """Write the page and return its path. mask: hides secrets; `None` shows them."""
    hide: Callable[[str], str] = mask or str
    environment = Environment(loader=PackageLoader("harness.show"), autoescape=True, undefined=StrictUndefined)
    rows = [
        [(e.heading, e.tokens, _masked(pieces(e), mask)) for e in entries]
        for entries in zip(*(view.entries for view in views), strict=True)
    ]
    page = environment.get_template("show.html.j2").render(
        transcript=hide(transcript),
        views=views,
        rows=rows,
        answer=_masked(cut_up(views[0].answer.text, views[0].answer.marks), mask),
        taken=[[hide(line) for line in taken_lines(view, "marked")] for view in views],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8", errors="replace")
    return path


def _masked(parts: list[tuple[str, bool]], mask: Mask | None) -> list[tuple[str, bool]]:
    return mask.pieces(parts) if mask else parts
