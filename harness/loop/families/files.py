"""Texts that are one file of lines, read with read_file and grep."""

from __future__ import annotations

from harness.loop.environment.workspace import Workspace
from harness.loop.families.texts import TextSource, TextTemplate
from harness.loop.task import Pages, Step
from harness.loop.tools import GREP, LIST_FILES, READ_FILE
from harness.loop.world import World


def _write(workspace: Workspace, template: TextTemplate, lines: list[str]) -> None:
    workspace.file(template.path, template.header + "".join(f"{line}\n" for line in lines))


def _look(template: TextTemplate) -> Step:
    return Step("read_file", {"path": template.path})


def _find(template: TextTemplate, text: str) -> Step:
    return Step("grep", {"pattern": text, "path": template.path})


def _tally(template: TextTemplate, each: str) -> Step:
    return Step("grep", {"pattern": each, "path": template.path, "count": True})


def page_of(path: str) -> Pages:
    """A file's lines, page by page."""
    step = Step("read_file", {"path": path, "offset": "{offset}", "limit": "{limit}"})
    return Pages(step, r"(?m)^ *\d+\t", 32)


def _page(template: TextTemplate) -> Pages:
    return page_of(template.path)


def shown(world: World, template: TextTemplate) -> str:
    """The file as it is."""
    return (world.root / template.path).read_text(encoding="utf-8")


FILE = TextSource(
    (READ_FILE, GREP, LIST_FILES),
    r"[^\n]*?",
    r"\bKEY\b",
    _write,
    _look,
    _find,
    _find,
    _tally,
    _page,
    shown,
)
