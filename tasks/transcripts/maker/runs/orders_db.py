"""A shop's SQLite database: a wrong order, monthly totals, a customer who is in it twice."""

from __future__ import annotations

import json

from harness.loop.environment.dice import Dice
from harness.loop.environment.words import PEOPLE, TOWNS, company
from harness.loop.environment.workspace import Workspace
from tasks.transcripts.maker.agent import Agent, read, sh, sql, write
from tasks.transcripts.maker.needs import Need
from tasks.transcripts.maker.script import Script

TASK = "orders-db"
DATABASE = "shop.sqlite"
REGIONS = ("north", "east", "south", "west")


def prepare(workspace: Workspace) -> None:
    """Customers, orders and order lines of one quarter; order 57 of March has a negative shipping price."""
    dice = Dice(TASK)
    customers = []
    for n in range(1, 181):
        name = f"{dice.pick(PEOPLE)} {company(dice)}"
        mail = f"{name.lower().replace(' ', '.')}@mail.example"
        customers.append([n, f"CU-{dice.hex(6)}", name, mail, dice.pick(TOWNS), dice.pick(REGIONS)])
    first = customers[40]
    customers[132] = [133, f"CU-{dice.hex(6)}", first[2], str(first[3]).upper(), first[4], first[5]]
    orders, lines = [], []
    for n in range(1, 521):
        month = 1 + n * 3 // 521
        day = 1 + dice.below(28)
        shipping = dice.pick((390, 490, 590, 990))
        state = dice.pick(("paid", "paid", "paid", "open", "returned"))
        orders.append(
            [n, f"SO-2025-{4000 + n * 7}", dice.between(1, 180), f"2025-{month:02}-{day:02}", state, shipping, None]
        )
        for position in range(1, dice.between(2, 5)):
            item = f"ART-{dice.between(100, 999)}-{dice.pick('ABCDEF')}"
            lines.append([n, position, item, dice.between(1, 12), dice.between(199, 18900)])
    march = [order for order in orders if str(order[3]).startswith("2025-03")]
    march[56][5], march[56][6] = -4990, "imported from the old shop, see batch IMP-77e1c"
    workspace.table(
        DATABASE,
        "customers",
        "id INTEGER PRIMARY KEY, code TEXT, name TEXT, mail TEXT, town TEXT, region TEXT",
        customers,
    )
    workspace.table(
        DATABASE,
        "orders",
        "id INTEGER PRIMARY KEY, number TEXT, customer_id INTEGER, placed TEXT, state TEXT, shipping_cents "
        "INTEGER, note TEXT",
        orders,
    )
    workspace.table(
        DATABASE,
        "order_lines",
        "order_id INTEGER, position INTEGER, article TEXT, quantity INTEGER, price_cents INTEGER",
        lines,
    )
    workspace.file(
        "NOTES.md",
        "# shop.sqlite\n\nAll prices are in cents. A correction needs a line in `corrections.jsonl` with "
        "the whole row as it "
        "was.\n",
        20,
    )


def negative_shipping(agent: Agent) -> None:
    """Row 57 of March's rows is passed whole to a file; later an article from another result."""
    prepare(agent.workspace)
    agent.user("March's shipping income looks too low. Find the order that causes it and correct it to 4.90.")
    agent.do_all(
        [sql(DATABASE, "SELECT name, sql FROM sqlite_master ORDER BY name"), read("NOTES.md")],
        "First the schema and the notes.",
    )
    march = agent.do(
        sql(DATABASE, "SELECT * FROM orders WHERE placed LIKE '2025-03-%' ORDER BY id"), "All orders of March."
    )
    rows = march.value()
    at = next(i for i, row in enumerate(rows) if row["shipping_cents"] < 0)
    row = rows[at]
    batch = row["note"].split("batch ")[1]
    agent.do(
        write("corrections.jsonl", json.dumps(row, ensure_ascii=False)),
        "One order has negative shipping. The notes ask for the whole row as it was.",
        [march.field(at)],
    )
    agent.do(
        sql(DATABASE, f"UPDATE orders SET shipping_cents = 490 WHERE number = '{row['number']}'"), "Now the correction."
    )
    lines = agent.do(
        sql(
            DATABASE,
            "SELECT o.number, l.article, l.quantity, l.price_cents FROM orders o JOIN order_lines l ON "
            f"l.order_id = o.id WHERE o.note LIKE '%{batch}%' ORDER BY l.position",
        ),
        "Is anything else of that batch in here?",
    )
    assert len({line["number"] for line in lines.value()}) == 1
    article = lines.value()[-1]["article"]
    agent.answer(
        f"Order {row['number']} had -49.90 shipping; it is 4.90 now, and the old row is kept in "
        f"corrections.jsonl. It came with import batch {batch}, which touched no other order. Its last line "
        f"is article {article}.",
        [lines.field(len(lines.value()) - 1, "article")],
    )


