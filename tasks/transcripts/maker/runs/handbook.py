"""A staff handbook in several languages: a clause, a glossary, links."""

from __future__ import annotations

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import TOWNS, company, listed, paragraph
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "handbook"
TOPICS = listed("""
Working hours|Sick leave|Travel|Equipment|Notice periods|Parental leave|Visitors|Data on paper|Keys
Parking|Training|Expenses|Remote work|Safety shoes|Fire drills|Lost property|Suggestions|Side jobs
Anniversaries|Complaints
""")
CLAUSE = (
    "In deviation from the general rule, members of the Söndervig night crew who have been with us for more "
    "than six years may leave with a notice of nine weeks to the fifteenth of a month, provided that form "
    "HR-71b has reached the office."
)
GLOSSARY = (
    ("loading bay", "Laderampe", "積み込み場", "ubåtsramp"),
    ("delivery note", "Lieferschein", "納品書", "följesedel"),
    ("bill of lading", "Frachtbrief", "船荷証券", "fraktsedel"),
    ("pallet jack", "Hubwagen", "ハンドパレット", "palldragare"),
    ("cold chain", "Kühlkette", "コールドチェーン", "kylkedja"),
    ("customs seal", "Zollplombe", "税関封印", "tullsigill"),
    ("gross weight", "Bruttogewicht", "総重量", "bruttovikt"),
    ("stocktaking", "Inventur", "棚卸し", "inventering"),
    ("consignee", "Empfänger", "荷受人", "mottagare"),
    ("demurrage", "Liegegeld", "滞船料", "liggedagspenning"),
)


def prepare(workspace: Workspace) -> None:
    """Twenty chapters in one long document, a glossary of 300 rows, and 40 pages that link to each other."""
    dice = Dice(TASK)
    lines = ["# Handbook", ""]
    for number, topic in enumerate(TOPICS, 1):
        lines += [f"## {number}. {topic}", ""]
        for section in range(1, dice.between(5, 8)):
            lines += [f"### {number}.{section} {dice.pick(TOWNS)}", "", paragraph(dice, dice.between(4, 9)), ""]
            if topic == "Notice periods" and section == 3:
                lines += [CLAUSE, ""]
    workspace.lines("handbook.md", lines, 33)
    rows = ["| term | Deutsch | 日本語 | svenska | no. |", "| --- | --- | --- | --- | --- |"]
    for number in range(300):
        english, german, japanese, swedish = GLOSSARY[number % len(GLOSSARY)]
        grade = f"{1 + number // len(GLOSSARY)}"
        if number == 166:
            swedish = "godsvikt, brutto (ej bruttovikt) ⚠️"
        rows.append(
            f"| {english} {grade} | {german} {grade} | {japanese}{grade} | {swedish} {grade} | G-{3100 + number * 7} |"
        )
    workspace.lines("glossary.md", rows, 8)
    pages = [f"pages/{company(dice).lower().replace(' ', '-')}-{n:02}.md" for n in range(160)]
    for n, page in enumerate(pages):
        others = [dice.pick(pages) for _ in range(4)]
        if n in (31, 87, 118, 149):
            others[2] = others[2].replace("pages/", "pages/alte-")
        links = "\n".join(f"- [{other[6:-3]}](/{other})" for other in others)
        workspace.file(page, f"# {page[6:-3]}\n\n{paragraph(dice, 3)}\n\n{links}\n", dice.between(2, 300))


def notice_period(agent: Agent) -> None:
    """One clause in the middle of a long document, quoted in full by the answer."""
    prepare(agent.workspace)
    agent.user("I work in the night crew since eight years. With what notice can I leave, and which form do I need?")
    agent.do(sh("grep -n '^## ' handbook.md"), "The chapters.")
    text = agent.do(sh("cat handbook.md"), "A rule may stand anywhere, so I read the whole handbook.")
    clause = text.line("may leave with a notice")
    form = text.match(r"form (HR-\w+)")
    agent.do(sh(f"grep -rn '{form}' pages"), "Is the form explained on a page?", [text.span(form)])
    agent.answer(f"The handbook says: “{clause}” No page explains the form further.", [text.span(clause)])


def glossary_row(agent: Agent) -> None:
    """A row in the middle of a table with Japanese; its Swedish cell is mended."""
    prepare(agent.workspace)
    agent.user(
        "Somebody put a remark into a Swedish cell of glossary.md. Find it, tell me its number, and leave "
        "only the term."
    )
    head = agent.do(read("glossary.md", 1, 12), "How is it laid out?")
    table = agent.do(read("glossary.md", 13), "And the rest.")
    row = table.match(r"^ *\d+\t(.*⚠️.*)$")
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    agent.do(
        edit("glossary.md", row, row.replace(cells[3], f"bruttovikt {cells[0].rsplit(' ', 1)[1]}")),
        "Only one cell has a warning sign in it.",
        [table.span(row)],
    )
    agent.do(sh("grep -c 'ej bruttovikt' glossary.md"), "Is it gone?")
    first = head.match(r"G-\d+")
    agent.answer(f"It was {cells[4]} ({cells[2]}). The first row, {first}, was fine.", [head.span(first)])


def broken_link(agent: Agent) -> None:
    """A list of 160 paths and 640 grep lines; four targets are not among the paths."""
    prepare(agent.workspace)
    agent.user(
        "There are broken links in pages/. Find them, point each to the page it must mean, and log it in links.md."
    )
    listed = agent.do(sh("find pages -type f | sort"), "Every page.")
    links = agent.do(sh("grep -n -o '](/pages/[^)]*)' pages/*.md"), "Every link.")
    known = set(listed.text.split())
    log = ""
    for broken in [line for line in links.text.splitlines() if line.split("](/")[1][:-1] not in known]:
        page, number, target = broken.split(":", 2)
        meant = target[3:-1].replace("pages/alte-", "pages/")
        seen = agent.do(read(page), f"Line {number} of this page leads nowhere.", [links.span(page)])
        line = seen.line("alte-").split("\t", 1)[1]
        agent.do(
            edit(page, line, line.replace("alte-", "")),
            "The page exists without `alte-`.",
            [seen.span(line), listed.span(meant)],
        )
        log += f"- {page}:{number} now points to {meant}\n"
    agent.do(write("links.md", log), "And the log.")
    agent.answer(
        "The broken links are mended; every other target exists.", [links.over_all("every other target exists")]
    )


SCRIPTS = (
    Script(TASK, "notice-period", "claude-code", ("sh", "read"), notice_period),
    Script(TASK, "glossary-row", "openai-chat", ("sh", "read", "edit"), glossary_row),
    Script(TASK, "broken-link", "claude-code", ("sh", "read", "edit", "write"), broken_link),
)
