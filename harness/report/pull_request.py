"""Twenty lines of Markdown for a pull request: nothing in it leads to a file that the reader does not have."""

from __future__ import annotations

from pathlib import Path

from harness.report.markup import code, escaped
from harness.report.part import Part
from harness.report.report import Report


class PullRequest:
    """`pull-request.md`: of every part the sentence, the answers and the command that makes it again."""

    name = "pr"

    def export(self, report: Report, directory: Path) -> list[Path]:
        path = directory / "pull-request.md"
        text = "\n\n".join(block for part in report.parts for block in _blocks(part))
        path.write_text(text + "\n", encoding="utf-8", errors="replace")
        return [path]


def _blocks(part: Part) -> list[str]:
    command = part.citation().facts["command"]
    found = [f"### {escaped(part.title)}", *part.brief_markdown()]
    whole = code(f"harness report {part.run.id}")
    return [*found, f"Made by {code(command)}; the whole of it: {whole}."]
