"""A billing service with paged lists and nested records: a disputed invoice, a failing webhook, a count."""

from __future__ import annotations

from typing import Any

from harness.loop.environment.dice import Dice
from harness.loop.environment.service import Store
from harness.loop.environment.words import PEOPLE, TOWNS, companies, sentence
from tasks.transcripts.maker.agent import Agent, get, post, write
from tasks.transcripts.maker.needs import Need
from tasks.transcripts.maker.script import Script

TASK = "billing-api"
PLANS = ("starter", "team", "business", "enterprise")


def _invoice(dice: Dice, n: int, customer: str) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [
        {
            "position": position,
            "sku": f"SKU-{dice.hex(5).upper()}",
            "text": sentence(dice),
            "quantity": dice.between(1, 40),
            "unit_cents": dice.between(90, 45000),
            "tax": {"code": f"TX{dice.between(10, 99)}", "rate": dice.pick((0, 7, 19, 25)), "region": dice.pick(TOWNS)},
        }
        for position in range(1, dice.between(4, 9))
    ]
    return {
        "id": f"inv_{dice.hex(10)}",
        "number": f"2025-{30000 + n * 13}",
        "status": dice.pick(("paid", "paid", "paid", "sent", "overdue")),
        "customer": {"name": customer, "contact": dice.pick(PEOPLE), "plan": dice.pick(PLANS)},
        "total_cents": sum(line["quantity"] * line["unit_cents"] for line in lines),
        "lines": lines,
    }


def store() -> Store:
    """150 invoices, one of them disputed; 60 subscriptions; webhooks; tax codes."""
    dice = Dice(TASK)
    names = companies(dice, 150)
    invoices = [_invoice(dice, n, name) for n, name in enumerate(names)]
    invoices[94]["status"] = "disputed"
    invoices[94]["dispute"] = {
        "opened_by": "Møller & Søn ApS",
        "reason": "Line 3 was never delivered — «ikke modtaget»; the carrier says the address is unknown.",
        "line": 3,
    }
    codes = sorted({line["tax"]["code"] for invoice in invoices for line in invoice["lines"]})
    taxes = [{"id": code, "account": f"48{dice.between(1000, 9999)}", "text": sentence(dice)} for code in codes]
    subscriptions = [
        {
            "id": f"sub_{dice.hex(8)}",
            "customer": dice.pick(names),
            "plan": dice.pick(PLANS),
            "seats": dice.between(1, 300),
        }
        for _ in range(214)
    ]
    hooks = [
        {
            "id": f"wh_{dice.hex(8)}",
            "url": f"https://{name.lower().replace(' ', '-')}.example/hooks/{dice.hex(6)}",
            "events": sorted(
                {dice.pick(("invoice.paid", "invoice.sent", "plan.changed", "seat.added")) for _ in range(3)}
            ),
            "last_status": 200,
            "failures": 0,
        }
        for name in names[:58]
    ]
    hooks[31] |= {"last_status": 410, "failures": 1187}
    return Store(
        {
            "invoices": invoices,
            "tax_codes": taxes,
            "subscriptions": subscriptions,
            "webhooks": hooks,
            "credit_notes": [],
            "webhook_pauses": [],
        },
        summary={"invoices": ("id", "number", "status", "customer", "total_cents")},
        required={"credit_notes": ("invoice", "line", "account"), "webhook_pauses": ("webhook", "reason", "until")},
    )


def disputed_invoice(agent: Agent) -> None:
    """Page by page to one record; a nested tax code opens another record; one line is passed on whole."""
    agent.user(
        "One invoice is disputed. Please prepare a credit note for the line in question, with the right account."
    )
    page, found = 1, None
    while found is None:
        listed = agent.do(
            get(f"/invoices?page={page}&per_page=30"), "Looking for it." if page == 1 else "Not there; on."
        )
        found = next((i for i, item in enumerate(listed.value()["items"]) if item["status"] == "disputed"), None)
        page += 1
    key = listed.value()["items"][found]["id"]
    invoice = agent.do(get(f"/invoices/{key}"), "There. The whole record.", [listed.field("items", found, "id")])
    at = invoice.value()["dispute"]["line"] - 1
    line = invoice.value()["lines"][at]
    code = line["tax"]["code"]
    tax = agent.do(
        get(f"/tax_codes/{code}"), "Its tax code names the account.", [invoice.field("lines", at, "tax", "code")]
    )
    account = tax.value()["account"]
    refused = agent.do(
        post("/credit_notes", {"invoice": key, "line": line}),
        "A first version of the note.",
        [invoice.field("lines", at)],
    )
    assert refused.is_error
    made = agent.do(
        post("/credit_notes", {"invoice": key, "line": line, "account": account, "tax": tax.value()}),
        "It wants the account as well; I give the whole tax code.",
        [tax.field("account"), tax.whole()],
    )
    agent.answer(
        f"Credit note {made.value()['created']} is prepared for invoice {invoice.value()['number']}, opened "
        f"by {invoice.value()['dispute']['opened_by']}.",
        [invoice.field("dispute", "opened_by"), made.field("created")],
    )


def dead_webhook(agent: Agent) -> None:
    """Errors with and without a body; one webhook of 58 has a nested address that the pause needs."""
    agent.user("A customer's webhook has been failing for days. Pause it until 2025-07-01 and note which one it is.")
    agent.do(get("/hooks"), "Let me look at the webhooks.")
    hooks = agent.do(get("/webhooks?per_page=100"), "They have another name here.")
    items = hooks.value()["items"]
    at = max(range(len(items)), key=lambda i: items[i]["failures"])
    agent.do(
        post("/webhook_pauses", {"webhook": items[at]["id"], "until": "2025-07-01"}),
        "One stands out.",
        [hooks.field("items", at, "id")],
    )
    made = agent.do(
        post("/webhook_pauses", {"webhook": items[at]["id"], "until": "2025-07-01", "reason": "answers 410"}),
        "A reason is needed.",
    )
    agent.do(
        write("webhooks.md", f"- {items[at]['url']} paused as {made.value()['created']}\n"),
        "And the note.",
        [hooks.field("items", at, "url"), made.field("created")],
    )
    agent.answer(f"It is paused. It had failed {items[at]['failures']} times.", [hooks.field("items", at, "failures")])


def plan_count(agent: Agent) -> None:
    """Counts over pages that are read in parallel: no span to find. The last answer needs the head only."""
    agent.user("How many subscriptions are on the team plan, and how many seats do they have together?")
    first = agent.do(get("/subscriptions?per_page=60"), "How many pages are there?")
    pages = first.value()["pages"]
    rest = agent.do_all(
        [get(f"/subscriptions?per_page=60&page={n}") for n in range(2, pages + 1)], "All the others at once."
    )
    items = [item for seen in (first, *rest) for item in seen.value()["items"] if item["plan"] == "team"]
    seats = sum(item["seats"] for item in items)
    needs: list[Need] = [seen.over_all(f"{len(items)} subscriptions, {seats} seats") for seen in (first, *rest)]
    agent.answer(f"{len(items)} subscriptions are on the team plan, with {seats} seats together.", needs)
    agent.user("And which one is first in the list?", after_seconds=700)
    item = first.value()["items"][0]
    agent.answer(f"{item['id']}, of {item['customer']}.", [first.field("items", 0, "id")])


SCRIPTS = (
    Script(TASK, "disputed-invoice", "openai-chat", ("get", "post"), disputed_invoice, store),
    Script(TASK, "dead-webhook", "claude-code", ("get", "post", "write"), dead_webhook, store),
    Script(TASK, "plan-count", "claude-code", ("get",), plan_count, store),
)
