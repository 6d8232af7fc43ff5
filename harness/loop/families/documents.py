"""Documents: handbooks, minutes and contracts of many sections, each with its reference, cost and prose."""

from __future__ import annotations

from harness.loop.environment.workspace import Workspace
from harness.loop.families.files import page_of, shown
from harness.loop.families.texts import TextSource, TextTemplate, text_family
from harness.loop.signs import GAP
from harness.loop.task import Pages, Step
from harness.loop.tools import GREP, READ_DOCUMENT, READ_FILE, SEARCH_DOCUMENT


def _write(workspace: Workspace, template: TextTemplate, lines: list[str]) -> None:
    workspace.file(template.path, template.header + "\n\n".join(lines) + "\n")


def _look(template: TextTemplate) -> Step:
    return Step("read_document", {"path": template.path})


def _find(template: TextTemplate, key: str) -> Step:
    return Step("read_document", {"path": template.path, "section": key})


def _odd_find(template: TextTemplate, text: str) -> Step:
    return Step("search_document", {"path": template.path, "text": text})


def _tally(template: TextTemplate, each: str) -> Step:
    return Step("grep", {"pattern": each, "path": template.path, "count": True})


def _page(template: TextTemplate) -> Pages:
    return page_of(template.path)


SOURCE = TextSource(
    (READ_DOCUMENT, SEARCH_DOCUMENT, READ_FILE, GREP),
    rf"(?:(?!## |{GAP})[\s\S])*?",
    r"## KEY\b",
    _write,
    _look,
    _find,
    _odd_find,
    _tally,
    _page,
    shown,
)

SECTION = "## {{key}}: {title}\n\n{lead} {{code}}. {{note}}.\n\n{cost}\n\nSealed {{seal}}."


def _template(
    name: str, path: str, prefix: str, groups: tuple[str, ...], title: str, lead: str, cost: str, amount: str,
    mark: str, nouns: tuple[str, str, str, str, str], count: tuple[int, int], sums: bool = False,
) -> TextTemplate:  # fmt: skip
    line = SECTION.format(title=title, lead=lead, cost=cost)
    odd = f"Remark: {mark}, see {{code}}."
    return TextTemplate(name, path, prefix, groups, line, mark, odd, amount, nouns, count, f"# {name}\n\n", sums)


TEMPLATES = (
    _template(
        "handbook", "handbook.md", "rule", ("staff", "guests", "drivers"), "a rule of the house", "It is filed as",
        "It binds {group} and costs {number} euros.", r"It binds GROUP and costs (\d+)", "was never voted on",
        ("section", "file", "seal", "circle", "cost"), (50, 90),
    ),
    _template(
        "minutes", "minutes.md", "point", ("adopted", "rejected", "adjourned"), "a point of the agenda", "Paper",
        "The motion was {group} after {number} minutes.", r"was GROUP after (\d+) minutes", "the vote was repeated",
        ("section", "paper", "seal", "outcome", "length"), (40, 80), True,
    ),
    _template(
        "contracts", "contracts.md", "clause", ("mutual", "onesided"), "a clause", "Its annex is",
        "The clause is {group}, with a penalty of {number} crowns.", r"is GROUP, with a penalty of (\d+)",
        "void in part", ("section", "annex", "seal", "kind", "penalty"), (60, 100), True,
    ),
    _template(
        "release-notes", "notes.md", "change", ("fixed", "added", "removed"), "a change", "Commit",
        "Kind: {group}; lines touched: {number}.", r"Kind: GROUP; lines touched: (\d+)", "reverted the same day",
        ("section", "commit", "seal", "kind", "lines"), (70, 120),
    ),
    _template(
        "incidents", "incidents.md", "inc", ("minor", "major"), "an incident", "Ticket",
        "Severity {group}, {number} customers hit.", r"Severity GROUP, (\d+) customers", "root cause unknown",
        ("section", "ticket", "seal", "severity", "customers"), (40, 70), True,
    ),
    _template(
        "museum", "catalogue.md", "obj", ("oil", "bronze", "paper"), "an object", "Inventory number",
        "Made of {group}, {number} years old.", r"Made of GROUP, (\d+) years", "on loan without papers",
        ("section", "number", "seal", "material", "age"), (60, 110),
    ),
    _template(
        "recipes", "recipes.md", "dish", ("starter", "main", "dessert"), "a dish", "Card",
        "Course: {group}. It takes {number} minutes.", r"Course: GROUP\. It takes (\d+)", "tested only once",
        ("section", "card", "seal", "course", "time"), (50, 100),
    ),
)  # fmt: skip

FAMILY = text_family("documents", TEMPLATES, SOURCE)
