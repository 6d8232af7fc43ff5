"""A part made of sections, for a terminal: its first screen and its brief sections, as wide as the terminal is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.report.table_text import answers_text, prose, table_text, width

if TYPE_CHECKING:
    from harness.report.sections import SectionPart


def summary(part: SectionPart) -> str:
    """Headline, what is to be seen first, the facts, and the brief sections."""
    screen, columns = part.screen(), width()
    found = [prose(screen.headline, columns), answers_text(screen, columns)]
    found.append("\n".join(prose(f"{f.question} ({f.kind}): {f.value} {f.note}", columns) for f in screen.facts))
    found += [table_text(section, columns) for section in part.sections() if section.brief]
    return "\n\n".join(found)