def monthly_totals(agent: Agent) -> None:
    """Sums over all rows, month by month: nothing in the results can be pointed at. An error on the way."""
    prepare(agent.workspace)
    agent.user(
        "How much did paid orders of the east region bring in each month, goods only? Please add it up yourself and "
        "check it against the database."
    )
    agent.do(sql(DATABASE, "SELECT sum(total) FROM orders WHERE region = 'east'"), "A first try.")
    agent.do(sql(DATABASE, "SELECT name, sql FROM sqlite_master ORDER BY name"), "There is no such column; the schema.")
    says: list[str] = []
    needs: list[Need] = []
    for month in ("2025-01", "2025-02", "2025-03"):
        joined = (
            "FROM orders o JOIN customers c ON c.id = o.customer_id JOIN order_lines l ON l.order_id = o.id "
            f"WHERE c.region = 'east' AND o.state = 'paid' AND o.placed LIKE '{month}-%'"
        )
        rows = agent.do(
            sql(DATABASE, f"SELECT o.number, l.article, l.quantity, l.price_cents {joined} ORDER BY o.id, l.position"),
            f"Every line of the orders of {month}.",
        )
        total = sum(row["quantity"] * row["price_cents"] for row in rows.value())
        check = agent.do(sql(DATABASE, f"SELECT sum(l.quantity * l.price_cents) AS cents {joined}"), "The check.")
        assert check.value() == [{"cents": total}]
        orders = len({row["number"] for row in rows.value()})
        says.append(f"- {month}: {total / 100:,.2f} from {orders} orders")
        needs.append(rows.over_all(says[-1]))
    agent.answer("\n".join([*says, "My own sums over the lines and the database agree."]), needs)


def doubled_customer(agent: Agent) -> None:
    """A pair in the middle of a long listing; an empty result; ids passed on to a change."""
    prepare(agent.workspace)
    agent.user(
        "Somebody says that a customer is in the database twice. Find the pair and move the orders to the older one."
    )
    listed = agent.do(
        sql(DATABASE, "SELECT id, code, name, mail, town FROM customers ORDER BY name, id"), "All customers by name."
    )
    rows = listed.value()
    at = next(i for i in range(1, len(rows)) if rows[i]["mail"].lower() == rows[i - 1]["mail"].lower())
    older, newer = rows[at - 1], rows[at]
    agent.do(
        sql(
            DATABASE,
            f"SELECT id, code, region FROM customers WHERE code IN ('{older['code']}', '{newer['code']}') ORDER BY id",
        ),
        "Two rows have the same address but for upper case.",
        [listed.field(at - 1, "code"), listed.field(at, "code")],
    )
    orders = agent.do(
        sql(DATABASE, f"SELECT number, state FROM orders WHERE customer_id = {newer['id']} ORDER BY id"),
        "What hangs on it?",
    )
    agent.do(
        sql(DATABASE, f"UPDATE orders SET customer_id = {older['id']} WHERE customer_id = {newer['id']}"),
        "Moving them.",
    )
    empty = agent.do(
        sql(DATABASE, f"SELECT number FROM orders WHERE customer_id = {newer['id']}"), "Nothing may be left."
    )
    assert empty.value() == []
    agent.do(sh("ls -l"), "The file is written.")
    first = orders.value()[0]["number"] if orders.value() else "none"
    agent.answer(
        f"{older['name']} was in twice. {len(orders.value())} orders (the first is {first}) now belong to the "
        f"older entry with the address {older['mail']}.",
        [orders.field(0, "number"), listed.field(at - 1, "mail")],
    )


SCRIPTS = (
    Script(TASK, "negative-shipping", "openai-chat", ("sql", "read", "write"), negative_shipping),
    Script(TASK, "monthly-totals", "claude-code", ("sql", "read"), monthly_totals),
    Script(TASK, "doubled-customer", "openai-chat", ("sql", "sh"), doubled_customer),
)
