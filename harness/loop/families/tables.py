"""Tables in text files: commas, tabs, semicolons, bars and fixed columns."""

from __future__ import annotations

from harness.loop.families.files import FILE
from harness.loop.families.texts import TextTemplate, text_family

TEMPLATES = (
    TextTemplate(
        "stock", "stock.csv", "sku", ("Oakhampton", "Nordhavn", "Westerlo"),
        "{key},{code},{group},{number},{note},{seal}", "recount needed", "-,recount needed,{code},,,",
        r",GROUP,(\d+),", ("article", "bin", "seal", "depot", "quantity"), header="sku,bin,depot,quantity,name,seal\n",
        sums=True,
    ),
    TextTemplate(
        "timesheet", "hours.tsv", "emp", ("day", "night", "weekend"),
        "{key}\t{code}\t{group}\t{number}\t{note}\t{seal}", "entered twice", "-\tentered twice\t{code}\t\t\t",
        r"\tGROUP\t(\d+)\t", ("employee", "badge", "seal", "shift", "minutes"),
        header="employee\tbadge\tshift\tminutes\tplace\tseal\n", end="write",
    ),
    TextTemplate(
        "readings", "readings.csv", "stn", ("dry", "wet", "frost"),
        "{key};{code};{group};{number};{note};{seal}", "sensor replaced", "#;sensor replaced;{code};;;",
        r";GROUP;(\d+);", ("station", "device", "seal", "state", "value"), (220, 400),
        "station;device;state;value;place;seal\n", True, "edit",
    ),
    TextTemplate(
        "inventory-md", "inventory.md", "item", ("good", "worn", "broken"),
        "| {key} | {code} | {group} | {number} | {note} | {seal} |", "to be returned",
        "| - | to be returned: {code} | | | | |",
        r"\| GROUP \| (\d+) \|", ("item", "tag", "seal", "state", "price"),
        header="| item | tag | state | price | name | seal |\n| --- | --- | --- | --- | --- | --- |\n",
    ),
    TextTemplate(
        "ledger", "ledger.txt", "acct", ("debit", "credit"),
        "{key:<12}{code:<14}{group:<10}{number:>8}  {note:<30}{seal}", "does not balance",
        "*** does not balance: see {code}", r"\bGROUP +(\d+)  ", ("account", "voucher", "seal", "side", "amount"),
        (100, 200), sums=True, end="write",
    ),
    TextTemplate(
        "roster", "roster.csv", "crew", ("red", "green", "amber"),
        '"{key}","{code}","{group}","{number}","{note}","{seal}"', "swap agreed",
        '"","swap agreed: {code}","","","",""',
        r'"GROUP","(\d+)"', ("crew", "route", "seal", "line", "length"), (80, 150), end="edit",
    ),
    TextTemplate(
        "survey", "survey.psv", "reply", ("yes", "no", "unsure"),
        "{key}|{code}|{group}|{number}|{note}|{seal}", "withdrawn on request", "|withdrawn on request: {code}||||",
        r"\|GROUP\|(\d+)\|", ("reply", "sheet", "seal", "answer", "score"), (260, 420),
        "reply|sheet|answer|score|remark|seal\n",
    ),
)  # fmt: skip

FAMILY = text_family("tables", TEMPLATES, FILE)
