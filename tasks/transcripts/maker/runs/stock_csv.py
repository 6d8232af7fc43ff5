"""Stock lists as tables: a negative count in row 57, two lists that differ, a cell that is a formula."""

from __future__ import annotations

from collections.abc import Sequence

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import FIRST, TOWNS, companies, listed
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, edit, read, sh, write
from tasks.transcripts.maker.script import Script

TASK = "stock-csv"
THINGS = listed("""
valve|bearing|gasket|hinge|spindle|flange|washer|bracket|nozzle|pulley|rivet|seal
""")

COUNT = '''"""Stock by town, as a Markdown table."""

import csv

totals = {}
with open("stock.csv", encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        counted, pieces = totals.get(row["town"], (0, 0))
        totals[row["town"]] = (counted + 1, pieces + int(row["pieces"]))
print("| town | articles | pieces |")
print("| --- | ---: | ---: |")
for town, (articles, pieces) in sorted(totals.items()):
    print(f"| {town} | {articles} | {pieces} |")
'''


def prepare(workspace: Workspace, rows: int, wrong: Sequence[int] = (57,)) -> None:
    """stock.csv with some rows negative, the suppliers' two lists, and the counting script."""
    dice = Dice(f"{TASK} {rows}")
    lines = ["article,name,town,shelf,pieces,counted_by"]
    for n in range(1, rows + 1):
        pieces = -dice.between(10, 90) if n in wrong else dice.between(0, 900)
        article = f"{dice.pick('BCDFGHKLM')}{dice.pick('AEIOU')}-{1000 + n * 3}"
        name = f"{dice.pick(FIRST)} {dice.pick(THINGS)}"
        town, shelf = dice.pick(TOWNS), f"{dice.between(1, 40)}-{dice.between(1, 9)}"
        lines.append(f"{article},{name},{town},{shelf},{pieces},{dice.pick(FIRST)}")
    workspace.lines("stock.csv", lines, 4)
    names = companies(dice, 420)
    ours = [f"{7000 + n * 11};{name};{dice.pick(TOWNS)};{dice.between(7, 60)} days" for n, name in enumerate(names)]
    theirs = list(ours)
    theirs[211] = theirs[211].rsplit(";", 1)[0] + ";90 days"
    theirs[305] = f"{7000 + 305 * 11};=cmd('calc')!A1;{TOWNS[3]};14 days"
    del theirs[128]
    workspace.lines("suppliers/ours.csv", ours, 40)
    workspace.lines("suppliers/theirs.csv", theirs, 2)
    workspace.file("count.py", COUNT, 100)
    workspace.file(
        "shelves.md", "# Shelves\n\nA corrected count gets a line in `corrections.txt`: article, old, new.\n", 80
    )


def negative_count(agent: Agent) -> None:
    """Rows 57, 204 and 391 of a table of 400 rows are passed on; nothing else of the 18 kB is needed."""
    prepare(agent.workspace, 400, (57, 204, 391))
    agent.user("Some counts in stock.csv are negative; they were typed with a minus by mistake. Please correct them.")
    agent.do(sh("ls -l"))
    agent.do(read("README.md"), "Are there rules for this?")
    agent.do(read("shelves.md"), "No README; the other document, then.")
    table = agent.do(sh("cat stock.csv"), "The table.")
    log = ""
    for row in [line for line in table.text.splitlines() if ",-" in line]:
        cells = row.split(",")
        right = cells[4].lstrip("-")
        agent.do(edit("stock.csv", row, ",".join([*cells[:4], right, cells[5]])), "Here is one.", [table.span(row)])
        log += f"{cells[0]}, {cells[4]}, {right}\n"
    agent.do(write("corrections.txt", log), "And the lines that the rules ask for.")
    none = agent.do(sh("grep -n ',-' stock.csv"), "None may be left.")
    assert not none.text
    counts = agent.do(sh("python3 count.py"), "The totals by town as they are now.")
    town = counts.line(cells[2])
    pieces = town.split("|")[3].strip()
    agent.do(write("totals.md", counts.text), "Kept for the next count.", [counts.whole()])
    agent.answer(f"All corrected. {cells[2]}, where the last of them was, stands at {pieces} pieces; see totals.md.")


def supplier_lists(agent: Agent) -> None:
    """Two tables of 15 kB and their diff; what differs stands in the middle of both. One cell is a formula."""
    prepare(agent.workspace, 40)
    agent.user(
        "The suppliers sent their list back. What differs from ours? Don't take over anything that looks unsafe."
    )
    agent.do_all([sh("cat suppliers/ours.csv"), sh("cat suppliers/theirs.csv")], "Both lists.")
    changes = agent.do(sh("diff -U 1 -L ours -L theirs suppliers/ours.csv suppliers/theirs.csv"), "And line by line.")
    gone = changes.match(r"^-(\d{4,5};.*)$")
    longer = changes.match(r"^\+(.*;90 days)$")
    formula = changes.match(r"^\+(\d+);=cmd")
    agent.do(
        sh(f"grep -n '^{gone.split(';')[0]};' suppliers/theirs.csv"),
        "Is it really gone?",
        [changes.span(gone.split(";")[0])],
    )
    before = changes.match(rf"^-({longer.rsplit(';', 1)[0]};.*)$")
    agent.do(
        edit("suppliers/ours.csv", before, longer),
        "The longer delivery time is a plain change; I take it over.",
        [changes.span(longer)],
    )
    agent.answer(
        f"Three things. {longer.split(';')[1]} now needs 90 days (taken over). Number {gone.split(';')[0]} is "
        f"gone from their list. And number {formula} has `=cmd(...)` for a name, which a spreadsheet would "
        "run: left alone, please ask them.",
        [changes.span(formula)],
    )


def reorder_list(agent: Agent) -> None:
    """A table of 109 kB is read once; what is needed is its few smallest numbers, and they are everywhere in it."""
    prepare(agent.workspace, 2400)
    agent.user("Which articles have fewer than 3 pieces left? Put their numbers into reorder.txt, one a line, sorted.")
    table = agent.do(sh("cat stock.csv"), "I'll read all of it.")
    rows = [line.split(",") for line in table.text.splitlines()[1:]]
    few = sorted(row[0] for row in rows if 0 <= int(row[4]) < 3)
    agent.do(
        write("reorder.txt", "\n".join(few) + "\n"), f"{len(few)} of {len(rows)}.", [table.span(code) for code in few]
    )
    agent.do(sh("sort -c reorder.txt && grep -c '' reorder.txt"), "Sorted and complete?")
    agent.answer(
        f"reorder.txt lists {len(few)} articles out of {len(rows)}.", [table.over_all(f"{len(few)} of {len(rows)}")]
    )


SCRIPTS = (
    Script(TASK, "negative-count", "openai-chat", ("sh", "read", "edit", "write"), negative_count),
    Script(TASK, "supplier-lists", "claude-code", ("sh", "read", "edit"), supplier_lists),
    Script(TASK, "reorder-list", "openai-chat", ("sh", "write"), reorder_list),
)
