"""A help desk's service: two threads that belong together, an order number in a message, overdue tickets."""

from __future__ import annotations

from typing import Any

from harness.loop.environment.dice import Dice
from harness.loop.environment.service import Store
from harness.loop.environment.words import PEOPLE, listed, paragraph, sentence
from tasks.transcripts.maker.agent import Agent, get, post
from tasks.transcripts.maker.needs import Need, Seen
from tasks.transcripts.maker.script import Script

TASK = "support-inbox"
SUBJECTS = listed("""
Parcel is late|Wrong size 😕|Rechnung fehlt|返品について|Can't log in|Gift card does not work
Où est mon colis ?|Broken on arrival 💔|Change of address|Thank you 🎉
""")
SCRIPTED = (
    "Your form shows this when I enter my name: <script>alert('sent by ' + document.title)</script> — and "
    "below it the cell "
    '=HYPERLINK("http://tracker.example","open") which I did not type. '
    "Ticket opened with the tool of the “Åsnen” branch."
)


def store() -> Store:
    """90 tickets with threads, orders, notes, merges; the service writes JSON with \\u escapes only."""
    dice = Dice(TASK)
    orders = [
        {
            "id": f"OR-{dice.hex(7).upper()}",
            "state": dice.pick(("sent", "packed", "lost", "returned")),
            "parcel": {"carrier": f"{dice.pick(PEOPLE)} Cargo", "code": f"PX{dice.between(10**9, 10**10 - 1)}"},
            "refund": {"possible": dice.chance(0.5), "until": f"2025-0{dice.between(4, 9)}-{dice.between(10, 28)}"},
        }
        for _ in range(40)
    ]
    tickets: list[dict[str, Any]] = []
    for n in range(90):
        thread = [
            {
                "at": f"2025-03-{dice.between(1, 28):02}T{dice.between(7, 20):02}:{dice.between(10, 59)}",
                "from": dice.pick(PEOPLE),
                "text": paragraph(dice, dice.between(2, 7)),
            }
            for _ in range(dice.between(2, 9))
        ]
        tickets.append(
            {
                "id": f"T-{5200 + n * 3}",
                "subject": dice.pick(SUBJECTS),
                "state": dice.pick(("open", "open", "waiting", "closed")),
                "age_hours": dice.between(1, 200),
                "mood": dice.pick("🙂😐😠"),
                "tags": [dice.pick(("vip", "return", "login", "address")) for _ in range(2)],
                "first_line": sentence(dice),
                "thread": thread,
            }
        )
    for n in (22, 61):
        tickets[n] |= {"subject": "Odd text in the form", "state": "open"}
    tickets[61]["thread"].insert(1, {"at": "2025-03-20T11:42", "from": "Xiomara", "text": SCRIPTED})
    for n, order in ((14, 3), (47, 27), (58, 39), (83, 11)):
        tickets[n] |= {"subject": "Refund for a lost parcel 📦", "state": "waiting"}
        tickets[n]["thread"][1]["text"] += f" It was order {orders[order]['id']}, if that helps. {paragraph(dice, 3)}"
    return Store(
        {"tickets": tickets, "orders": orders, "notes": [], "merges": []},
        summary={"tickets": ("id", "subject", "state", "age_hours", "mood", "tags", "first_line")},
        required={"merges": ("keep", "drop", "reason"), "notes": ("ticket", "text")},
        ascii_only=True,
    )


def _listing(agent: Agent, says: str) -> Seen:
    return agent.do(get("/tickets?per_page=100"), says)


def merged_threads(agent: Agent) -> None:
    """Two of 90 tickets belong together; one message, hostile text and all, is passed on whole."""
    agent.user("Two tickets are about odd text in the form. Merge them, and put the message that shows it into a note.")
    listed = _listing(agent, "The tickets.")
    items = listed.value()["items"]
    first, second = (i for i, item in enumerate(items) if item["subject"].startswith("Odd text"))
    threads = agent.do_all(
        [get(f"/tickets/{items[i]['id']}") for i in (first, second)],
        "Both threads.",
        [listed.field("items", first, "id"), listed.field("items", second, "id")],
    )
    shown, at = next(
        (seen, n) for seen in threads for n, m in enumerate(seen.value()["thread"]) if "<script>" in m["text"]
    )
    message = shown.value()["thread"][at]
    keep, drop = (
        shown.value()["id"],
        next(i["id"] for i in (items[first], items[second]) if i["id"] != shown.value()["id"]),
    )
    note = agent.do(
        post("/notes", {"ticket": keep, "text": message["text"]}),
        "This is the message.",
        [shown.field("thread", at, "text")],
    )
    merge = agent.do(
        post("/merges", {"keep": keep, "drop": drop, "reason": f"same fault, see note {note.value()['created']}"}),
        "And the merge.",
        [note.field("created")],
    )
    agent.answer(
        f"{drop} is merged into {keep} ({merge.value()['created']}). {message['from']} had sent the message "
        f"on {message['at']}.",
        [shown.field("thread", at, "at"), merge.field("created")],
    )


def lost_parcel(agent: Agent) -> None:
    """An order number inside of a message opens the order; its parcel code and date are nested. Four times."""
    agent.user("The refunds for lost parcels: until when can we do each, and what are the parcels' codes?")
    listed = _listing(agent, "Which tickets are these?")
    lines: list[str] = []
    needs: list[Need] = []
    for at, item in enumerate(listed.value()["items"]):
        if "lost parcel" not in item["subject"]:
            continue
        ticket = agent.do(get(f"/tickets/{item['id']}"), "This is one.", [listed.field("items", at, "id")])
        number = ticket.match(r"It was order (OR-\w+)")
        if not lines:
            missing = agent.do(get(f"/orders/{number.lower()}"), "The customer names the order.")
            assert missing.is_error
        order = agent.do(get(f"/orders/{number}"), "In upper case, as written.", [ticket.span(number)])
        until, code = order.value()["refund"]["until"], order.value()["parcel"]["code"]
        lines.append(f"- {item['id']}: {code}, until {until}")
        needs += [order.field("refund", "until"), order.field("parcel", "code")]
    agent.answer("\n".join(lines), needs)


def overdue_tickets(agent: Agent) -> None:
    """A count and a mean over the listing, then a question about its first ticket."""
    agent.user("How many open tickets are older than 72 hours?")
    listed = _listing(agent, "All tickets.")
    late = [item for item in listed.value()["items"] if item["state"] == "open" and item["age_hours"] > 72]
    agent.answer(f"{len(late)} of them.", [listed.over_all(f"{len(late)} of them")])
    agent.user("And the first ticket in the list, what is its last message about?", after_seconds=95)
    first = listed.value()["items"][0]
    ticket = agent.do(get(f"/tickets/{first['id']}"), "Its thread.", [listed.field("items", 0, "id")])
    last = len(ticket.value()["thread"]) - 1
    text = ticket.value()["thread"][last]["text"]
    agent.answer(f"It says: {text}", [ticket.field("thread", last, "text")])


SCRIPTS = (
    Script(TASK, "merged-threads", "openai-chat", ("get", "post"), merged_threads, store),
    Script(TASK, "lost-parcel", "claude-code", ("get",), lost_parcel, store),
    Script(TASK, "overdue-tickets", "openai-chat", ("get",), overdue_tickets, store),
)
